"""Derivatives inside programs, by complex steps; programs that use them run with real numbers only."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from fuzz.reference.bulk import Undefined

STEP = 1e-30
ASIDE = 1e-7
MOST_BETWEEN_SIDES = 1e-4
Function = Callable[..., Any]


def tangent(f: Function, x: Any, v: Any) -> Any:
    """The derivative of f at x along v; there is none at a kink."""
    return jvp(f, (x,), (v,))[1]


def jvp(f: Function, primals: tuple[Any, ...], tangents: tuple[Any, ...]) -> tuple[Any, Any]:
    behind, ahead = (_along(f, _moved(primals, tangents, step), tangents) for step in (-ASIDE, ASIDE))
    if not np.allclose(behind, ahead, rtol=MOST_BETWEEN_SIDES, atol=MOST_BETWEEN_SIDES):
        raise Undefined("a kink")
    return f(*primals), _along(f, primals, tangents)


def _along(f: Function, primals: Any, tangents: Any) -> Any:
    return np.imag(f(*_moved(primals, tangents, 1j * STEP))) / STEP


def _moved(primals: Any, tangents: Any, step: complex) -> list[Any]:
    return [(np.asarray(x) + step * np.asarray(v))[()] for x, v in zip(primals, tangents, strict=True)]


def grad(f: Function) -> Function:
    def gradient(x: Any) -> Any:
        found = np.zeros(np.shape(x))
        for place in np.ndindex(found.shape):
            direction = np.zeros(found.shape)
            direction[place] = 1.0
            found[place] = tangent(f, x, direction)
        return found[()]

    return gradient


def value_and_grad(f: Function) -> Function:
    return lambda x: (f(x), grad(f)(x))


TRANSFORMATIONS: dict[str, Any] = {"jvp": jvp, "grad": grad, "value_and_grad": value_and_grad}
