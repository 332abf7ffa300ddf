"""Derivatives of compiled programs against central differences, along random directions and for random cotangents."""

from __future__ import annotations

from typing import Any

import numpy as np
from derivatives import Program, is_float, jvp, vjp

from .programs import compiled


def check(program: Program, *arguments: Any, tolerance: float = 1e-6, step: float = 1e-6) -> None:
    """The pushed tangents and the pulled-back cotangents of all floats."""
    primal = compiled(program.text)
    rng = np.random.default_rng(5)
    directions = [rng.uniform(0.5, 1.5, np.shape(arguments[k])) for k in program.active]
    values = primal(*arguments)
    floats = [k for k, kind in enumerate(program.results) if is_float(kind)]
    seeds = [rng.uniform(0.5, 1.5, np.shape(values[k])) for k in floats]
    after, before = (primal(*_moved(program, arguments, directions, sign * step)) for sign in (1.0, -1.0))
    slopes = [(np.asarray(after[k]) - before[k]) / (2 * step) for k in floats]
    pushed = compiled(jvp(program).text)(*arguments, *directions)
    pulled = compiled(vjp(program).text)(*arguments, *seeds)
    for found in (pushed, pulled):
        for value, other in zip(values, found, strict=False):
            np.testing.assert_allclose(other, value, rtol=1e-12, atol=1e-12)
    for tangent, slope in zip(pushed[len(values) :], slopes, strict=True):
        np.testing.assert_allclose(tangent, slope, rtol=tolerance, atol=tolerance)
    np.testing.assert_allclose(
        _product(pulled[len(values) :], directions), _product(seeds, slopes), rtol=tolerance, atol=tolerance
    )


def _moved(program: Program, arguments: tuple[Any, ...], directions: list[Any], step: float) -> list[Any]:
    moved = list(arguments)
    for k, direction in zip(program.active, directions, strict=True):
        moved[k] = arguments[k] + step * direction
    return moved


def _product(left: Any, right: Any) -> float:
    return sum(float(np.sum(np.asarray(a) * b)) for a, b in zip(left, right, strict=True))
