"""The values of a map's body that depend on the rows at one index, and on nothing else of the iteration."""

from __future__ import annotations

from collections.abc import Iterable

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.ir.array_loops import is_in_operator
from tapeless.passes.ir.costs import CHEAP
from tapeless.passes.ir.places.indices import is_index_of
from tapeless.passes.ir.places.places import Place
from tapeless.passes.ir.places.slices import remaining_axes, slice_offsets, slice_sizes, slice_strides
from tapeless.passes.ir.scopes import ancestor_in, identity, is_defined_outside, outer_values
from tapeless.passes.ir.sizes.expressions import Size
from tapeless.passes.ir.sizes.shapes import size_of
from tapeless.passes.ir.sizes.sizes import can_write
from tapeless.passes.ir.speculation import is_safe_anywhere

READS = ("tensor.extract", "tensor.extract_slice")


@dataclass(frozen=True)
class Keyed:
    """Statements of a map's body that depend on the iteration through `index` alone, by rows of arrays like `rows`.

    `wanted` are the values that they hand to the rest of the body, `spared` is the number of rows or elements of rows
    that then nobody else reads.
    """

    index: ir.Value
    rows: ir.Value
    statements: list[ir.OpView]
    wanted: list[ir.Value]
    spared: int


def keyed_by(op: ir.OpView, index: ir.Value) -> Keyed | None:
    """The values of a map's body that depend on the rows at an index; nothing when these are the rows themselves."""
    reads = [use.owner for use in index.uses if _is_row_read(use, op)]
    if not reads:
        return None
    rows = reads[0].operation.operands[0]
    picked = {identity(read) for read in reads if size_of(read.operation.operands[0], 0) == size_of(rows, 0)}
    banned: set[ir.Value | ir.Block | None] = set()
    while True:
        statements = _statements(op, picked, banned, set())
        wanted = _wanted(op, statements, picked)
        unfit = [value for value in wanted if not _is_storable(value, op)]
        if not unfit:
            return Keyed(index, rows, statements, wanted, _spared(op, statements, picked)) if wanted else None
        banned.update(identity(value.owner) for value in unfit)


def uses_alone(op: ir.OpView, element: ir.Value) -> list[ir.OpView]:
    """The statements of a map's body that follow from one of its elements and from outside."""
    return _statements(op, set(), set(), {element})


def row_indices(op: ir.OpView) -> list[ir.Value]:
    """The values of a map's body that pick rows of arrays from outside."""
    statements = list(op.body.blocks[0].operations)[:-1]
    reads = [each for each in statements if each.operation.name in READS and len(each.operation.operands) > 1]
    picked = [read.operation.operands[1] for read in reads]
    return list(dict.fromkeys(value for value in picked if _is_made_in(value, op.body.blocks[0])))


def _is_made_in(value: ir.Value, block: ir.Block) -> bool:
    """Whether a body computes a value or gets it as an element."""
    if isinstance(value, ir.BlockArgument):
        return value.owner == block and value.arg_number > 0
    return value.owner.operation.block == block


def _is_row_read(use: ir.OpOperand, op: ir.OpView) -> bool:
    """Whether an operation of the body reads by the index in its first axis, and in the others the
    same for every row.
    """
    read = use.owner
    if read.operation.name not in READS or use.operand_number != 1 or read.operation.block != op.body.blocks[0]:
        return False
    array, _, *others = read.operation.operands
    if not is_defined_outside(array, op.operation):
        return False
    if read.operation.name == "tensor.extract":
        return all(is_index_of(place, size_of(array, axis + 1)) for axis, place in enumerate(others))
    if 0 in remaining_axes(read) or isinstance(slice_offsets(read)[0], int):
        return False
    return _is_static_row(read) if not others else _is_whole_row(read, op)


def _is_static_row(read: ir.OpView) -> bool:
    """Whether a slice takes a constant part of each row that is surely there."""
    shape = read.operation.operands[0].type.shape[1:]
    offsets, sizes, strides = (part(read)[1:] for part in (slice_offsets, slice_sizes, slice_strides))
    parts = zip(shape, offsets, sizes, strides, strict=True)
    return all(offset >= 0 and stride == 1 and offset + size <= fixed for fixed, offset, size, stride in parts)


def _is_whole_row(read: ir.OpView, op: ir.OpView) -> bool:
    """Whether a slice takes all of each row, whose sizes are known outside.

    Maps within maps rarely have more picks than there are rows, and both ways would be code.
    """
    if is_in_operator(op):
        return False
    array, _, *others = read.operation.operands
    place = Place.of(read)
    is_whole = all(place.is_whole_along(axis) for axis in range(1, array.type.rank))
    return is_whole and all(is_defined_outside(size, op.operation) for size in others)


def _statements(op: ir.OpView, picked: set, banned: set, keyed: set[ir.Value]) -> list[ir.OpView]:
    """The reads and their dependents, from `keyed` values and from outside, that may run for every row."""
    found = []
    for each in list(op.body.blocks[0].operations)[:-1]:
        is_read = identity(each) in picked and len(each.operation.results) > 0
        if is_read or (identity(each) not in banned and _follows(each, keyed, op)):
            keyed.update(each.operation.results)
            found.append(each)
    return found


def _follows(each: ir.OpView, keyed: set[ir.Value], op: ir.OpView) -> bool:
    """Whether a statement may run for every row: then the map has iterations, and their checks hold."""
    values = list(outer_values(each))
    if not any(value in keyed for value in values) or not is_safe_anywhere(each, op.body.blocks[0]):
        return False
    return all(value in keyed or is_defined_outside(value, op.operation) for value in values)


def _wanted(op: ir.OpView, statements: Iterable[ir.OpView], picked: set) -> list[ir.Value]:
    """The values that other statements read, without the rows themselves and those that are next to free to compute."""
    inside = {identity(each) for each in statements}
    computed = [each for each in statements if identity(each) not in picked]
    read = [
        value
        for each in computed
        for value in each.operation.results
        if any(_reader(op, use) not in inside for use in value.uses)
    ]
    return [value for value in read if not _is_next_to(value.owner, read, op)]


def _spared(op: ir.OpView, statements: Iterable[ir.OpView], picked: set) -> int:
    inside = {identity(each) for each in statements}
    reads = [each for each in statements if identity(each) in picked]
    return sum(all(_reader(op, use) in inside for use in read.operation.results[0].uses) for read in reads)


def _is_next_to(each: ir.OpView, values: list[ir.Value], op: ir.OpView) -> bool:
    """Whether an operation is a simple one on other values that are read anyway."""
    operands = list(each.operation.operands)
    is_known = all(value in values or is_defined_outside(value, op.operation) for value in operands)
    return each.operation.name in CHEAP and is_known


def _reader(op: ir.OpView, use: ir.OpOperand) -> ir.Value | ir.Block | None:
    statement = ancestor_in(op.body.blocks[0], use.owner.operation)
    assert statement is not None
    return identity(statement.opview)


def _is_storable(value: ir.Value, op: ir.OpView) -> bool:
    if isinstance(value.type, ir.F64Type | ir.F32Type):
        return True
    if not isinstance(value.type, ir.RankedTensorType):
        return False
    sizes: list[Size] = [size_of(value, axis) for axis in range(value.type.rank)]
    is_float = isinstance(value.type.element_type, ir.F64Type | ir.F32Type)
    return is_float and all(can_write(size, ir.InsertionPoint(op)) for size in sizes)
