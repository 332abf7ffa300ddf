"""Operations made again: copied with other operands, or built anew with other results around the same regions."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from tapeless._mlir import ir, tensor
from tapeless.dialects.groups import SEGMENTS

Values = dict[ir.Value, ir.Value]


def copy_op(op: ir.OpView, values: Values) -> ir.Operation:
    """A copy of `op` at the insertion point with its operands mapped by `values`, which learns the results."""
    made = op.operation.clone()
    retarget(made, values)
    for old, new in zip(op.operation.results, made.results, strict=True):
        values[old] = new
    return made


def retarget(op: ir.Operation, values: Values) -> None:
    """Replaces operands of an operation, and of the operations in it, by the new values in `values`."""
    for position, operand in enumerate(op.operands):
        if operand in values:
            op.operands[position] = values[operand]
    for region in op.regions:
        for block in region.blocks:
            for inner in block.operations:
                retarget(inner.operation, values)


def body_at(op: ir.OpView, index: ir.Value, elements: Sequence[ir.Value], before: ir.OpView) -> list[ir.Value]:
    """The results of a map's body for this index and these elements, computed before an operation."""
    copy = op.operation.clone(ip=ir.InsertionPoint(before))
    block = copy.regions[0].blocks[0]
    for argument, value in zip(block.arguments, [index, *elements], strict=True):
        argument.replace_all_uses_with(value)
    *computation, last = list(block.operations)
    for inner in computation:
        inner.operation.move_before(copy)
    yielded = list(last.operands)
    copy.erase()
    return yielded


def recreate(
    op: ir.OpView,
    groups: Sequence[Sequence[ir.Value]],
    result_types: Sequence[ir.Type],
    emptied: Collection[int] = (),
) -> ir.OpView:
    """The same operation before `op` with these operand groups and results; regions move over, but for the emptied."""
    attributes = {name: op.attributes[name] for name in op.attributes}
    if SEGMENTS in attributes:
        attributes[SEGMENTS] = ir.DenseI32ArrayAttr.get([len(group) for group in groups], op.context)
    made = ir.Operation.create(
        op.operation.name,
        results=list(result_types),
        operands=[value for group in groups for value in group],
        attributes=attributes,
        regions=len(op.regions),
        loc=op.location,
        ip=ir.InsertionPoint(op),
    )
    for number, (old, new) in enumerate(zip(op.regions, made.regions, strict=True)):
        for block in [] if number in emptied else list(old.blocks):
            block.append_to(new)
    return made.opview


def replace_op(op: ir.OpView, values: Iterable[ir.Value | None]) -> None:
    """Replaces each result by a value (`None` for an unused one) and erases the operation."""
    for result, value in zip(list(op.results), values, strict=True):
        if value is not None:
            result.replace_all_uses_with(as_type(value, result.type, op))
    op.operation.erase()


def as_type(value: ir.Value, wanted: ir.Type, before: ir.OpView) -> ir.Value:
    """The value with the wanted type: arrays that differ only in their static sizes are cast before `before`."""
    if value.type == wanted:
        return value
    return tensor.cast(wanted, value, loc=before.location, ip=ir.InsertionPoint(before))


def retarget_terminator(block: ir.Block, operands: Sequence[ir.Value]) -> None:
    """Replaces the block's last operation by one of the same kind with these operands."""
    last = block.operations[len(block.operations) - 1]
    attributes = {name: last.attributes[name] for name in last.attributes}
    ir.Operation.create(
        last.operation.name,
        operands=list(operands),
        attributes=attributes,
        loc=last.location,
        ip=ir.InsertionPoint(last),
    )
    last.operation.erase()


def keep_arguments(block: ir.Block, kept: Sequence[bool]) -> None:
    """Erases the block arguments that are not kept; they must be unused."""
    for position in reversed(range(len(kept))):
        if not kept[position]:
            block.erase_argument(position)


def selected(values: Iterable[ir.Value], kept: Sequence[bool]) -> list[ir.Value]:
    """The values whose flag is set."""
    return [value for value, keep in zip(values, kept, strict=True) if keep]
