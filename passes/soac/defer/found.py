"""Sums over rows that every iteration of a loop adds to an array, which nothing else in the loop looks at."""

from __future__ import annotations

from collections.abc import Sequence

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.dialects.soac.marks import IN_BOUNDS
from tapeless.passes.ir.constants import is_zero
from tapeless.passes.ir.regions.structure import arguments_of
from tapeless.passes.ir.scopes import is_defined_outside, is_used, is_used_once, outer_values, terminator
from tapeless.passes.soac.cascade.places import has_scalar_body

MOST_OPERATIONS = 16


@dataclass(frozen=True)
class RowSum:
    """The addend of an operation to the carried array `number`: a sum over the rows of arrays of the iteration.

    `fused` is the sum of a product, within a nest over the elements of the array; without it, rows with `columns`
    elements each are added to the first elements of the array.
    """

    number: int
    op: ir.OpView
    width: ir.Value
    rows: list[ir.Value]
    fused: ir.OpView | None = None
    columns: ir.Value | None = None


def row_sums(loop: ir.OpView) -> list[RowSum]:
    """All such sums of a loop."""
    found = [_row_sum(loop, number) for number in range(len(loop.results))]
    return [each for each in found if each is not None]


def _row_sum(loop: ir.OpView, number: int) -> RowSum | None:
    """The sum that is all that happens to a carried array."""
    block, carried = loop.regions[0].blocks[0], arguments_of(loop, "carried")[number]
    uses, following = list(carried.uses), terminator(block).operands[number]
    if not _is_float_array(carried) or len(uses) != 1 or isinstance(following, ir.BlockArgument):
        return None
    op = uses[0].owner.operation.opview
    if following.owner.operation != op.operation or op.operation.block != block or not is_used_once(following):
        return None
    found = _product_sum(op, number) or _column_sum(op, number)
    return found if found is not None and _can_leave(loop, found, carried) else None


def _can_leave(loop: ir.OpView, found: RowSum, carried: ir.Value) -> bool:
    """Whether the sum takes rows of arrays that the iteration makes or reads, and else only loop-invariant values."""
    others = [value for value in outer_values(found.op) if value != carried and value not in found.rows]
    block = loop.regions[0].blocks[0]
    return (
        is_defined_outside(found.width, loop.operation)
        and all(isinstance(row, ir.OpResult) and row.owner.operation.block == block for row in found.rows)
        and all(is_defined_outside(value, loop.operation) for value in others)
    )


def _product_sum(op: ir.OpView, number: int) -> RowSum | None:
    """A nest of maps over the elements of an array, each of which gets a sum over rows added to it."""
    fused = None
    inner, element = op, None
    while inner.operation.name == "soac.map" and not len(inner.accs) and len(inner.results) == 1:
        arguments = inner.regions[0].blocks[0].arguments
        own = [argument for argument, array in zip(arguments[1:], inner.inputs, strict=True) if _is(array, element)]
        if element is None:
            own = [arguments[1 + place] for place, array in enumerate(inner.inputs) if _is_carried(array)]
        if len(own) != 1 or not is_used_once(own[0]):
            return None
        element = own[0]
        body = list(inner.regions[0].blocks[0].operations)
        if len(body) != 2 or list(body[-1].operands) != list(body[0].operation.results):
            fused = _added(body, element)
            break
        inner = body[0]
    if fused is None:
        return None
    return RowSum(number, op, fused.width, list(dict.fromkeys(fused.inputs)), fused)


def _is(array: ir.Value, element: ir.Value | None) -> bool:
    return element is not None and array == element


def _is_carried(array: ir.Value) -> bool:
    return isinstance(array, ir.BlockArgument) and array.owner.owner.operation.name == "scf.for"


def _added(body: Sequence[ir.OpView], element: ir.Value) -> ir.OpView | None:
    """The sum that is all that is added to an element."""
    if len(body) != 3 or [op.operation.name for op in body[:2]] != ["soac.fused", "arith.addf"]:
        return None
    fused, total, end = body
    given = list(total.operands)
    if list(end.operands) != [total.result] or sorted(map(given.count, (element, fused.results[0]))) != [1, 1]:
        return None
    return fused if is_used_once(fused.results[0]) and _is_plain_sum(fused) else None


def _is_plain_sum(fused: ir.OpView) -> bool:
    """Whether a reduction adds up numbers, from zero, that it makes of elements without asking for their index."""
    if len(fused.results) != 1 or len(fused.reduce_neutral) != 1 or len(fused.scan_neutral):
        return False
    if not is_zero(fused.reduce_neutral[0]) or is_used(fused.regions[0].blocks[0].arguments[0]):
        return False
    combine = fused.regions[1].blocks[0]
    first, *rest = list(combine.operations)
    is_sum = first.operation.name == "arith.addf" and set(first.operands) == set(combine.arguments)
    is_all = is_sum and len(rest) == 1 and list(rest[0].operands) == [first.operation.results[0]]
    return is_all and has_scalar_body(fused, MOST_OPERATIONS, may_read=True)


def _column_sum(op: ir.OpView, number: int) -> RowSum | None:
    """An accumulation that adds the rows of an array, element by element, and nothing else that anything wants."""
    if op.operation.name != "soac.with_acc" or len(op.operands) != 1:
        return None
    block = op.regions[0].blocks[0]
    body = list(block.operations)
    if len(body) != 2 or any(is_used(extra) for extra in list(op.results)[1:]):
        return None
    rows = _only_map(body[:1], block.arguments[0], body[-1].operands[0])
    if rows is None:
        return None
    inner = rows.regions[0].blocks[0]
    row, below = inner.arguments[1], inner.arguments[2]
    statements = list(inner.operations)
    columns = _only_map(statements[:-1], below, statements[-1].operands[0])
    if columns is None or columns.inputs[0] != row or not is_defined_outside(columns.width, op.operation):
        return None
    found = RowSum(number, op, rows.width, [rows.inputs[0]], columns=columns.width)
    return found if _adds_elements(columns) else None


def _only_map(body: Sequence[ir.OpView], acc: ir.Value, yielded: ir.Value) -> ir.OpView | None:
    """The map over one array that is all that a body does with an accumulator."""
    if len(body) != 1 or body[0].operation.name != "soac.map":
        return None
    op = body[0]
    is_plain = len(op.inputs) == 1 and list(op.accs) == [acc] and list(op.results) == [yielded]
    return op if is_plain else None


def _adds_elements(columns: ir.OpView) -> bool:
    """Whether a map adds each element to the one of the same index."""
    block = columns.regions[0].blocks[0]
    index, element, acc = block.arguments
    update, *rest = list(block.operations)
    is_update = update.operation.name == "soac.update" and list(update.operands) == [acc, index, element]
    is_certain = is_update and IN_BOUNDS in update.attributes
    return is_certain and len(rest) == 1 and list(rest[0].operands) == list(update.operation.results)


def _is_float_array(value: ir.Value) -> bool:
    is_array = isinstance(value.type, ir.RankedTensorType)
    return is_array and isinstance(value.type.element_type, ir.F32Type | ir.F64Type)
