"""One value in several roles: compiled values against the interpreter, derivatives against central differences."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from derivatives import compiled, from_python
from roles import PROGRAMS

import core_interpreter
import tapeless as tl

X = np.array([0.91, 1.37, 0.58, 1.22, 0.75, 1.04])
DIRECTION = np.array([0.4, -0.9, 0.7, 0.3, -0.6, 1.1])
STEP = 1e-6


def leaves(value: Any) -> Iterator[np.ndarray]:
    """The arrays and numbers in nested tuples, in order."""
    if isinstance(value, tuple):
        for part in value:
            yield from leaves(part)
    else:
        yield np.asarray(value)


def seeds_like(value: Any, rng: np.random.Generator) -> Any:
    """Random cotangents in the same tuples."""
    if isinstance(value, tuple):
        return tuple(seeds_like(part, rng) for part in value)
    return rng.uniform(0.5, 1.5, np.shape(value)) if np.ndim(value) else float(rng.uniform(0.5, 1.5))


@pytest.mark.parametrize("program", PROGRAMS)
def test_value_and_derivatives(program: Callable[..., Any]) -> None:
    function = tl.function(program)
    value = function(X)
    raw = from_python(program, X)
    wanted = core_interpreter.run(compiled(raw, "ad-promises,soac-inline,ad-expand"), raw.name, X)
    for found, other in zip(leaves(value), wanted, strict=True):
        np.testing.assert_allclose(found, other, rtol=1e-12)
    after, before = (list(leaves(function(X + sign * STEP * DIRECTION))) for sign in (1.0, -1.0))
    slopes = [(high - low) / (2 * STEP) for high, low in zip(after, before, strict=True)]
    tangents = leaves(tl.jvp(function, (X,), (DIRECTION,))[1])
    for tangent, slope in zip(tangents, slopes, strict=True):
        np.testing.assert_allclose(tangent, slope, rtol=1e-6, atol=1e-6)
    seeds = seeds_like(value, np.random.default_rng(3))
    (bar,) = tl.vjp(function, X)[1](seeds)
    product = sum(float(np.sum(seed * slope)) for seed, slope in zip(leaves(seeds), slopes, strict=True))
    np.testing.assert_allclose(np.dot(bar, DIRECTION), product, rtol=1e-6, atol=1e-6)
