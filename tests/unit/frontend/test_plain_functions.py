"""Python functions without a decorator that decorated ones call: helpers are read where they are written."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tapeless as tl
from tapeless.frontend.syntax.source import Source

WEIGHTS = np.array([0.5, -1.0, 2.0])
X = np.array([0.3, 0.9, 1.7])
METHODS = ("redundant", "reversible", "coarsened")


def sigmoid(z):
    return 1 / (1 + np.exp(-z))


def scaled(z, factor=2.0, *, offset=0.0):
    return sigmoid(z) * factor + offset


def weighted(z):
    return (z * WEIGHTS).sum()


square = lambda z: z * z  # noqa: E731


def trapezium(f, low, high, count):
    step = (high - low) / count
    total = 0.5 * (f(low) + f(high))
    for i in range(1, count):
        total += f(low + i * step)
    return total * step


def helper_of_helper(x):
    return weighted(scaled(x)) + square(x[0])


def options(x):
    return weighted(scaled(x, 3.0, offset=x[1]))


def functions_as_arguments(x):
    return trapezium(lambda u: sigmoid(x[0] * u), 0.0, 1.0, 5) + trapezium(square, 0.0, x[1], 4)


def inside_a_map(x):
    return tl.sum(tl.map(lambda v: square(sigmoid(v)), x))


def closed_over():
    power = 3

    def cube(z):
        return z**power

    def of_local_function(x):
        return cube(x).sum()

    return of_local_function


PROGRAMS = [helper_of_helper, options, functions_as_arguments, closed_over()]


@pytest.mark.one_in(4)
@pytest.mark.parametrize("program", [*PROGRAMS, inside_a_map], ids=lambda program: program.__name__)
def test_helpers_need_no_decorator(program: Any) -> None:
    function, h = tl.function(program), 1e-6
    by_python = program if program in PROGRAMS else lambda x: (sigmoid(x) ** 2).sum()
    np.testing.assert_allclose(function(X), by_python(X), rtol=1e-14)
    slopes = [(by_python(X + step) - by_python(X - step)) / (2 * h) for step in h * np.eye(3)]
    for method in METHODS:
        np.testing.assert_allclose(tl.grad(function, method=method)(X), slopes, atol=1e-8)


def test_what_is_wrong_in_a_helper_is_shown_there() -> None:
    def helper(z):
        with open(z) as file:
            return file

    def calling(x):
        return helper(x)

    with pytest.raises(tl.FrontendError, match=r"test_plain_functions\.py:\d+:\d+: .*\n\s+with open"):
        tl.function(calling)(X)


@pytest.mark.parametrize(
    ("calling", "name"),
    [(lambda x: tl.compile(x), r"tl\.compile"), (lambda x: np.hanning(3), r"np\.hanning")],
)
def test_functions_of_libraries_are_refused_where_they_are_called(calling: Any, name: str) -> None:
    with pytest.raises(tl.FrontendError, match=rf"test_plain_functions\.py:\d+:\d+: '{name}' is not a function of the"):
        tl.function(calling)(X)


def made(factor: float) -> tuple[Any, Any]:
    def helper(z):
        return z * factor

    def calling(z):
        return helper(z)

    return calling, helper


def test_digests_tell_helpers_apart() -> None:
    """The cache on disk would give the code of another helper otherwise."""
    sources = [Source.of(made(factor)[0]) for factor in (2.0, 2.0, 3.0)]
    digests = [source.fingerprint() for source in sources]
    assert digests[0] == digests[1] != digests[2]


def test_a_helper_is_read_once() -> None:
    calling, helper = made(2.0)
    first, second = tl.function(calling), tl.function(calling)
    assert first(1.5) == second(1.5) == 3.0
    assert first.source.called(helper) is second.source.called(helper)


@pytest.mark.parametrize("calling", [lambda x: np.random.normal(), lambda x: np.random.rand(3) * x])
def test_methods_that_are_compiled_are_refused(calling: Any) -> None:
    with pytest.raises(tl.FrontendError, match=r"'np\.random\.\w+' is not a function of the language"):
        tl.function(calling)(1.5)
