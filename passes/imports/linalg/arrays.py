"""Arrays some of whose sizes are known only when running: sizes, reshapes and slices."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TypeAlias

from tapeless._mlir import arith, ir, tensor
from tapeless.dialects.array_types import DYNAMIC, array_type
from tapeless.passes.ir.build import cast_to, dim, index, is_array, static_size

Size: TypeAlias = "int | ir.Value"


def sizes_of(array: ir.Value) -> list[Size]:
    """The sizes of an array: numbers, or `index` values."""
    return [size if size != DYNAMIC else dim(array, axis) for axis, size in enumerate(array.type.shape)]


def extent(size: Size) -> int:
    """A size as types have it."""
    return size if isinstance(size, int) else static_size(size)


def as_value(size: Size) -> ir.Value:
    """A size as an `index`."""
    return index(size) if isinstance(size, int) else size


def product(sizes: Sequence[Size]) -> Size:
    """How many elements there are."""
    known = math.prod(size for size in sizes if isinstance(size, int))
    total: Size = known
    for size in sizes:
        if not isinstance(size, int):
            total = size if total == 1 and isinstance(total, int) else arith.MulIOp(as_value(total), size).result
    return total


def typed(sizes: Sequence[Size], element: ir.Type) -> ir.RankedTensorType:
    """The type of an array of sizes."""
    return array_type([extent(size) for size in sizes], element)


def reshaped(value: ir.Value, sizes: Sequence[Size]) -> ir.Value:
    """The same elements in row-major order in another shape; a scalar for no sizes, and from one."""
    if not is_array(value):
        return splat(value, sizes)
    if not sizes:
        return tensor.ExtractOp(value, [index(0)] * value.type.rank).result
    type_ = typed(sizes, value.type.element_type)
    if type_ == value.type and value.type.has_static_shape:
        return value
    shape = tensor.FromElementsOp(array_type([len(sizes)], ir.IndexType.get()), list(map(as_value, sizes))).result
    return tensor.ReshapeOp(type_, value, shape).result


def splat(value: ir.Value, sizes: Sequence[Size]) -> ir.Value:
    """An array of one number; the number itself if there are no sizes."""
    if not sizes:
        return value
    type_ = typed(sizes, value.type)
    return tensor.SplatOp(type_, value, _dynamic(sizes)).result


def part(
    array: ir.Value, starts: Sequence[int], sizes: Sequence[Size], steps: Sequence[int], dropped: Sequence[int]
) -> ir.Value:
    """A slice of an array without some axes of size 1; a scalar if none are left."""
    if len(dropped) == len(sizes):
        return tensor.ExtractOp(array, [index(start) for start in starts]).result
    kept = [size for axis, size in enumerate(sizes) if axis not in dropped]
    type_ = typed(kept, array.type.element_type)
    extents = [extent(size) for size in sizes]
    if type_ == array.type and not any(starts) and all(step == 1 for step in steps) and type_.has_static_shape:
        return array
    return tensor.ExtractSliceOp(type_, array, [], _dynamic(sizes), [], list(starts), extents, list(steps)).result


def with_type(value: ir.Value, type_: ir.Type) -> ir.Value:
    """The value with the type that its readers expect: other sizes of it may be static."""
    return cast_to(type_, value) if is_array(value) else value


def constant_splat(value: ir.Value) -> ir.Value | None:
    """The number that all elements of an array are, where it was made of one."""
    if not is_array(value):
        return value
    if isinstance(value, ir.BlockArgument):
        return None
    owner = value.owner.operation
    return owner.operands[0] if owner.name == "tensor.splat" else None


def _dynamic(sizes: Sequence[Size]) -> list[ir.Value]:
    return [as_value(size) for size in sizes if extent(size) == DYNAMIC]
