"""Order: `argmin`, `argmax`, `sort`, `argsort`."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from tapeless._mlir import ir
from tapeless.frontend.arrays import array_arguments, creation, reshaping, whole_arrays
from tapeless.frontend.elementwise import arithmetic
from tapeless.frontend.elementwise.functions import FUNCTIONS
from tapeless.frontend.indexing import gathers
from tapeless.frontend.operators import folds, mapping
from tapeless.frontend.operators.monoids import MAXIMUM, MINIMUM, Monoid
from tapeless.frontend.operators.reductions import check_elements
from tapeless.frontend.values import promotion
from tapeless.frontend.values.affine import Affine
from tapeless.frontend.values.integers import compare
from tapeless.frontend.values.value import Array, Number, Scalar, Value, integer, literal
from tapeless.types import ScalarType, i64

if TYPE_CHECKING:
    from tapeless.frontend.translator import Translator


def argmin(t: Translator, x: Value, axis: Value) -> Number:
    return _position_of(t, x, axis, MINIMUM, "lt")


def argmax(t: Translator, x: Value, axis: Value) -> Number:
    return _position_of(t, x, axis, MAXIMUM, "gt")


def _position_of(t: Translator, x: Value, axis: Value, monoid: Monoid, better: str) -> Number:
    """The first position of the best element; NaN is better than every number."""
    array = t.array(x)
    along = array_arguments.optional_axis(t, axis, array.rank)
    if along is None:
        flat = array if array.rank == 1 else reshaping.reshape(t, array, literal(-1))
        check_elements(t, flat.dims)
        return _best_position(t, flat, monoid, better)
    check_elements(t, [array.dims[along]])
    return mapping.along_axis(t, array, along, lambda line: _best_position(t, line, monoid, better))


def _best_position(t: Translator, array: Array, monoid: Monoid, better: str) -> Scalar:
    builder, dtype = t.builder, array.dtype
    element, i64_type = builder.types.scalars[dtype], builder.types.i64
    positions = creation.iota(t, integer(array.dims[0]))
    with builder.region([element, i64_type, element, i64_type]) as block:
        first, first_at, second, second_at = block.arguments
        is_second = _is_better(t, dtype, better, (second, second_at), (first, first_at))
        chosen = [arithmetic.select(builder, is_second, *pair) for pair in ((second, first), (second_at, first_at))]
        builder.operation("soac.yield", [], chosen)
    last = builder.constant(2**63 - 1, i64_type)
    neutral = [promotion.ssa(builder, monoid.neutral_of(dtype), dtype), last]
    inputs = [array.ssa, positions.ssa]
    operation = folds.reduction(t, "soac.reduce", array.dims[0], inputs, neutral, block, [element, i64_type])
    return promotion.from_ssa(builder, operation.results[1], i64)


def _is_better(
    t: Translator, dtype: ScalarType, better: str, new: tuple[ir.Value, ir.Value], old: tuple[ir.Value, ir.Value]
) -> ir.Value:
    builder, i1 = t.builder, t.builder.types.i1
    is_ahead = arithmetic.comparison(better)(builder, dtype, new[0], old[0])
    is_equal = arithmetic.comparison("eq")(builder, dtype, new[0], old[0])
    is_earlier = compare(builder, "slt", new[1], old[1])
    is_first_equal = builder.value("arith.andi", i1, [is_equal, is_earlier])
    result = builder.value("arith.ori", i1, [is_ahead, is_first_equal])
    if not dtype.is_float:
        return result
    new_nan, old_nan = (FUNCTIONS["isnan"].emit(builder, dtype, value) for value in (new[0], old[0]))
    among_nans = arithmetic.select(builder, old_nan, is_earlier, builder.constant(True, i1))
    among_numbers = arithmetic.select(builder, old_nan, builder.constant(False, i1), result)
    return arithmetic.select(builder, new_nan, among_nans, among_numbers)


def argsort(t: Translator, x: Value, axis: Value) -> Array:
    """The stable sorting permutation of every line along an axis."""
    return _per_line(t, x, axis, lambda line: _argsort_line(t, line))


def sort(t: Translator, x: Value, axis: Value) -> Array:
    """Every line along an axis, sorted."""
    return _per_line(t, x, axis, lambda line: gathers.at_positions(t, line, _argsort_line(t, line)))


def _per_line(t: Translator, x: Value, axis: Value, body: Callable[[Array], Value]) -> Array:
    array = t.array(x)
    along = array_arguments.axis(t, axis, array.rank)
    return mapping.back_to_axis(t, mapping.along_axis(t, array, along, body), along)


def _argsort_line(t: Translator, line: Array) -> Array:
    keys = line if not (line.dtype.is_bool or line.dtype.is_unsigned) else t.array(whole_arrays.converted(t, line, i64))
    dims: tuple[Affine, ...] = line.dims
    ssa = t.builder.value("soac.argsort", t.builder.types.tensor(i64, dims), [keys.ssa])
    return Array(i64, dims, ssa)
