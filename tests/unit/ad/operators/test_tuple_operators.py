"""Derivatives of operators on tuples of whose results some are unused: every operator, way to combine, and choice."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from derivatives import Program, check, from_python, jvp, only, run, runner, vjp
from tuple_operators import OPERATORS, TupleOperator, area, right_factor

import tapeless as tl

N, BINS = 6, 3
KEYS = np.array([1, 0, 1, 2, 1, 3])
Ways = dict[str, Callable[..., Any]]


def pairs(combine: Any, neutral: tuple[float, ...]) -> Ways:
    """Ways to combine arrays of pairs."""
    return {
        "map": lambda x, y: tl.map(lambda a, b: combine(a, b, b, a), x, y),
        "reduce": lambda x, y: tl.reduce(combine, neutral, x, y),
        "scan": lambda x, y: tl.scan(combine, neutral, x, y),
        "exclusive": lambda x, y: tl.scan(combine, neutral, x, y, exclusive=True),
        "reverse": lambda x, y: tl.scan(combine, neutral, x, y, reverse=True),
        "both": lambda x, y: tl.scan(combine, neutral, x, y, exclusive=True, reverse=True),
        "hist": lambda x, y: tl.hist(combine, neutral, (x[:BINS], y[:BINS]), KEYS, (x, y)),
    }


def triples(combine: Any, neutral: tuple[float, ...]) -> Ways:
    """Ways to combine arrays of triples."""
    return {
        "map": lambda x, y, z: tl.map(lambda a, b, c: combine(a, b, c, c, a, b), x, y, z),
        "reduce": lambda x, y, z: tl.reduce(combine, neutral, x, y, z),
        "exclusive": lambda x, y, z: tl.scan(combine, neutral, x, y, z, exclusive=True),
        "reverse": lambda x, y, z: tl.scan(combine, neutral, x, y, z, reverse=True),
        "hist": lambda x, y, z: tl.hist(combine, neutral, (x[:BINS], y[:BINS], z[:BINS]), KEYS, (x, y, z)),
    }


def ways(operator: TupleOperator) -> Ways:
    """Ways to combine arrays with an operator."""
    return {2: pairs, 3: triples}[len(operator.neutral)](tl.function(operator.combine), operator.neutral)


CASES = [(operator, way) for operator in OPERATORS for way in ways(operator)]


@pytest.mark.one_in(42)
@pytest.mark.parametrize(("operator", "way"), CASES, ids=[f"{operator.name}-{way}" for operator, way in CASES])
def test_some_results_used(operator: TupleOperator, way: str) -> None:
    arrays = np.random.default_rng(4).uniform(0.5, 1.5, (len(operator.neutral), N))
    program = from_python(ways(operator)[way], *arrays)
    for chosen in operator.subsets:
        check(only(program, *chosen), *arrays)
    check_tangents_of_adjoints(only(program, len(operator.neutral) - 1), *arrays)


def check_tangents_of_adjoints(program: Program, *arrays: np.ndarray) -> None:
    """Forward mode over reverse mode, against central differences of adjoints."""
    rng, step = np.random.default_rng(5), 1e-6
    seeds = [rng.uniform(0.5, 1.5, np.shape(value)) for value in run(program, *arrays)]
    directions = rng.uniform(-1.0, 1.0, np.shape(arrays))
    reverse = vjp(program)
    pulled = runner(reverse)
    after, before = (pulled(*(np.asarray(arrays) + sign * step * directions), *seeds) for sign in (1.0, -1.0))
    moved = run(jvp(reverse, range(len(arrays))), *arrays, *seeds, *directions)
    for tangent, high, low in zip(moved[len(after) :], after, before, strict=True):
        np.testing.assert_allclose(tangent, (high - low) / (2 * step), rtol=1e-5, atol=1e-6)


LARGE, STEP = 5000, 1e-5
MANY_KEYS = np.arange(LARGE) % 7
FACTOR, AREA = tl.function(right_factor), tl.function(area)


def large_pairs(x, y):
    """The second component alone, reduced, scanned both ways and counted."""
    combine, neutral = FACTOR, (1.0, 0.0)
    before = tl.scan(combine, neutral, x, y, exclusive=True)[1]
    after = tl.scan(combine, neutral, x, y, reverse=True)[1]
    bins = tl.hist(combine, neutral, (x[:7], y[:7]), MANY_KEYS, (x, y))[1]
    return tl.reduce(combine, neutral, x, y)[1] + tl.sum(before * before + after * y) * 1e-3 + tl.sum(bins * bins)


def large_triples(x, y, z):
    """The last component alone."""
    combine, neutral = AREA, (0.0, 0.0, 0.0)
    before = tl.scan(combine, neutral, x, y, z, exclusive=True)[2]
    after = tl.scan(combine, neutral, x, y, z, reverse=True)[2]
    bins = tl.hist(combine, neutral, (x[:7], y[:7], z[:7]), MANY_KEYS, (x, y, z))[2]
    return tl.reduce(combine, neutral, x, y, z)[2] + tl.sum(before * z + after * y) * 1e-3 + tl.sum(bins * bins)


@pytest.mark.one_in(3)
@pytest.mark.parametrize(("program", "count"), [(large_pairs, 2), (large_triples, 3)])
def test_above_the_sizes_of_blocks(program: Callable[..., Any], count: int) -> None:
    rng = np.random.default_rng(6)
    arrays = np.exp(rng.normal(0.0, 0.01, (count, LARGE)))
    direction = rng.normal(0.0, 0.01, arrays.shape)
    function = tl.function(program)
    gradient = tl.grad(function, argnums=tuple(range(count)))
    after, before = arrays + STEP * direction, arrays - STEP * direction
    slope = (function(*after) - function(*before)) / (2 * STEP)
    np.testing.assert_allclose(tl.jvp(function, tuple(arrays), tuple(direction))[1], slope, rtol=1e-6)
    np.testing.assert_allclose(np.sum(np.stack(gradient(*arrays)) * direction), slope, rtol=1e-6)
    bend = (np.stack(gradient(*after)) - np.stack(gradient(*before))) / (2 * STEP)
    moved = np.stack(tl.jvp(gradient, tuple(arrays), tuple(direction))[1])
    np.testing.assert_allclose(moved, bend, rtol=1e-5, atol=1e-6 * np.abs(bend).max())
