"""Derivatives of products with zeros among the factors, and of extremes that several elements share."""

from __future__ import annotations

import numpy as np
import pytest
from derivatives import check, from_python, jvp, run, vjp

import tapeless as tl

XS = np.array([0.4, -1.2, 0.9, 1.7, -0.3])


def product(x):
    return tl.prod(x) * 2.0


def prefix_products(x):
    return tl.cumprod(x), tl.scan(lambda a, b: a * b, 1.0, x, exclusive=True, reverse=True)


@pytest.mark.parametrize("zeros", [(0,), (2,), (1, 3), (0, 1, 2, 3, 4)])
def test_products_with_zeros(zeros: tuple[int, ...]) -> None:
    x = XS.copy()
    x[list(zeros)] = 0.0
    wanted = [2.0 * np.prod(np.delete(x, k)) for k in range(5)]
    program = from_python(product, x)
    np.testing.assert_allclose(run(vjp(program), x, 1.0)[1], wanted, rtol=1e-14)
    check(from_python(prefix_products, x), x)


def first_largest(x):
    return tl.max(x), tl.min(x)


def test_ties_go_to_the_first() -> None:
    x = np.array([1.0, 3.0, 3.0, 1.0, 2.0])
    program = from_python(first_largest, x)
    np.testing.assert_array_equal(run(vjp(program), x, 1.0, 10.0)[2], [10.0, 1.0, 0.0, 0.0, 0.0])
    pushed = run(jvp(program), x, np.arange(1.0, 6.0))[2:]
    np.testing.assert_array_equal(pushed, [2.0, 1.0])


def prefix_extremes(x):
    return tl.scan(tl.maximum, -100.0, x), tl.scan(tl.minimum, 100.0, x, reverse=True)


def test_ties_in_scans_go_to_the_first() -> None:
    x = np.array([1.0, 3.0, 3.0, 2.0])
    bars = run(vjp(from_python(prefix_extremes, x)), x, np.ones(4), np.zeros(4))[2]
    np.testing.assert_array_equal(bars, [1.0, 3.0, 0.0, 0.0])


LARGE = 100_003


def smallest(x):
    return tl.min(x)


def largest(x):
    return tl.max(x)


@pytest.mark.one_in(3)
@pytest.mark.parametrize("places", [(0,), (70_000, 20_000), (LARGE - 1,), (16_384, 16_383), (16_384, 99_000)])
@pytest.mark.parametrize("threads", [1, 2])
def test_first_place_in_large_arrays(places: tuple[int, ...], threads: int) -> None:
    """Found in the block that has it, whatever the other blocks hold."""
    x = np.random.default_rng(7).random(LARGE)
    x[list(places)] = -1.0
    wanted = np.zeros(LARGE)
    wanted[min(places)] = 1.0
    for function, sign in ((smallest, 1.0), (largest, -1.0)):
        kernel = tl.compile(tl.value_and_grad(function), (x,), threads=threads)
        value, bars = kernel(sign * x)
        assert value == -sign
        np.testing.assert_array_equal(bars, wanted)


def from_zero(x):
    return tl.reduce(tl.minimum, 0.0, x)


def test_a_start_below_most_elements_hides_no_place() -> None:
    x = np.ones(LARGE)
    x[80_000] = 0.0
    np.testing.assert_array_equal(np.flatnonzero(tl.grad(from_zero)(x)), [80_000])
    assert not tl.grad(from_zero)(np.ones(LARGE)).any()
    assert tl.grad(from_zero)(np.ones(0)).shape == (0,)


def weighted_minima(x, w):
    return tl.sum(w * tl.scan(tl.minimum, tl.inf, x))


def weighted_maxima(x, w):
    return tl.sum(w * tl.scan(tl.maximum, -tl.inf, x))


@pytest.mark.parametrize("size", [1, 7, 20_011])
@pytest.mark.parametrize("place_of_nan", [None, 0.5])
def test_runs_of_prefix_extremes(size: int, place_of_nan: float | None) -> None:
    """What the prefixes of a run get goes to the element with which the run begins; a NaN is no run with the next."""
    rng = np.random.default_rng(size)
    x, w = rng.integers(-size, size, size).astype(float), rng.integers(-9, 9, size).astype(float)
    if place_of_nan is not None:
        x[int(place_of_nan * size)] = np.nan
    for function, prefixes in ((weighted_minima, np.minimum), (weighted_maxima, np.maximum)):
        y = prefixes.accumulate(x)
        begins = np.flatnonzero(np.append(True, y[1:] != y[:-1]))
        wanted = np.zeros(size)
        wanted[begins] = np.add.reduceat(w, begins)
        np.testing.assert_array_equal(tl.grad(function)(x, w), wanted)
