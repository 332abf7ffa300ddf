"""Programs that mix constructs: both modes against differences, and so their adjoints differentiated again."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from derivatives import check, from_python, is_float, run, vjp
from mixed_programs import CASES

import tapeless as tl

NAMES = [f"{function.__name__}-{'x'.join(map(str, np.shape(arguments[0])))}" for function, arguments in CASES]


@pytest.mark.one_in(4)
@pytest.mark.parametrize(("function", "arguments"), CASES, ids=NAMES)
def test_first_derivatives(function: Callable[..., Any], arguments: tuple[Any, ...]) -> None:
    check(from_python(function, *arguments), *arguments, tolerance=2e-6)


@pytest.mark.one_in(8)
@pytest.mark.parametrize(("function", "arguments"), CASES, ids=NAMES)
def test_derivatives_of_adjoints(function: Callable[..., Any], arguments: tuple[Any, ...]) -> None:
    program, rng = from_python(function, *arguments), np.random.default_rng(1)
    results = zip(run(program, *arguments), program.results, strict=True)
    seeds = [rng.uniform(0.5, 1.5, np.shape(value)) for value, kind in results if is_float(kind)]
    check(vjp(program), *arguments, *seeds, tolerance=2e-5)


@tl.function
def with_unwanted_checks(x):
    """The value is not needed on the way back, but the index in its operator is checked."""
    return tl.reduce(lambda a, b: a + b + x[0] * a * b, 0.0, x)


def test_rows_of_a_reduction_that_checks() -> None:
    rows, seed = np.random.default_rng(2).uniform(0.2, 0.8, (3, 5)), np.arange(3.0)
    _, pullback = tl.vjp(tl.vmap(with_unwanted_checks), rows)
    expected = seed[:, None] * np.stack([tl.grad(with_unwanted_checks)(row) for row in rows])
    np.testing.assert_allclose(pullback(seed)[0], expected, rtol=1e-12)
