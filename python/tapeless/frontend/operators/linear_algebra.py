"""Products of vectors and matrices: maps of dot products."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tapeless.errors import ShapeMismatch
from tapeless.frontend.arrays import whole_arrays
from tapeless.frontend.arrays.axes import permuted
from tapeless.frontend.arrays.reshaping import product, reshaped
from tapeless.frontend.elementwise import arithmetic, broadcasting, functions, stretching
from tapeless.frontend.elementwise.application import ScalarFunction, apply, force
from tapeless.frontend.elementwise.broadcasting import ONE
from tapeless.frontend.indexing import extraction
from tapeless.frontend.operators import folds, mapping, monoids
from tapeless.frontend.values.affine import Affine
from tapeless.frontend.values.promotion import common
from tapeless.frontend.values.value import Array, Number, Scalar, Value

if TYPE_CHECKING:
    from tapeless.frontend.translator import Translator

_MULTIPLY = ScalarFunction("*", functions.numbers, arithmetic.multiply)


def _operands(t: Translator, x: Value, y: Value) -> tuple[Array, Array]:
    left, right = t.number(x), t.number(y)
    dtype, _ = common([(left.dtype, False), (right.dtype, False)])
    return t.array(whole_arrays.converted(t, left, dtype)), t.array(whole_arrays.converted(t, right, dtype))


def inner(t: Translator, left: Array, right: Array) -> Scalar:
    """The sum of products of two vectors."""
    return folds.reduce_leading(t, force(t, apply(t, _MULTIPLY, left, right)), monoids.SUM)


def matmul(t: Translator, x: Value, y: Value) -> Number:
    """The matrix product; axes before those of matrices are broadcast."""
    if isinstance(x, Scalar) or isinstance(y, Scalar):
        raise t.error("a scalar in a matrix product", "use '*'", ShapeMismatch)
    left, right = _operands(t, x, y)
    contracted = (left.rank - 1, max(0, right.rank - 2))
    shapes = (left.dims, right.dims)
    broadcasting.same_size(t, left.dims[contracted[0]], right.dims[contracted[1]], contracted[0], shapes)
    return _matmul(t, *_stacked_alike(t, left, right))


def _stacked_alike(t: Translator, left: Array, right: Array) -> tuple[Array, Array]:
    """Operands whose stacks have sizes that go together; axes of size 1 are left for the maps to drop."""
    dims = [list(left.dims), list(right.dims)]
    rank = max(left.rank, right.rank)
    for back in range(3, 1 + min(left.rank, right.rank)):
        size = stretching.common_size(t, left.dims[-back], right.dims[-back], rank - back, (left.dims, right.dims))
        for sizes in dims:
            sizes[-back] = size
    return whole_arrays.fitted(t, left, dims[0]), whole_arrays.fitted(t, right, dims[1])


def _matmul(t: Translator, left: Array, right: Array) -> Number:
    if left.rank > 2 or right.rank > 2:
        return _batched(t, left, right)
    if right.rank == 2:
        columns = permuted(t, right, (1, 0))
        if left.rank == 1:
            return mapping.map_rows(t, [columns], lambda column: inner(t, left, column[0]))
        return mapping.map_rows(t, [left], lambda row: _row_by_columns(t, row[0], columns))
    if left.rank == 2:
        return mapping.map_rows(t, [left], lambda row: inner(t, row[0], right))
    return inner(t, left, right)


def _row_by_columns(t: Translator, row: Array, columns: Array) -> Value:
    return mapping.map_rows(t, [columns], lambda column: inner(t, row, column[0]))


def _batched(t: Translator, left: Array, right: Array) -> Number:
    """Products of the matrices of stacks; the only matrix of an axis of size 1 goes with all of the other one."""
    if left.rank == right.rank and left.dims[0] != right.dims[0]:
        left, right = (_only(t, each) if each.dims[0] == ONE else each for each in (left, right))
    if left.rank == right.rank:
        return mapping.map_rows(t, [left, right], lambda parts: _matmul(t, *parts))
    if left.rank > right.rank:
        return mapping.map_rows(t, [left], lambda parts: _matmul(t, parts[0], right))
    return mapping.map_rows(t, [right], lambda parts: _matmul(t, left, parts[0]))


def _only(t: Translator, array: Array) -> Array:
    """The only row of the leading axis."""
    return t.array(extraction.element(t, array, Affine(0)))


def dot(t: Translator, x: Value, y: Value) -> Number:
    """numpy's `dot` for scalars, vectors and matrices."""
    left, right = t.number(x), t.number(y)
    if isinstance(left, Scalar) or isinstance(right, Scalar):
        return apply(t, _MULTIPLY, left, right)
    if left.rank > 2 or right.rank > 2:
        raise t.error("tl.dot takes vectors and matrices", "use tl.matmul for arrays of higher rank", ShapeMismatch)
    return matmul(t, left, right)


def outer(t: Translator, x: Value, y: Value) -> Number:
    """All products of an element of x and one of y, each in row-major order."""
    x, y = (extraction.with_new_axes(t, each, [0]) if isinstance(each, Scalar) else each for each in (x, y))
    left, right = (reshaped(t, each, [product(t, each.dims)]) for each in _operands(t, x, y))
    return apply(t, _MULTIPLY, extraction.with_new_axes(t, left, [1]), right)
