"""Arguments of procedures called from functions: contents of cells of number systems for values, and back."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from tapeless._mlir import ir
from tapeless.frontend.reversible.numbers.number_values import exponential, from_grid, logarithm, to_grid
from tapeless.frontend.values import promotion
from tapeless.frontend.values.value import Array, Scalar
from tapeless.number_types import NumberType, number_of, read_as, stored_as
from tapeless.signature import Parameter
from tapeless.types import ScalarType, Type, f64, strong

if TYPE_CHECKING:
    from tapeless.frontend.translator import Translator

Held = Scalar | Array


def passed_as(parameter: Parameter, *, is_stored: bool) -> Type | None:
    """The type that an argument must have: that of the contents of cells (`is_stored`), or of the value."""
    if parameter.type is None:
        return None
    annotated = strong(parameter.type)
    return stored_as(annotated) if is_stored else read_as(annotated)


def operands(t: Translator, parameter: Parameter, value: Held, *, is_stored: bool) -> list[ir.Value]:
    """The operands of the function that runs a procedure for an argument; on the grid the number of
    units and a float.
    """
    number = number_of(parameter.type)
    if number is None or (is_stored and not number.is_on_grid):
        return [_ssa(t, value)]
    if is_stored:
        return [_ssa(t, value), _ssa(t, t.held(from_grid(t, value)))]
    held = t.held(logarithm(t, value)) if number.is_log else value
    return [_ssa(t, t.held(to_grid(t, held))), _ssa(t, held)] if number.is_on_grid else [_ssa(t, held)]


def result(t: Translator, parameter: Parameter, old: Held, results: Iterator[ir.Value], *, is_stored: bool) -> Held:
    """The value of an argument after the call; sizes stay."""
    number = number_of(parameter.type)
    if number is None:
        return _renewed(t, old, next(results), old.dtype)
    units = next(results) if number.is_on_grid else None
    held = next(results)
    if is_stored:
        return _renewed(t, old, held if units is None else units, number.storage)
    return _value(t, number, _renewed(t, old, held, f64))


def _value(t: Translator, number: NumberType, held: Held) -> Held:
    return t.held(exponential(t, held)) if number.is_log else held


def _renewed(t: Translator, old: Held, ssa: ir.Value, dtype: ScalarType) -> Held:
    return Array(dtype, old.dims, ssa) if isinstance(old, Array) else promotion.from_ssa(t.builder, ssa, dtype)


def _ssa(t: Translator, value: Held) -> ir.Value:
    return promotion.ssa(t.builder, value) if isinstance(value, Scalar) else value.ssa
