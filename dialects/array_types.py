"""Types of arrays: rows, stacks of rows, and sizes that agree. Arrays are ranked tensors of rank 1 or more."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tapeless._mlir import ir

DYNAMIC = ir.ShapedType.get_dynamic_size()


def is_array(type_: ir.Type) -> bool:
    """Whether a type is an array."""
    return isinstance(type_, ir.RankedTensorType) and type_.rank > 0


def array_type(shape: Sequence[int], element: ir.Type, encoding: ir.Attribute | None = None) -> ir.RankedTensorType:
    """The array of a shape; needs no current location, so verifiers can call it."""
    return ir.RankedTensorType.get_unchecked(list(shape), element, encoding, context=element.context)


def slice_type(array: ir.RankedTensorType, indices: int) -> ir.Type:
    """The type of an array indexed by that many leading indices: an array, or a scalar when all axes are indexed."""
    if indices == array.rank:
        return array.element_type
    return array_type(array.shape[indices:], array.element_type, array.encoding)


def row_type(array: ir.RankedTensorType) -> ir.Type:
    """The type of one element along axis 0: a scalar for rank 1, else an array of one rank less."""
    return slice_type(array, 1)


def stack_type(size: int, row: ir.Type) -> ir.RankedTensorType:
    """The array of `size` (or `DYNAMIC`) rows of a type."""
    if isinstance(row, ir.RankedTensorType):
        return array_type([size, *row.shape], row.element_type, row.encoding)
    return array_type([size], row)


def sizes_agree(sizes: Iterable[int]) -> bool:
    """Whether the sizes that are known statically are all equal."""
    return len({size for size in sizes if size != DYNAMIC}) <= 1


def leading_sizes_agree(arrays: Iterable[ir.RankedTensorType]) -> bool:
    """Whether axis 0 of all arrays can have the same size."""
    return sizes_agree(array.shape[0] for array in arrays)


def same_up_to_leading_size(a: ir.RankedTensorType, b: ir.RankedTensorType) -> bool:
    """Whether two arrays have equal row types and axes 0 that can have the same size."""
    return row_type(a) == row_type(b) and leading_sizes_agree((a, b))
