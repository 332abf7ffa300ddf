"""Reductions and scans by name: `sum`, `prod`, `mean`, `min`, `max`, `any`, `all`, `cumsum`, `cumprod`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from tapeless.errors import ShapeMismatch
from tapeless.frontend.arrays import array_arguments, whole_arrays
from tapeless.frontend.arrays.reshaping import product
from tapeless.frontend.elementwise import arithmetic, functions
from tapeless.frontend.elementwise.application import ScalarFunction, apply, force
from tapeless.frontend.operators.folds import reduce_all, reduce_axis, scan_axis
from tapeless.frontend.operators.monoids import ALL, ANY, MAXIMUM, MINIMUM, PRODUCT, SUM, Monoid
from tapeless.frontend.values import bounds, exactness, integers, promotion
from tapeless.frontend.values.affine import Affine
from tapeless.frontend.values.value import Array, Number, Scalar, Value
from tapeless.types import ScalarType, bool_, i64

if TYPE_CHECKING:
    from tapeless.frontend.translator import Translator


def accumulated(value: Number) -> ScalarType:
    """The dtype sums and products of a dtype have: narrow integers and bools widen."""
    return promotion.computed(value.dtype) if value.dtype.is_float else i64


def reduced(t: Translator, x: Value, axis: Value, monoid: Monoid, dtype: ScalarType | None = None) -> Scalar | Array:
    """`x` in a dtype, combined along an axis or as a whole; a scalar is its own reduction."""
    number = t.number(x)
    number = whole_arrays.converted(t, number, dtype) if dtype else number
    if isinstance(number, Scalar):
        return number
    array = force(t, number)
    along = array_arguments.optional_axis(t, axis, array.rank)
    if monoid.needs_elements:
        check_elements(t, array.dims if along is None else [array.dims[along]])
    return reduce_all(t, array, monoid) if along is None else reduce_axis(t, array, along, monoid)


def check_elements(t: Translator, dims: Sequence[Affine]) -> None:
    """Refuses the reduction of nothing: some operators have no value for it."""
    message = "an array without elements has no smallest or largest one"
    for size in dims:
        if size == Affine(0):
            raise t.error(message, "test its size first", ShapeMismatch)
        if not integers.is_nonnegative(t.builder, size - 1):
            has_some = integers.compare(t.builder, "sgt", integers.index_value(t.builder, size), t.builder.index(0))
            t.builder.check(has_some, "ShapeMismatch", f"{message}; test its size first")
            integers.assume(t.builder, size - 1)


def total(t: Translator, x: Value, axis: Value) -> Scalar | Array:
    return reduced(t, x, axis, SUM, accumulated(t.number(x)))


def prod(t: Translator, x: Value, axis: Value) -> Scalar | Array:
    return reduced(t, x, axis, PRODUCT, accumulated(t.number(x)))


def min_(t: Translator, x: Value, *others: Value, axis: Value) -> Number:
    return _extreme(t, x, others, axis, MINIMUM, minimum)


def max_(t: Translator, x: Value, *others: Value, axis: Value) -> Number:
    return _extreme(t, x, others, axis, MAXIMUM, maximum)


def least(t: Translator, x: Value, axis: Value) -> Number:
    """The smallest element; a number is its own."""
    return min_(t, x, axis=axis)


def largest(t: Translator, x: Value, axis: Value) -> Number:
    """The largest element; a number is its own."""
    return max_(t, x, axis=axis)


def minimum(t: Translator, x: Value, y: Value) -> Number:
    """The smaller of two; integers stay affine."""
    return _pairwise(t, "minimum", bounds.minimum, t.number(x), t.number(y))


def maximum(t: Translator, x: Value, y: Value) -> Number:
    """The larger of two; integers stay affine."""
    return _pairwise(t, "maximum", bounds.maximum, t.number(x), t.number(y))


def cumsum(t: Translator, x: Value, axis: Value) -> Array:
    return _cumulative(t, x, axis, SUM)


def cumprod(t: Translator, x: Value, axis: Value) -> Array:
    return _cumulative(t, x, axis, PRODUCT)


def any_(t: Translator, x: Value, axis: Value) -> Scalar | Array:
    return reduced(t, x, axis, ANY, bool_)


def all_(t: Translator, x: Value, axis: Value) -> Scalar | Array:
    return reduced(t, x, axis, ALL, bool_)


def mean(t: Translator, x: Value, axis: Value) -> Number:
    number = t.number(x)
    dtype = promotion.floating(number.dtype)
    summed = reduced(t, x, axis, SUM, dtype)
    if isinstance(number, Scalar):
        return summed
    along = array_arguments.optional_axis(t, axis, number.rank)
    count = product(t, number.dims if along is None else [number.dims[along]])
    divide = ScalarFunction("/", functions.floats, arithmetic.divide)
    return apply(t, divide, summed, Scalar(i64, affine=count, weak=True))


def _extreme(
    t: Translator, x: Value, others: Sequence[Value], axis: Value, monoid: Monoid, pair: Callable[..., Number]
) -> Number:
    """`min` and `max`: of several arguments elementwise, of one array a reduction."""
    if not others:
        return reduced(t, x, axis, monoid)
    result = t.number(x)
    for other in others:
        result = pair(t, result, other)
    return result


def _pairwise(t: Translator, name: str, combine: Callable[..., Affine], left: Number, right: Number) -> Number:
    """One of two numbers, elementwise; integers stay affine."""
    if isinstance(left, Scalar) and isinstance(right, Scalar) and left.affine is not None and right.affine is not None:
        operands = [exactness.as_computed(t.builder, each.affine) for each in (left, right)]
        return Scalar(i64, affine=combine(t.builder, *operands), weak=left.weak and right.weak)
    return apply(t, functions.FUNCTIONS[name], left, right)


def _cumulative(t: Translator, x: Value, axis: Value, monoid: Monoid) -> Array:
    array = t.array(whole_arrays.converted(t, t.number(x), accumulated(t.number(x))))
    return scan_axis(t, array, array_arguments.axis(t, axis, array.rank), monoid)
