"""Maps that do something else near the ends of an axis: values and gradients of all lengths, also of the shortest."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tapeless as tl

pytestmark = pytest.mark.one_in(2)

LENGTHS = (0, 1, 2, 3, 4, 5, 17, 40)


def clamped(u, i, n):
    return u[max(i - 2, 0)] * u[min(i + 1, n - 1)]


def periodic(u, i, n):
    return u[i - 1] * u[(i + 1) % n]


def reflected(u, i, n):
    left = u[min(1 - i, n - 1)] if i < 1 else u[i - 1]
    return left * u[i]


def fixed_ends(u, i, n):
    if i == 0 or i == n - 1:
        return u[i]
    return u[i] * (u[i - 1] + 3.0 * u[i + 1])


def not_last(u, i, n):
    inside = i >= 2 and not i + 3 > n - 1
    return u[i - 2] * u[i + 3] if inside else 2.0 * u[i]


def one_sided(u, i, n):
    return u[i] - u[i - 1] if i != 0 else u[i] * u[n - 1]


def beyond_both(u, i, n):
    k = max(min(i + 9, n - 1), 0)
    return u[k] * u[max(i - 8, 0)] * u[i]


CASES: dict[str, Callable[..., Any]] = {
    each.__name__: each for each in (clamped, periodic, reflected, fixed_ends, not_last, one_sided, beyond_both)
}


def summed(cell: Callable[..., Any]) -> Any:
    @tl.function
    def total(u: tl.f64[:], w: tl.f64[:]) -> tl.f64:
        n = len(u)
        return tl.sum(w * tl.map(lambda i: cell(u, i, n), tl.iota(n)))

    return total


def in_place(cell: Callable[..., Any]) -> Any:
    @tl.function
    def total(u: tl.f64[:], w: tl.f64[:]) -> tl.f64:
        n = len(u)
        for _ in range(2):
            new = u.copy()
            for i in range(n):
                new[i] = 0.5 * cell(u, i, n)
            u = new
        return tl.sum(w * u)

    return total


def steps(cell: Callable[..., Any], u: np.ndarray, count: int, scale: float) -> np.ndarray:
    for _ in range(count):
        u = np.array([scale * cell(u, i, len(u)) for i in range(len(u))], dtype=u.dtype)
    return u


def by_complex_steps(value: Callable[[np.ndarray], Any], u: np.ndarray) -> np.ndarray:
    found = np.zeros(len(u))
    for k in range(len(u)):
        moved = u.astype(complex)
        moved[k] += 1e-30j
        found[k] = value(moved).imag / 1e-30
    return found


@pytest.mark.parametrize(("spelling", "count", "scale"), [(summed, 1, 1.0), (in_place, 2, 0.5)], ids=["map", "loop"])
@pytest.mark.parametrize("name", CASES)
def test_borders(name: str, spelling: Callable[..., Any], count: int, scale: float) -> None:
    cell = CASES[name]
    gradient = tl.jit(tl.value_and_grad(spelling(cell)), checks="off" if spelling is summed else "on")
    rng = np.random.default_rng(len(name))
    for n in LENGTHS:
        u, w = rng.uniform(0.5, 1.5, n), rng.normal(size=n)

        def value(u: np.ndarray, w: np.ndarray = w) -> Any:
            return np.sum(w * steps(cell, u, count, scale))

        total, by_u = gradient(u, w)
        np.testing.assert_allclose(total, value(u), rtol=1e-12, atol=1e-13)
        np.testing.assert_allclose(by_u, by_complex_steps(value, u), rtol=1e-11, atol=1e-12)


@tl.function
def plane(u: tl.f64[:, :], w: tl.f64[:, :]) -> tl.f64:
    n, m = u.shape

    def cell(i: tl.i64, j: tl.i64) -> tl.f64:
        around = u[max(i - 1, 0), j] * u[i, (j + 1) % m]
        return around if i > 0 and i < n - 1 and j > 0 else u[i, j] ** 2

    return tl.sum(w * tl.map(lambda i: tl.map(lambda j: cell(i, j), tl.iota(m)), tl.iota(n)))


@pytest.mark.parametrize("shape", [(1, 1), (2, 5), (3, 1), (4, 20), (19, 18)])
def test_plane(shape: tuple[int, int]) -> None:
    rng = np.random.default_rng(3)
    u, w = rng.uniform(0.5, 1.5, shape), rng.normal(size=shape)
    n, m = shape

    def value(flat: np.ndarray) -> Any:
        x = flat.reshape(shape)
        total = 0.0
        for i, j in np.ndindex(shape):
            inside = i > 0 and i < n - 1 and j > 0
            total += w[i, j] * (x[max(i - 1, 0), j] * x[i, (j + 1) % m] if inside else x[i, j] ** 2)
        return total

    total, by_u = tl.value_and_grad(plane)(u, w)
    np.testing.assert_allclose(total, value(u.ravel()), rtol=1e-12)
    np.testing.assert_allclose(by_u.ravel(), by_complex_steps(value, u.ravel()), rtol=1e-11, atol=1e-12)


@tl.function
def rightmost(u: tl.f64[:]) -> tl.f64:
    n = len(u)
    return tl.max(tl.map(lambda i: u[min(i + 1, n - 1)] - u[max(i - 1, 0)], tl.iota(n)))


@pytest.mark.parametrize("n", [1, 2, 3, 30])
def test_reductions_keep_their_order(n: int) -> None:
    u = np.random.default_rng(n).normal(size=n)
    places = np.arange(n)
    wanted = u[np.minimum(places + 1, n - 1)] - u[np.maximum(places - 1, 0)]
    assert rightmost(u) == np.max(wanted)


@tl.function
def looked_up(u: tl.f64[:], places: tl.i64[:]) -> tl.f64[:]:
    n = len(places)
    return tl.map(lambda i: u[places[i]] * u[max(i - 1, 0)] if i < n - 1 else u[i], tl.iota(n))


@tl.function
def looked_up_sum(u: tl.f64[:], places: tl.i64[:]) -> tl.f64:
    return tl.sum(looked_up(u, places))


@pytest.mark.parametrize("function", [looked_up, looked_up_sum])
def test_the_first_failure_is_told(function: Any) -> None:
    u, places = np.ones(40), np.zeros(40, np.int64)
    for wrong in ([0, 5, 17], [5, 17], [17]):
        places[:] = 0
        places[wrong] = [100 * i + 100 for i in wrong]
        with pytest.raises(tl.IndexOutOfRange, match=f"index {100 * wrong[0] + 100} is out of range"):
            function(u, places)
