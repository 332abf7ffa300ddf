"""Reductions and scans with known operators: `sum`, `max`, `mean`, `cumsum`, `argmin`, `logsumexp` and their kin."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tapeless._mlir import ir
from tapeless.errors import ShapeMismatch
from tapeless.frontend import arithmetic, arrays, bounds, exactness, functions, integers, mapping, promotion
from tapeless.frontend.affine import Affine
from tapeless.frontend.elementwise import ScalarFunction, apply, force
from tapeless.frontend.shaping import product
from tapeless.frontend.values import Array, Number, Scalar, Value, literal
from tapeless.types import ScalarType, bool_, i64

if TYPE_CHECKING:
    from tapeless.frontend.translator import Translator


@dataclass(frozen=True)
class Monoid:
    """An associative operator and the number that changes nothing."""

    function: ScalarFunction
    neutral: float | bool
    needs_elements: bool = False

    def neutral_of(self, dtype: ScalarType) -> Scalar:
        """The neutral number; infinities stand for the largest integers too."""
        if not dtype.is_int or not math.isinf(self.neutral):
            return literal(self.neutral)
        largest = 2 ** (dtype.bits - 1) - 1
        return literal(largest if self.neutral > 0 else -largest - 1)


def _monoid(emit: arithmetic.Emit, neutral: float | bool, *, needs_elements: bool = False) -> Monoid:
    return Monoid(ScalarFunction("combine", functions.comparisons, emit), neutral, needs_elements)


SUM = _monoid(arithmetic.add, 0)
PRODUCT = _monoid(arithmetic.multiply, 1)
MINIMUM = _monoid(arithmetic.minimum, math.inf, needs_elements=True)
MAXIMUM = _monoid(arithmetic.maximum, -math.inf, needs_elements=True)
ANY = _monoid(arithmetic.bit_or, False)
ALL = _monoid(arithmetic.bit_and, True)


def reduction(
    t: Translator,
    name: str,
    width: Affine,
    inputs: Sequence[ir.Value],
    neutral: Sequence[ir.Value],
    block: ir.Block,
    results: Sequence[ir.Type],
    attributes: dict[str, ir.Attribute] | None = None,
) -> ir.Operation:
    """A `soac.reduce` or `soac.scan` with a finished operator."""
    segments = ir.DenseI32ArrayAttr.get([1, len(inputs), len(neutral)])
    operands = [integers.index_value(t.builder, width), *inputs, *neutral]
    every = {"operandSegmentSizes": segments, **(attributes or {})}
    return t.builder.attach(t.builder.operation(name, results, operands, every, regions=1), block)


def _combine(t: Translator, array: Array, monoid: Monoid) -> tuple[ir.Block, ir.Value]:
    """The operator on elements, or rows, and its neutral value."""
    builder, element = t.builder, mapping.element_type(t, array)
    with builder.region([element, element]) as block:
        if array.rank == 1:
            result = monoid.function.emit(builder, array.dtype, *block.arguments)
        else:
            rows = [Array(array.dtype, array.dims[1:], each) for each in block.arguments]
            same = ScalarFunction("combine", functions.numbers, monoid.function.emit)
            result = force(t, apply(t, same, *rows)).ssa
        builder.operation("soac.yield", [], [result])
    neutral = monoid.neutral_of(array.dtype)
    if array.rank == 1:
        return block, promotion.ssa(builder, neutral, array.dtype)
    return block, arrays.filled(t, array.dims[1:], neutral, array.dtype).ssa


def reduce_leading(t: Translator, array: Array, monoid: Monoid) -> Scalar | Array:
    """The leading axis combined."""
    block, neutral = _combine(t, array, monoid)
    operation = reduction(t, "soac.reduce", array.dims[0], [array.ssa], [neutral], block, [neutral.type])
    return mapping.element_value(t, array, operation.result)


def scan_leading(t: Translator, array: Array, monoid: Monoid) -> Array:
    """All prefixes of the leading axis combined."""
    block, neutral = _combine(t, array, monoid)
    flags = {name: ir.BoolAttr.get(False) for name in ("exclusive", "reverse")}
    operation = reduction(t, "soac.scan", array.dims[0], [array.ssa], [neutral], block, [array.ssa.type], flags)
    return Array(array.dtype, array.dims, operation.result)


def reduce_all(t: Translator, array: Array, monoid: Monoid) -> Scalar:
    """All elements combined, rows first."""
    if array.rank > 1:
        row_results = mapping.map_rows(t, [array], lambda rows: reduce_all(t, rows[0], monoid))
        return reduce_leading(t, row_results, monoid)
    return reduce_leading(t, array, monoid)


def reduce_axis(t: Translator, array: Array, axis: int, monoid: Monoid) -> Scalar | Array:
    """One axis combined."""
    if axis == 0:
        return reduce_leading(t, array, monoid)
    return mapping.map_rows(t, [array], lambda rows: reduce_axis(t, rows[0], axis - 1, monoid))


def scan_axis(t: Translator, array: Array, axis: int, monoid: Monoid) -> Array:
    if axis == 0:
        return scan_leading(t, array, monoid)
    return mapping.map_rows(t, [array], lambda rows: scan_axis(t, rows[0], axis - 1, monoid))


def accumulated(value: Number) -> ScalarType:
    """The dtype sums and products of a dtype have: narrow integers and bools widen."""
    return value.dtype if value.dtype.is_float else i64


def reduced(t: Translator, x: Value, axis: Value, monoid: Monoid, dtype: ScalarType | None = None) -> Scalar | Array:
    """`x` in a dtype, combined along an axis or as a whole; a scalar is its own reduction."""
    number = t.number(x)
    number = arrays.converted(t, number, dtype) if dtype else number
    if isinstance(number, Scalar):
        return number
    array = force(t, number)
    along = arrays.optional_axis(t, axis, array.rank)
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


def mean(t: Translator, x: Value, axis: Value) -> Number:
    number = t.number(x)
    dtype = promotion.floating(number.dtype)
    summed = reduced(t, x, axis, SUM, dtype)
    if isinstance(number, Scalar):
        return summed
    along = arrays.optional_axis(t, axis, number.rank)
    count = product(t, number.dims if along is None else [number.dims[along]])
    divide = ScalarFunction("/", functions.floats, arithmetic.divide)
    return apply(t, divide, summed, Scalar(i64, affine=count, weak=True))


def extreme(t: Translator, x: Value, others: Sequence[Value], axis: Value, monoid: Monoid, name: str) -> Number:
    """`min` and `max`: of several arguments elementwise, of one array a reduction."""
    if not others:
        return reduced(t, x, axis, monoid)
    result = t.number(x)
    for other in others:
        result = pairwise(t, name, result, t.number(other))
    return result


def pairwise(t: Translator, name: str, left: Number, right: Number) -> Number:
    """`minimum` and `maximum` of two; integers stay affine."""
    if isinstance(left, Scalar) and isinstance(right, Scalar) and left.affine is not None and right.affine is not None:
        combine = bounds.minimum if name == "minimum" else bounds.maximum
        operands = [exactness.as_computed(t.builder, each.affine) for each in (left, right)]
        return Scalar(i64, affine=combine(t.builder, *operands), weak=left.weak and right.weak)
    return apply(t, functions.FUNCTIONS[name], left, right)


def cumulative(t: Translator, x: Value, axis: Value, monoid: Monoid) -> Array:
    array = t.array(arrays.converted(t, t.number(x), accumulated(t.number(x))))
    return scan_axis(t, array, arrays.axis(t, axis, array.rank), monoid)


def truth_of_all(t: Translator, x: Value, axis: Value, monoid: Monoid) -> Scalar | Array:
    return reduced(t, x, axis, monoid, bool_)


HANDLERS = {
    "sum": total,
    "prod": prod,
    "mean": mean,
    "min": lambda t, x, *others, axis: extreme(t, x, others, axis, MINIMUM, "minimum"),
    "max": lambda t, x, *others, axis: extreme(t, x, others, axis, MAXIMUM, "maximum"),
    "minimum": lambda t, x, y: pairwise(t, "minimum", t.number(x), t.number(y)),
    "maximum": lambda t, x, y: pairwise(t, "maximum", t.number(x), t.number(y)),
    "cumsum": lambda t, x, axis: cumulative(t, x, axis, SUM),
    "cumprod": lambda t, x, axis: cumulative(t, x, axis, PRODUCT),
    "any": lambda t, x, axis: truth_of_all(t, x, axis, ANY),
    "all": lambda t, x, axis: truth_of_all(t, x, axis, ALL),
}
