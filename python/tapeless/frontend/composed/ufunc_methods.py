"""Methods of functions of two numbers: `np.add.reduce`, `np.maximum.accumulate`, `np.subtract.outer`.

Where a reduction or a running sum has a name of its own, the method is that operator; the others are scans with the
function and the number that changes nothing.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from tapeless import lang
from tapeless.frontend.arrays import array_arguments
from tapeless.frontend.composed.elementwise import truth
from tapeless.frontend.composed.statistics import axes_of
from tapeless.frontend.composed.terms import Language, Term, as_value
from tapeless.frontend.operators import folds, mapping, monoids
from tapeless.frontend.operators.kept_axes import merged
from tapeless.frontend.values import promotion
from tapeless.frontend.values.value import Array, Value, literal

Definition = Callable[..., Any]


def outer(name: str) -> Definition:
    """The function of all pairs: the axes of the first operand, then those of the second."""

    def definition(tl: Language, x: Any, y: Any) -> Any:
        left, right = tl.listed(x), tl.listed(y)
        spread = left.with_axes(tuple(range(left.rank, left.rank + right.rank))) if left.rank else left
        return getattr(tl, name)(spread, right)

    return definition


def reduce(name: str) -> Definition:
    """All elements along some axes, by default the first one, combined."""

    def definition(tl: Language, x: Any, axis: Any, *, keepdims: Any) -> Term:
        return REDUCTIONS[name](tl, tl.listed(x), axis=axis, keepdims=keepdims)

    return definition


def accumulate(name: str) -> Definition:
    """All prefixes along an axis, by default the first one, combined."""

    def definition(tl: Language, x: Any, axis: Any) -> Term:
        array = tl.array(tl.listed(x))
        return PREFIXES[name](tl, array, array_arguments.axis(tl.t, as_value(axis), array.rank))

    return definition


def _named(operator: str) -> Definition:
    """The reduction that an operator of the language is."""
    return lambda tl, x, **options: getattr(tl, operator)(x, **options)


def _is_odd(tl: Language, x: Term, **options: Any) -> Term:
    return (tl.sum(truth(tl, x), **options) % 2).equals(1)


def _folded(operator: str, neutral: float) -> Definition:
    """A reduction with an operator, of floats."""

    def reduction(tl: Language, x: Term, *, axis: Any, keepdims: Any) -> Term:
        floats = tl.array(tl.astype(x, promotion.floating(x.dtype)))
        axes = axes_of(tl, axis, floats.rank)
        array = merged(tl.t, tl.t.array(floats.value), axes)

        def fold(line: Array) -> Value:
            return tl.t.call(lang.OPERATORS["reduce"], [lang.OPERATORS[operator], literal(neutral), line])

        found = tl.number(mapping.along_axis(tl.t, array, array.rank - 1, fold))
        return found.with_axes(axes) if tl.t.flag(as_value(keepdims), "keepdims") else found

    return reduction


REDUCTIONS: dict[str, Definition] = {
    "add": _named("sum"),
    "fmax": _named("nanmax"),
    "fmin": _named("nanmin"),
    "hypot": _folded("hypot", 0.0),
    "logaddexp": _named("logsumexp"),
    "logical_and": _named("all"),
    "logical_or": _named("any"),
    "logical_xor": _is_odd,
    "maximum": _named("max"),
    "minimum": _named("min"),
    "multiply": _named("prod"),
}


def _running(operator: str) -> Definition:
    return lambda tl, x, axis: getattr(tl, operator)(x, axis=axis)


def _extremes(of_numbers: monoids.Monoid, of_bools: monoids.Monoid) -> Definition:
    def prefixes(tl: Language, x: Term, axis: int) -> Term:
        monoid = of_bools if x.dtype.is_bool else of_numbers
        return Term(tl.t, folds.scan_axis(tl.t, tl.t.array(x.value), axis, monoid))

    return prefixes


def _truths(monoid: monoids.Monoid) -> Definition:
    return lambda tl, x, axis: _extremes(monoid, monoid)(tl, truth(tl, x), axis)


def _floats(operator: str, neutral: float) -> Definition:
    def prefixes(tl: Language, x: Term, axis: int) -> Term:
        floats = tl.array(tl.astype(x, promotion.floating(x.dtype)))
        return _scanned(tl, operator, neutral, floats, axis)

    return prefixes


def _numbers(operator: str) -> Definition:
    """Without NaN, which integers do not have, these are the plain extremes."""

    def prefixes(tl: Language, x: Term, axis: int) -> Term:
        if not x.dtype.is_float:
            return PREFIXES[{"fmax": "maximum", "fmin": "minimum"}[operator]](tl, x, axis)
        return _scanned(tl, operator, math.nan, x, axis)

    return prefixes


def _scanned(tl: Language, operator: str, neutral: float, x: Term, axis: int) -> Term:
    """A scan with an operator of every line along an axis."""

    def scan(line: Array) -> Value:
        return tl.t.call(lang.OPERATORS["scan"], [lang.OPERATORS[operator], literal(neutral), line])

    lines = mapping.along_axis(tl.t, tl.t.array(x.value), axis, scan)
    return Term(tl.t, mapping.back_to_axis(tl.t, lines, axis))


PREFIXES: dict[str, Definition] = {
    "add": _running("cumsum"),
    "fmax": _numbers("fmax"),
    "fmin": _numbers("fmin"),
    "hypot": _floats("hypot", 0.0),
    "logaddexp": _floats("logaddexp", -math.inf),
    "logical_and": _truths(monoids.ALL),
    "logical_or": _truths(monoids.ANY),
    "logical_xor": lambda tl, x, axis: (tl.cumsum(truth(tl, x), axis=axis) % 2).equals(1),
    "maximum": _extremes(monoids.MAXIMUM, monoids.ANY),
    "minimum": _extremes(monoids.MINIMUM, monoids.ALL),
    "multiply": _running("cumprod"),
}
MAKERS: dict[str, Callable[[str], Definition]] = {"accumulate": accumulate, "outer": outer, "reduce": reduce}
METHODS: dict[str, Definition] = {
    f"{name}.{method}": MAKERS[method](name) for name, operator in lang.OPERATORS.items() for method in operator.methods
}
"""The definition of each method, under its name with the operator's before it."""
