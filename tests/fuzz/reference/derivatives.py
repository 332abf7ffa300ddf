"""Derivatives inside programs, by complex steps; programs that use them run with real numbers only."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

STEP = 1e-30
Function = Callable[..., Any]


def tangent(f: Function, x: Any, v: Any) -> Any:
    """The derivative of f at x along v."""
    return np.imag(f(np.asarray(x) + 1j * STEP * np.asarray(v))) / STEP


def jvp(f: Function, primals: tuple[Any, ...], tangents: tuple[Any, ...]) -> tuple[Any, Any]:
    steps = [np.asarray(x) + 1j * STEP * np.asarray(v) for x, v in zip(primals, tangents, strict=True)]
    return f(*primals), np.imag(f(*(step[()] for step in steps))) / STEP


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
