"""Adjoints with common factors taken out of their sums: the derivatives stay right, and zeros stay zero."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import tapeless as tl


def flow(x, w):
    """Three shared quantities and five results that depend on them, as in a lattice-Boltzmann collision."""
    rest, east, west = x[1:-1], x[:-2], x[2:]
    rho = rest + east + west
    u = (east - west) / rho
    energy = u * u
    y = x
    y[1:-1] = rest + w * (0.5 * rho * (1.0 - 1.5 * energy) - rest)
    y[:-2] = y[:-2] + w * (0.25 * rho * (1.0 + u * (3.0 + 4.5 * u) - 1.5 * energy) - east)
    y[2:] = y[2:] + w * (0.25 * rho * (1.0 - u * (3.0 - 4.5 * u) - 1.5 * energy) - west)
    return tl.sum(y * y * w)


def heat(x, w):
    for _ in range(4):
        x[1:-1] = x[1:-1] + w * (x[2:] - 2.0 * x[1:-1] + x[:-2])
    return tl.sum(x * x * x)


def wave(x, w):
    before, now = x, x * w
    for _ in range(3):
        after = 2.0 * now - before
        after[1:-1] = after[1:-1] + w * (now[2:] - 2.0 * now[1:-1] + now[:-2])
        before, now = now, after
    return tl.sum(now * before * w)


def long_sum(x, w):
    """More terms with one factor than are rewritten at a time."""

    def body(a):
        total = a
        for k in tl.range(90, unroll=True):
            total = total + w * (a + k) * a
        return total

    return tl.sum(tl.map(body, x))


def long_product(x, w):
    """More factors than a term has."""

    def body(a):
        product = a
        for _ in tl.range(20, unroll=True):
            product = product * (a + w) + w * product
        return product

    return tl.sum(tl.map(body, x))


PROGRAMS = [flow, heat, wave, long_sum, long_product]


def central_differences(f: Callable[..., float], x: np.ndarray, w: float) -> tuple[np.ndarray, float]:
    step = 1e-5
    basis = np.eye(len(x)) * step
    by_x = np.array([(f(x + e, w) - f(x - e, w)) / (2 * step) for e in basis])
    return by_x.reshape(x.shape), (f(x, w + step) - f(x, w - step)) / (2 * step)


@pytest.mark.one_in(24)
@pytest.mark.parametrize("size", [3, 4, 7, 8, 9, 17, 33])
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_gradients_agree_with_differences(program: Callable[..., float], size: int) -> None:
    x, w = 0.6 + 0.3 * np.sin(np.arange(size)), 0.3
    function = tl.function(program)
    by_x, by_w = tl.grad(function, argnums=(0, 1))(x, w)
    wanted_x, wanted_w = central_differences(function, x, w)
    scale = max(1.0, float(np.abs(wanted_x).max()))
    np.testing.assert_allclose(by_x, wanted_x, rtol=2e-6, atol=2e-6 * scale)
    np.testing.assert_allclose(by_w, wanted_w, rtol=2e-6, atol=2e-6 * scale)


@pytest.mark.one_in(4)
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_second_derivatives_agree_with_differences(program: Callable[..., float]) -> None:
    x, w, step = 0.6 + 0.3 * np.sin(np.arange(9)), 0.3, 1e-5
    function = tl.function(program)
    gradient = tl.grad(function)
    _, moved = tl.jvp(gradient, (x, w), (np.cos(np.arange(9)), 0.0))
    direction = step * np.cos(np.arange(9))
    wanted = (gradient(x + direction, w) - gradient(x - direction, w)) / (2 * step)
    np.testing.assert_allclose(moved, wanted, rtol=1e-5, atol=1e-5 * max(1.0, float(np.abs(wanted).max())))


def test_a_zero_adjoint_stays_zero_between_factors_whose_product_overflows() -> None:
    @tl.function
    def masked(x: tl.f64[:], mask: tl.f64[:], large: tl.f64) -> tl.f64:
        return tl.sum(mask * ((x * large) * large + (x * x * large) * large))

    by_x = tl.grad(masked)(np.ones(20), np.zeros(20), 1e200)
    assert np.array_equal(by_x, np.zeros(20))


def test_empty_arrays_have_empty_gradients() -> None:
    function = tl.function(long_product)
    assert tl.grad(function)(np.zeros(0), 0.5).shape == (0,)
