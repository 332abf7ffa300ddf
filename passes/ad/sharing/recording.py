"""Values of a body recorded by a part of the operation, and read back by the operation itself.

A map's part yields one more array, whose elements the map takes; a loop's part fills an array with one row per
iteration; a branch's part gives one more result, zero when the other branch runs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tapeless._mlir import arith, ir, tensor
from tapeless.dialects.ad.marks import BUDGET, LEAN, STRIPMINE
from tapeless.dialects.array_types import stack_type
from tapeless.passes.ad.redundant.control.loops import trip_count
from tapeless.passes.ad.sharing.parts import Part
from tapeless.passes.ir.build import cast_to, common_width, element_type, filled, is_array, number
from tapeless.passes.ir.rebuild import recreate, replace_op, retarget_terminator
from tapeless.passes.ir.rows import insert_row, row_at
from tapeless.passes.ir.scopes import owner_block
from tapeless.passes.ir.sizes.shapes import dim_of, scalar_size, size_of
from tapeless.passes.ir.sizes.sizes import as_value, can_write
from tapeless.passes.soac.simplify.elements import add_input

SAVING = (STRIPMINE, BUDGET, LEAN)
Recorder = Callable[[ir.OpView, ir.OpView, Sequence[ir.Value], Sequence[ir.Value]], ir.OpView]


def can_keep(value: ir.Value, around: Sequence[ir.OpView]) -> bool:
    """Whether a value made inside operations, given from the outside in, may be stored each time that it is made.

    Its sizes, and how often the inner operations run, must be known before the outermost one.
    """
    if not _is_storable(element_type(value.type)) or not all(_may_store(op) for op in around):
        return False
    sizes = [size_of(value, axis) for axis in range(value.type.rank)] if is_array(value) else []
    sizes += [scalar_size(count) for op in around[1:] for count in COUNTS[op.operation.name](op)]
    return all(can_write(size, ir.InsertionPoint(around[0])) for size in sizes) if around else True


def can_record(op: ir.OpView) -> bool:
    """Whether values of the regions of `op` can be recorded."""
    return op.operation.name in RECORDERS


def _may_store(op: ir.OpView) -> bool:
    return op.operation.name in COUNTS and not any(name in op.operation.attributes for name in SAVING)


def _is_storable(type_: ir.Type) -> bool:
    is_number = isinstance(type_, ir.F64Type | ir.F32Type | ir.IndexType | ir.IntegerType)
    return is_number and not (isinstance(type_, ir.IntegerType) and type_.width == 1)


def record(op: ir.OpView, part: Part, values: Sequence[ir.Value]) -> ir.OpView:
    """The operation reading values of its regions from the record that `part` made of them."""
    if not values:
        return op
    copies = [part.values[value] for value in values]
    with op.location:
        return RECORDERS[op.operation.name](op, part.op, values, copies)


def _in_map(op: ir.OpView, part: ir.OpView, values: Sequence[ir.Value], copies: Sequence[ir.Value]) -> ir.OpView:
    """The part's arrays come before its accumulators, and so do the recorded ones."""
    accs = len(part.accs)
    yielded = list(part.body.blocks[0].operations)[-1].operation.operands
    plain = len(yielded) - accs
    retarget_terminator(part.body.blocks[0], [*list(yielded)[:plain], *copies, *list(yielded)[plain:]])
    extent = common_width(part.inputs, part.width)
    old = [result.type for result in part.operation.results]
    types = [*old[:plain], *(stack_type(extent, copy.type) for copy in copies), *old[plain:]]
    made = recreate(part, [[part.width], list(part.inputs), list(part.accs)], types)
    results = list(made.results)
    replace_op(part, [*results[:plain], *results[plain + len(copies) :]])
    for value, array in zip(values, results[plain:], strict=False):
        op, element = add_input(op, array)
        value.replace_all_uses_with(_as(value, element, op.regions[0].blocks[0].operations[0]))
    return op


def _in_for(op: ir.OpView, part: ir.OpView, values: Sequence[ir.Value], copies: Sequence[ir.Value]) -> ir.OpView:
    lower, upper, step, *initial = part.operation.operands
    with ir.InsertionPoint(part):
        trips = trip_count(lower, upper, step)
        rooms = [_room(trips, op, value) for value in values]
    block = part.operation.regions[0].blocks[0]
    last = block.operations[len(block.operations) - 1]
    with ir.InsertionPoint(last):
        position = _position(block.arguments[0], lower, step)
        arrays = [block.add_argument(room.type, op.location) for room in rooms]
        rows = [insert_row(array, position, copy) for array, copy in zip(arrays, copies, strict=True)]
    retarget_terminator(block, [*last.operation.operands, *rows])
    types = [*(result.type for result in part.operation.results), *(room.type for room in rooms)]
    made = recreate(part, [[lower, upper, step, *initial, *rooms]], types)
    replace_op(part, list(made.results)[: len(initial)])
    body = op.operation.regions[0].blocks[0]
    with ir.InsertionPoint(body.operations[0]):
        position = _position(body.arguments[0], lower, step)
    for value, array in zip(values, list(made.results)[len(initial) :], strict=True):
        with ir.InsertionPoint(value.owner):
            value.replace_all_uses_with(cast_to(value.type, row_at(array, position)))
    return op


def _room(trips: ir.Value, op: ir.OpView, value: ir.Value) -> ir.Value:
    return tensor.EmptyOp([trips, *_sizes(op, value)], element_type(value.type)).result


def _sizes(op: ir.OpView, value: ir.Value) -> list[ir.Value | int]:
    """The sizes of a value of a region, known before the operation."""
    if not is_array(value):
        return []
    return [dim_of(value, axis, ir.InsertionPoint.current) for axis in range(value.type.rank)]


def _position(i: ir.Value, lower: ir.Value, step: ir.Value) -> ir.Value:
    """The number of an iteration."""
    return arith.DivSIOp(arith.SubIOp(i, lower).result, step).result


def _in_if(op: ir.OpView, part: ir.OpView, values: Sequence[ir.Value], copies: Sequence[ir.Value]) -> ir.OpView:
    zeros = [_zero_before(part, op, value) for value in values]
    for region in part.operation.regions:
        block = region.blocks[0]
        here = [copy if owner_block(copy) == block else zero for copy, zero in zip(copies, zeros, strict=True)]
        retarget_terminator(block, [*block.operations[len(block.operations) - 1].operation.operands, *here])
    old = [result.type for result in part.operation.results]
    made = recreate(part, [list(part.operation.operands)], [*old, *(value.type for value in values)])
    replace_op(part, list(made.results)[: len(old)])
    for value, result in zip(values, list(made.results)[len(old) :], strict=True):
        value.replace_all_uses_with(result)
    return op


def _zero_before(part: ir.OpView, op: ir.OpView, value: ir.Value) -> ir.Value:
    with ir.InsertionPoint(part):
        zero = number(element_type(value.type), 0.0)
        if not is_array(value):
            return zero
        sizes = [as_value(size, ir.InsertionPoint(part)) for size in _sizes(op, value)]
        return filled(value.type, sizes, zero)


def _as(value: ir.Value, element: ir.Value, before: ir.OpView) -> ir.Value:
    with ir.InsertionPoint(before):
        return cast_to(value.type, element)


COUNTS: dict[str, Callable[[ir.OpView], list[ir.Value]]] = {
    "soac.map": lambda op: [op.operation.operands[0]],
    "scf.for": lambda op: list(op.operation.operands)[:3],
    "scf.if": lambda op: [],
    "soac.with_acc": lambda op: [],
}

RECORDERS: dict[str, Recorder] = {"soac.map": _in_map, "scf.for": _in_for, "scf.if": _in_if}
