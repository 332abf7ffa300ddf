"""Arrays and rows that are equal in size, but not seen to be, given the sizes of one of them.

A branch that chooses between two arrays has a size only where both sides are seen to agree.
"""

from __future__ import annotations

from collections.abc import Sequence

from tapeless._mlir import ir
from tapeless.dialects.array_types import DYNAMIC
from tapeless.passes.ir.build import cast_to, dim, is_array
from tapeless.passes.ir.regions.structure import operands_of
from tapeless.passes.ir.rows import slice_of
from tapeless.passes.ir.sizes.expressions import Dim, Size
from tapeless.passes.ir.sizes.shapes import has_size, size_of
from tapeless.passes.ir.sizes.size_rules import is_unfinished


def with_sizes_of(model: ir.Value, array: ir.Value) -> ir.Value:
    """An array with the type and the sizes of another one."""
    return array if array.type == model.type else _with_every_size_of(model, array)


def with_seen_sizes_of(model: ir.Value, array: ir.Value) -> ir.Value:
    """An array, or whatever else, as it is, unless it is not seen here to have the sizes of another one."""
    if not is_array(array) or array == model or all(_is_seen(model, array, axis) for axis in range(array.type.rank)):
        return array
    return _with_every_size_of(model, array)


def _is_seen(model: ir.Value, array: ir.Value, axis: int) -> bool:
    """Whether two arrays are seen to have one size, or checks before this place say so."""
    wanted, here = _begun_size(model, axis), ir.InsertionPoint.current.block
    return _begun_size(array, axis) == wanted or has_size(array, axis, wanted, here)


def _begun_size(array: ir.Value, axis: int) -> Size:
    """The size of an axis; of carried values of loops that are being written, the initial one, which they keep."""
    size = size_of(array, axis)
    while isinstance(size, Dim) and (start := _start_of(size.array)) is not None:
        size = size_of(start, size.axis)
    return size


def _start_of(value: ir.Value) -> ir.Value | None:
    """The initial value of a carried array of a loop that is being written, unless its size may change."""
    if not isinstance(value, ir.BlockArgument) or value.owner.owner.operation.name != "scf.for":
        return None
    loop = value.owner.owner
    start = operands_of(loop, "carried")[value.arg_number - 1]
    is_widened = not isinstance(start, ir.BlockArgument) and start.owner.operation.name == "soac.widen"
    return None if is_widened or not is_unfinished(value.owner) else start


def _with_every_size_of(model: ir.Value, array: ir.Value) -> ir.Value:
    sizes = [dim(model, axis) for axis in range(model.type.rank)]
    return cast_to(model.type, _with_sizes(cast_to(_unsized(array.type), array), sizes))


def with_rows_of(model: ir.Value, array: ir.Value) -> ir.Value:
    """An array, its rows with the sizes of another one's."""
    return _with_sizes(array, [dim(array, 0), *row_sizes(model)]) if model.type.rank > 1 else array


def as_row_of(model: ir.Value, row: ir.Value) -> ir.Value:
    """A row with the sizes of an array's rows; numbers have none."""
    return _with_sizes(row, row_sizes(model)) if model.type.rank > 1 else row


def row_sizes(array: ir.Value) -> list[ir.Value]:
    """The sizes of an array's rows."""
    return [dim(array, axis) for axis in range(1, array.type.rank)]


def _with_sizes(array: ir.Value, sizes: Sequence[ir.Value]) -> ir.Value:
    """All of an array, with the static sizes of its type."""
    type_ = array.type
    wanted = [size if type_.is_dynamic_dim(axis) else type_.shape[axis] for axis, size in enumerate(sizes)]
    return slice_of(array, [0] * type_.rank, wanted, [1] * type_.rank, type_)


def _unsized(type_: ir.RankedTensorType) -> ir.RankedTensorType:
    return ir.RankedTensorType.get([DYNAMIC] * type_.rank, type_.element_type)
