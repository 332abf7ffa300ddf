"""Integers made from others by `max`, `min`, rounding and wrapping: the same symbol for the same operands.

Each is a symbol with a recipe, so that equal sizes are known to be equal, and with the bounds that follow.
"""

from __future__ import annotations

from typing import Any

from tapeless.frontend.values import affine
from tapeless.frontend.values.affine import Affine, Symbol
from tapeless.frontend.values.builder import Builder
from tapeless.frontend.values.integers import is_nonnegative


def maximum_with_zero(builder: Builder, value: Affine) -> Affine:
    """`max(value, 0)`; the same symbol for the same value."""
    if is_nonnegative(builder, value):
        return value
    if is_nonnegative(builder, -value):
        return Affine(0)
    upper = (Affine(1),) if affine.is_nonnegative(Affine(1) - value) else ()
    return _from_recipe(builder, ("max", value, Affine(0)), lower=(Affine(0), value), upper=upper)


def minimum(builder: Builder, left: Affine, right: Affine) -> Affine:
    if is_nonnegative(builder, right - left):
        return left
    if is_nonnegative(builder, left - right):
        return right
    both = is_nonnegative(builder, left) and is_nonnegative(builder, right)
    return _from_recipe(builder, ("min", left, right), lower=(Affine(0),) if both else (), upper=(left, right))


def maximum(builder: Builder, left: Affine, right: Affine) -> Affine:
    if is_nonnegative(builder, left - right):
        return left
    if is_nonnegative(builder, right - left):
        return right
    return _from_recipe(builder, ("max", left, right), lower=(left, right), upper=_common_upper(left, right))


def _common_upper(left: Affine, right: Affine) -> tuple[Affine, ...]:
    for symbol in (*left.terms, *right.terms):
        for bound in symbol.upper:
            if affine.is_nonnegative(bound - left) and affine.is_nonnegative(bound - right):
                return (bound,)
    return ()


def wrapped(builder: Builder, value: Affine, size: Affine) -> Affine:
    """A Python position: negative ones count from the end of `size`."""
    if is_nonnegative(builder, value):
        return value
    if is_nonnegative(builder, -value - 1):
        return value + size
    return _from_recipe(builder, ("wrap", value, size), lower=(), upper=())


def ceiling_quotient(builder: Builder, value: Affine, divisor: int) -> Affine:
    """`ceil(value / divisor)` of a value that is not negative."""
    if divisor == 1:
        return value
    if value.is_constant:
        return Affine(-(-value.constant // divisor))
    return _from_recipe(builder, ("ceildiv", value, divisor), lower=(Affine(0),), upper=(value,))


def product(builder: Builder, left: Affine, right: Affine) -> Affine:
    """The product of two sizes; the same symbol for the same sizes."""
    if left.is_constant or right.is_constant:
        return right.times(left.constant) if left.is_constant else left.times(right.constant)
    return _from_recipe(builder, ("mul", left, right), lower=(Affine(0),))


def _from_recipe(
    builder: Builder, recipe: tuple[Any, ...], lower: tuple[Affine, ...] = (), upper: tuple[Affine, ...] = ()
) -> Affine:
    key = (recipe, lower, upper)
    if key not in builder.recipes:
        builder.recipes[key] = Symbol(lower=lower, upper=upper, recipe=recipe)
    return affine.of_symbol(builder.recipes[key])
