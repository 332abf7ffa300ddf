"""Integers made from others by `max`, `min`, rounding and wrapping: the same symbol for the same operands.

Each is a symbol with a recipe, so that equal sizes are known to be equal, and with the bounds that follow.
"""

from __future__ import annotations

from itertools import product as pairs
from typing import Any

from tapeless.frontend.values import affine
from tapeless.frontend.values.affine import Affine, Symbol
from tapeless.frontend.values.builder import Builder
from tapeless.frontend.values.integers import facts_here, is_nonnegative


def maximum_with_zero(builder: Builder, value: Affine) -> Affine:
    """`max(value, 0)`; the same symbol for the same value."""
    if is_nonnegative(builder, value):
        return value
    if is_nonnegative(builder, -value):
        return Affine(0)
    if (flat := _without_inner_zero(builder, value)) is not None:
        return maximum_with_zero(builder, flat)
    upper = (Affine(1),) if affine.is_nonnegative(Affine(1) - value) else ()
    return _from_recipe(builder, ("max", value, Affine(0)), lower=(Affine(0), value), upper=upper)


def _without_inner_zero(builder: Builder, value: Affine) -> Affine | None:
    """`v + r` for `max(v, 0) + r` where `r` is not positive: a sum below zero is so without the first zero, too.

    So the size of what is cut again and again is told by one maximum.
    """
    for symbol, (inner, _) in _made_by(value, "max"):
        rest = value - affine.of_symbol(symbol)
        is_one = value.terms[symbol] == 1 and symbol.recipe == ("max", inner, Affine(0))
        if is_one and is_nonnegative(builder, -rest) and affine.fits(inner + rest, facts_here(builder)):
            return inner + rest
    return None


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


def sum_of_parts(total: Affine) -> Affine:
    """A sum of sizes with the parts of an axis that was cut in two made whole again: `min(a, n) + max(n - a, 0)` is
    `n`.

    Otherwise, the size of what is cut and put together again and again would be told by all cuts before.
    """
    for (first, ends), (rest, beyond) in pairs(_made_by(total, "min"), _made_by(total, "max")):
        count = total.terms[first]
        whole = next((whole for cut, whole in (ends, ends[::-1]) if (whole - cut, Affine(0)) == beyond), None)
        if whole is not None and total.terms[rest] == count:
            parts = affine.of_symbol(first) + affine.of_symbol(rest)
            return sum_of_parts(total.plus(whole, count).plus(parts, -count))
    return total


def _made_by(total: Affine, name: str) -> list[tuple[Symbol, tuple[Affine, Affine]]]:
    """The symbols of a sum with a recipe of this name, and its two operands."""
    recipes = [(symbol, symbol.recipe) for symbol in total.terms if symbol.recipe is not None]
    return [(symbol, (recipe[1], recipe[2])) for symbol, recipe in recipes if recipe[0] == name]


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


def unless_one(builder: Builder, left: Affine, right: Affine) -> Affine:
    """The first of two sizes, or the second where the first is 1."""
    return _from_recipe(builder, ("unless_one", left, right), lower=(Affine(0),))


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
