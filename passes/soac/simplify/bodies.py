"""Simplifications of the operands and results of the body of a map or fused operator."""

from __future__ import annotations

from tapeless._mlir import arith, ir, tensor
from tapeless.dialects.array_types import DYNAMIC, row_type
from tapeless.dialects.regions import terminator
from tapeless.passes.ir.array_loops import Loop, operand_groups
from tapeless.passes.ir.build import is_array
from tapeless.passes.ir.costs import INDEX_ONLY_LIMIT, is_cheap
from tapeless.passes.ir.rebuild import as_type, body_at, replace_op
from tapeless.passes.ir.scopes import is_defined_outside, is_used
from tapeless.passes.ir.sizes.shapes import dim_of, same_width
from tapeless.passes.ir.sizes.sizes import as_value, at_location

Sizes = list[ir.Value | int | None]


def uniform_elements(op: ir.OpView) -> ir.OpView:
    """Elements of a filled array are the value itself, those of an index array the index, and equal inputs are one."""
    changed = False
    arguments = list(op.regions[0].blocks[0].arguments)
    first: dict[ir.Value, ir.Value] = {}
    for array, argument in zip(operand_groups(op)[1], arguments[1:], strict=False):
        if not is_used(argument):
            continue
        value = first.setdefault(array, argument)
        if value == argument:
            value = _uniform_element(op, array)
        if value is not None:
            argument.replace_all_uses_with(value)
            changed = True
    return changed_op(op, changed)


def changed_op(op: ir.OpView, changed: bool) -> ir.OpView:
    """The operation itself, as a new handle when it changed in place."""
    return op.operation.opview if changed else op


def _uniform_element(op: ir.OpView, array: ir.Value) -> ir.Value | None:
    if isinstance(array, ir.BlockArgument):
        return None
    producer = array.owner
    if producer.operation.name == "soac.map":
        return _element_from_index(op, producer, array)
    inside = ir.InsertionPoint(op.regions[0].blocks[0].operations[0])
    if producer.operation.name == "tensor.splat":
        scalar = producer.operands[0]
    elif producer.operation.name == "arith.constant" and producer.attributes["value"].is_splat:
        value = producer.attributes["value"].get_splat_value()
        scalar = arith.constant(array.type.element_type, value, loc=producer.location, ip=inside)
    else:
        return None
    row = row_type(array.type)
    if not isinstance(row, ir.RankedTensorType):
        return scalar
    return _fill(row, scalar, [dim_of(array, axis + 1, inside) for axis in range(row.rank)], inside)


def _fill(type_: ir.RankedTensorType, scalar: ir.Value, sizes: Sizes, at: ir.InsertionPoint) -> ir.Value | None:
    """An array of this type filled with a scalar; nothing when one of its sizes cannot be had here."""
    known = [size for size in sizes if size is not None]
    if len(known) < len(sizes):
        return None
    dynamic = [as_value(size, at) for size, fixed in zip(known, type_.shape, strict=True) if fixed == DYNAMIC]
    return tensor.SplatOp(type_, scalar, dynamic, loc=at_location(at), ip=at).result


def _element_from_index(op: ir.OpView, producer: ir.OpView, array: ir.Value) -> ir.Value | None:
    """The element of an array whose elements are next to nothing but their index, computed in the body itself."""
    width, inputs, accs = operand_groups(producer)
    body = producer.regions[0].blocks[0]
    if inputs or accs or not is_cheap(body, INDEX_ONLY_LIMIT) or not same_width(width[0], op.operands[0]):
        return None
    block = op.regions[0].blocks[0]
    first = block.operations[0]
    return body_at(producer, block.arguments[0], [], first)[array.result_number]


def results_from_outside(op: ir.OpView) -> ir.OpView:
    """Results that are an input, or the same value in every iteration, need no loop."""
    changed = False
    loop = Loop.seen_as(op)
    handed_in = dict(zip(loop.elements, [*loop.inputs, *loop.accs], strict=True))
    combined = len(loop.reduced.results) + len(loop.scanned.results)
    for result, value in list(zip(op.results, loop.lifted(), strict=True))[combined:]:
        if not is_used(result):
            continue
        outside = handed_in.get(value) or _filled(op, result, value)
        if outside is not None:
            result.replace_all_uses_with(as_type(outside, result.type, op))
            changed = True
    return changed_op(op, changed)


def unchanged_accumulators(op: ir.OpView) -> ir.OpView:
    """An accumulator that the body of `soac.with_acc` hands back unchanged is the array it was made of."""
    changed = False
    arguments = op.regions[0].blocks[0].arguments
    yielded = list(terminator(op.regions[0]).operands)
    for number, dest in enumerate(op.operands):
        if yielded[number] == arguments[number] and is_used(op.results[number]):
            op.results[number].replace_all_uses_with(dest)
            changed = True
    return changed_op(op, changed)


def without_accumulators(op: ir.OpView) -> ir.OpView | None:
    """The body of a `soac.with_acc` that accumulates nothing runs in its place."""
    if len(op.operands):
        return op
    *body, last = list(op.regions[0].blocks[0].operations)
    for inner in body:
        inner.operation.move_before(op.operation)
    replace_op(op, last.operands)
    return None


def _filled(op: ir.OpView, result: ir.Value, value: ir.Value) -> ir.Value | None:
    """The fill that a map makes whose body yields one outer scalar, or a fill with one, every time."""
    scalar = value
    if is_array(value):
        if isinstance(value, ir.BlockArgument) or value.owner.operation.name != "tensor.splat":
            return None
        scalar = value.owner.operands[0]
    elif not is_array(result):
        return None
    before = ir.InsertionPoint(op)
    known = _outer_scalar(scalar, op)
    if known is None:
        return None
    return _fill(result.type, known, [dim_of(result, axis, before) for axis in range(result.type.rank)], before)


def _outer_scalar(scalar: ir.Value, op: ir.OpView) -> ir.Value | None:
    """The scalar outside the operator: as it is, or its constant written again."""
    if is_defined_outside(scalar, op.operation):
        return scalar
    if isinstance(scalar, ir.BlockArgument) or scalar.owner.operation.name != "arith.constant":
        return None
    return scalar.owner.operation.clone(ip=ir.InsertionPoint(op)).results[0]
