"""Derivatives of operators on tuples of whose results some are unused: every operator, way to combine, and choice."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from derivatives import Program, check, from_python, jvp, only, run, runner, vjp
from tuple_operators import OPERATORS, TupleOperator

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
