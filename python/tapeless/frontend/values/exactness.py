"""Integers that are used as sizes, indices and bounds must be exact: sums of symbols that do not wrap.

A program's integers wrap as numpy's do, while `Affine` has no limits. Where an integer decides about memory, either it
is proved to fit into 64 bits, or a check refuses it, or it is taken as the 64-bit integer that the program computes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tapeless.errors import TapelessError, TypeMismatch
from tapeless.frontend.values import affine, integers
from tapeless.frontend.values.affine import Affine, Symbol
from tapeless.frontend.values.builder import Builder
from tapeless.types import ScalarType

if TYPE_CHECKING:
    from tapeless.frontend.translator import Translator

# Loops that add strides to their bounds stay inside 64 bits with bounds up to here.
FARTHEST_BOUND = 2**62
TO_FIT = "use a smaller one, or convert what it meets with tl.astype(x, tl.i64)"


def is_exact(builder: Builder, value: Affine) -> bool:
    """Whether the 64-bit integer that a program computes for `value` is `value`."""
    return affine.fits(value, integers.facts_here(builder))


def is_within(builder: Builder, value: Affine, lowest: int, highest: int) -> bool:
    return affine.fits(value, integers.facts_here(builder), lowest, highest)


def as_computed(builder: Builder, value: Affine) -> Affine:
    """The integer that the program computes: `value` itself, or a symbol of its own where it may wrap."""
    if is_exact(builder, value):
        return value
    key = ("computed", value)
    symbol = builder.remembered(key)
    if symbol is None:
        made = Symbol(integers.index_value(builder, value), scope=builder.scopes[-1].serial)
        symbol = builder.remember(key, affine.of_symbol(made))
    return symbol


def is_of_type(builder: Builder, value: Affine, dtype: ScalarType) -> bool:
    """Whether an integer is known to fit a type."""
    return is_within(builder, value, *dtype.limits)


def check_fits(builder: Builder, value: Affine, dtype: ScalarType) -> None:
    """A check that an integer which takes the type of the other operand fits that type, unless that is known."""
    lowest, highest = dtype.limits
    key = ("fits", value, dtype)
    if is_of_type(builder, value, dtype) or builder.remembered(key) is not None:
        return
    number = integers.integer_value(builder, value)
    shifted = integers.index_value(builder, value - lowest)
    limit = integers.index_value(builder, Affine(highest - lowest))
    fits = integers.compare(builder, "ule", shifted, limit)
    builder.check(fits, TypeMismatch.__name__, f"the integer {{}} does not fit {dtype!r}; {TO_FIT}", number)
    builder.remember(key, fits)


def required(t: Translator, value: Affine, kind: type[TapelessError], role: str) -> Affine:
    """The integer, which is refused when running if its terms are so large that it may wrap."""
    return _limited(t, value, affine.LOWEST, affine.HIGHEST, kind, f"{role} does not fit into 64 bits")


def moderate(t: Translator, value: Affine, kind: type[TapelessError], role: str) -> Affine:
    """The integer, which is refused when running unless it is between -2**62 and 2**62."""
    return _limited(t, value, -FARTHEST_BOUND, FARTHEST_BOUND, kind, f"{role} is beyond 2**62")


def _limited(
    t: Translator, value: Affine, lowest: int, highest: int, kind: type[TapelessError], message: str
) -> Affine:
    builder = t.builder
    if is_within(builder, value, lowest, highest):
        return value
    if value.is_constant:
        raise t.error(message, "use smaller numbers", kind)
    for symbol, low, high in _symbol_limits(value, lowest, highest):
        _check_symbol(builder, affine.of_symbol(symbol), low, high, kind, f"{message}; use smaller numbers")
    integers.assume(builder, value - lowest)
    integers.assume(builder, Affine(highest) - value)
    return value


def _symbol_limits(value: Affine, lowest: int, highest: int) -> list[tuple[Symbol, int, int]]:
    """Ranges of the symbols that keep a sum in range: exact for one symbol, an equal share for each of several."""
    if len(value.terms) == 1:
        [(symbol, coefficient)] = value.terms.items()
        return [(symbol, *_quotients(lowest - value.constant, highest - value.constant, coefficient))]
    weight = sum(abs(coefficient) for coefficient in value.terms.values())
    share = max((min(highest, -lowest) - abs(value.constant)) // weight, 0)
    return [(symbol, -share, share) for symbol in value.terms]


def _quotients(low: int, high: int, coefficient: int) -> tuple[int, int]:
    """The integers that times the coefficient are between two numbers."""
    if coefficient < 0:
        low, high, coefficient = -high, -low, -coefficient
    return max(-(-low // coefficient), affine.LOWEST), min(high // coefficient, affine.HIGHEST)


def _check_symbol(
    builder: Builder, value: Affine, low: int, high: int, kind: type[TapelessError], message: str
) -> None:
    """A check that `low <= value <= high`, as one unsigned comparison."""
    if is_within(builder, value, low, high):
        return
    shifted = integers.index_value(builder, value - low)
    limit = integers.index_value(builder, Affine(high - low))
    builder.check(integers.compare(builder, "ule", shifted, limit), kind.__name__, message)
