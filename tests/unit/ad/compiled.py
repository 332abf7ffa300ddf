"""Compiled programs of one array: values against the interpreter, derivatives against central differences."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from derivatives import compiled, from_python

import core_interpreter
import tapeless as tl

STEP = 1e-6


def check_compiled(program: Callable[..., Any], x: np.ndarray) -> None:
    """What a program gives, its tangent in one direction, and the product of its adjoint with that direction."""
    function, raw = tl.function(program), from_python(program, x)
    value = function(x)
    wanted = core_interpreter.run(compiled(raw, "ad-promises,soac-inline,ad-expand"), raw.name, x)
    for found, other in zip(leaves(value), wanted, strict=True):
        np.testing.assert_allclose(found, other, rtol=1e-12)
    rng = np.random.default_rng(3)
    direction = rng.uniform(-1.0, 1.0, x.shape)
    after, before = (list(leaves(function(x + sign * STEP * direction))) for sign in (1.0, -1.0))
    slopes = [(high - low) / (2 * STEP) for high, low in zip(after, before, strict=True)]
    tangents = leaves(tl.jvp(function, (x,), (direction,))[1])
    for tangent, slope in zip(tangents, slopes, strict=True):
        np.testing.assert_allclose(tangent, slope, rtol=1e-6, atol=1e-6)
    seeds = seeds_like(value, rng)
    (bar,) = tl.vjp(function, x)[1](seeds)
    product = sum(float(np.sum(seed * slope)) for seed, slope in zip(leaves(seeds), slopes, strict=True))
    np.testing.assert_allclose(np.sum(bar * direction), product, rtol=1e-6, atol=1e-6)


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
