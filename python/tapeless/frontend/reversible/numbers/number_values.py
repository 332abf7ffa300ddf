"""Values of number systems: to the grid of fixed-point numbers and from it, to logarithms and from them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from tapeless._mlir import ir
from tapeless.frontend.elementwise import arithmetic
from tapeless.frontend.elementwise.application import ScalarFunction, Signature, apply
from tapeless.frontend.elementwise.functions import FUNCTIONS
from tapeless.frontend.values.builder import Builder
from tapeless.frontend.values.promotion import Weighted
from tapeless.frontend.values.value import Number
from tapeless.number_types import LIMIT, UNIT
from tapeless.types import ScalarType, f64, i64

if TYPE_CHECKING:
    from tapeless.frontend.translator import Translator

KIND = "InvertibilityError"
NOT_POSITIVE = "{} cannot be held by a log number, which is positive"
BEYOND = "{} is no fixed-point number: those are smaller than 2**20"


def to_grid(t: Translator, value: Number) -> Number:
    """The number of units of fixed-point numbers nearest to floats."""
    return apply(t, _TO_GRID, value)


def from_grid(t: Translator, value: Number) -> Number:
    """The floats that numbers of units stand for."""
    return apply(t, _FROM_GRID, value)


def logarithm(t: Translator, value: Number) -> Number:
    """The logarithm, of positive numbers only."""
    return apply(t, _LOGARITHM, value)


def exponential(t: Translator, value: Number) -> Number:
    """The number of a logarithm."""
    return apply(t, FUNCTIONS["exp"], value)


def _emit_to_grid(builder: Builder, dtype: ScalarType, value: ir.Value) -> ir.Value:
    size = builder.floating("math.absf", value.type, [value])
    fits = arithmetic.float_compare(builder, "lt", size, builder.constant(LIMIT, value.type))
    builder.check(fits, KIND, BEYOND, value)
    units = builder.floating("arith.mulf", value.type, [value, builder.constant(1 / UNIT, value.type)])
    rounded = builder.floating("math.roundeven", value.type, [units])
    return builder.value("arith.fptosi", builder.types.i64, [rounded])


def _emit_from_grid(builder: Builder, dtype: ScalarType, value: ir.Value) -> ir.Value:
    units = builder.value("arith.sitofp", builder.types.scalars[f64], [value])
    return builder.floating("arith.mulf", units.type, [units, builder.constant(UNIT, units.type)])


def _emit_logarithm(builder: Builder, dtype: ScalarType, value: ir.Value) -> ir.Value:
    is_positive = arithmetic.float_compare(builder, "gt", value, builder.constant(0.0, value.type))
    builder.check(is_positive, KIND, NOT_POSITIVE, value)
    return builder.floating("math.log", value.type, [value])


def _from_to(given: ScalarType, result: ScalarType) -> Callable[[Sequence[Weighted], bool], Signature]:
    return lambda types, has_arrays: ((given,), result, False)


_TO_GRID = ScalarFunction("to_grid", _from_to(f64, i64), _emit_to_grid)
_FROM_GRID = ScalarFunction("from_grid", _from_to(i64, f64), _emit_from_grid)
_LOGARITHM = ScalarFunction("logarithm", _from_to(f64, f64), _emit_logarithm)
