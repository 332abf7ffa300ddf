"""Whole arrays: filled ones, other dtypes, repetition to a larger shape."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tapeless._mlir import ir
from tapeless.frontend.elementwise import broadcasting, conversions, stretching
from tapeless.frontend.elementwise.application import as_pending, force
from tapeless.frontend.elementwise.broadcasting import ONE
from tapeless.frontend.values import integers, promotion
from tapeless.frontend.values.affine import Affine
from tapeless.frontend.values.value import Array, Number, Pending, Scalar
from tapeless.types import ScalarType

if TYPE_CHECKING:
    from tapeless.frontend.translator import Translator


def filled(t: Translator, dims: Sequence[Affine], value: Scalar, dtype: ScalarType) -> Array:
    """An array with one value everywhere."""
    operands = [promotion.ssa(t.builder, value, dtype), *dynamic_sizes(t, dims)]
    ssa = t.builder.value("tensor.splat", t.builder.types.tensor(dtype, dims), operands)
    return Array(dtype, tuple(dims), ssa)


def empty(t: Translator, dims: Sequence[Affine], dtype: ScalarType) -> Array:
    """An array whose elements are all written later."""
    ssa = t.builder.value("tensor.empty", t.builder.types.tensor(dtype, dims), dynamic_sizes(t, dims))
    return Array(dtype, tuple(dims), ssa)


def dynamic_sizes(t: Translator, dims: Sequence[Affine]) -> list[ir.Value]:
    return [integers.index_value(t.builder, size) for size in dims if not size.is_constant]


def converted(t: Translator, value: Number, dtype: ScalarType) -> Number:
    """A number or array with another dtype."""
    return value if value.dtype == dtype else conversions.converted(t, value, dtype)


def broadcast_to(t: Translator, value: Number, dims: tuple[Affine, ...], dtype: ScalarType) -> Array | Pending:
    """A number or array repeated to given sizes."""
    if isinstance(value, Scalar):
        return filled(t, dims, value, dtype)
    offset = len(dims) - value.rank
    for axis, size in enumerate(value.dims):
        stretching.fit(t, size, dims[axis + offset], axis + offset)
    value = converted(t, value, dtype)
    if isinstance(value, Array) and value.dims == dims:
        return value
    return stretching.aligned(t, as_pending(value), dims)


def fitted(t: Translator, array: Array, sizes: Sequence[Affine]) -> Array:
    """An array whose axes have given sizes; an axis that is known to have size 1 keeps it."""
    pairs = list(zip(array.dims, sizes, strict=True))
    if all(own == ONE or broadcasting.are_equal(t, own, size) for own, size in pairs):
        return array
    dims = tuple(ONE if own == ONE else size for own, size in pairs)
    return t.array(force(t, broadcast_to(t, array, dims, array.dtype)))
