"""The functions of pure expressions, and which of them round alike everywhere."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from fuzz.reference.language import EXACT, FUNCTIONS
from reversible.interpreter.errors import Unclear

NEARLY_EQUAL = 1e-9
ROUNDS_EXACTLY = frozenset(
    {"sqrt", "abs", "maximum", "minimum", "clamp", "float", "int", "where", "max", "min", "zeros"}
)


def real(value: Any) -> Any:
    return np.real(value)


def clearly_different(a: Any, b: Any) -> None:
    """Numbers that a rounding could order the other way leave the outcome open."""
    a, b = np.asarray(real(a)), np.asarray(real(b))
    if "f" not in (a.dtype.kind, b.dtype.kind):
        return
    near = np.abs(a - b) <= NEARLY_EQUAL * (1.0 + np.abs(a) + np.abs(b))
    if np.any(near) or not np.all(np.isfinite(a - b)):
        raise Unclear("numbers are nearly equal")


def with_clear(function: Callable[..., Any], compared: Callable[..., None]) -> Callable[..., Any]:
    """The function where its choice does not hang on roundings."""

    def apply(*arguments: Any, **named: Any) -> Any:
        compared(*arguments)
        return function(*arguments, **named)

    return apply


def _clearly_not_zero(x: Any) -> None:
    clearly_different(x, 0.0)


def _clear_extreme(x: Any) -> None:
    """All elements are apart."""
    ordered = np.sort(real(x), axis=None)
    clearly_different(ordered[1:], ordered[:-1])


def _clearly_outside(x: Any, lower: Any, upper: Any) -> None:
    clearly_different(x, lower)
    clearly_different(x, upper)


def _moderate(x: Any) -> None:
    if np.any(np.abs(real(x)) > 20.0):
        raise Unclear("an exponent is large")


def _clearly_positive(x: Any) -> None:
    if np.any(real(x) < 1e-3):
        raise Unclear("a number is not positive")


CLEAR: dict[str, Callable[..., None]] = {
    "abs": _clearly_not_zero,
    "sign": _clearly_not_zero,
    "maximum": clearly_different,
    "minimum": clearly_different,
    "clamp": _clearly_outside,
    "max": _clear_extreme,
    "min": _clear_extreme,
    "exp": _moderate,
    "sqrt": _clearly_positive,
    "log": _clearly_positive,
}
OWN: dict[str, Callable[..., Any]] = {
    "zeros": lambda shape, dtype=np.float64: np.zeros(shape, dtype),
    "ones": lambda shape, dtype=np.float64: np.ones(shape, dtype),
    "full": lambda shape, value, dtype=None: np.full(shape, value, dtype),
    "map": lambda f, *arrays: np.array([f(*each) for each in zip(*arrays, strict=True)]),
}


def table() -> dict[str, Callable[..., Any]]:
    """All functions by name."""
    known = {**FUNCTIONS, **{name: each for name, each in EXACT.items() if callable(each)}, **OWN}
    return {**known, **{name: with_clear(known[name], check) for name, check in CLEAR.items()}}


TYPES = {"f64": np.float64, "i64": np.int64, "bool_": np.bool_}
