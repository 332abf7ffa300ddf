"""Compiled derivatives at the edges of floats: what is finite by `redundant` is by `coarsened`."""

from __future__ import annotations

import numpy as np
import pytest
from tests.unit.phi.edge_programs import DTYPES, EXPRESSIONS, both, edge_points

import tapeless as tl
from emulated_gpu.kernels import emulated_cuda

TEXTS = [text for texts in EXPRESSIONS.values() for text in texts]
ORDERS = ((0, 0, 0), (1, 0, 0), (0, 1, 0), (2, 0, 0), (1, 1, 0))


@pytest.mark.one_in(72)
@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("kind", DTYPES)
def test_what_is_finite_stays_finite(kind, text, tmp_path):
    points = edge_points(kind)
    was, now = both(text, points, tmp_path, kind)
    lost = np.argwhere(np.isfinite(was) & ~np.isfinite(now))
    assert not len(lost), [(points[i], ORDERS[k], was[k, i], now[k, i]) for k, i in lost[:5]]


@tl.function
def quotients(x, y):
    return (x / (x + y)) * (y / (x + y)) / (x + y)


@tl.function
def total(xs, ys):
    return tl.sum(tl.map(quotients, xs, ys))


@tl.function
def stepping(xs, ys):
    """Steps that need each other."""
    state = 0.3
    for i in range(len(xs)):
        state = quotients(xs[i] * (2.0 + tl.sin(state)), ys[i])
    return state


@tl.function
def chained(xs, ys):
    """Steps that add to neighbours."""
    energy = 0.0
    for i in range(len(xs) - 1):
        energy += quotients(xs[i] * xs[i + 1], ys[i] * ys[i + 1])
    return energy


@tl.function
def halved(xs, ys):
    """Steps until a number is small."""
    size, total, i = 1.0, 0.0, 0
    while size > 1e-3 and i < len(xs):
        total += quotients(size * xs[i], size * ys[i])
        size = 0.7 * size
        i += 1
    return total


def falling(method):
    """Steps of a descent, which write over the points."""
    slope = tl.grad(quotients, method=method)

    @tl.function
    def run(xs, ys):
        for _ in range(3):
            xs = tl.map(lambda x, y: x - 1e-3 * slope(x, y), xs, ys)
        return xs

    return run


def data(count):
    """Ordinary numbers, and a pair whose sum has no third power."""
    rng = np.random.default_rng(4)
    xs, ys = rng.uniform(0.5, 2.0, (2, count))
    xs[-3] = ys[-3] = 1e-120
    return xs, ys


@pytest.mark.parametrize("count", [3, 5000])
def test_sums_run_again_and_values_stay(count):
    xs, ys = data(count)
    both_of_them = tl.value_and_grad(total, argnums=(0, 1), method="coarsened")
    value, mine = both_of_them(xs, ys)
    assert value == pytest.approx(total(xs, ys), rel=1e-14)
    np.testing.assert_allclose(mine, tl.grad(total, argnums=(0, 1), method="redundant")(xs, ys), rtol=1e-12)
    assert np.max(np.abs(mine)) > 1e200
    shared = tl.compile(both_of_them, (xs, ys), threads=3)(xs, ys)
    assert shared[0] == value
    np.testing.assert_array_equal(shared[1], mine)


@pytest.mark.parametrize("count", [3, 50])
def test_maps_that_write_over_what_they_read(count):
    mine, other = (falling(method)(*data(count)) for method in ("coarsened", "redundant"))
    assert np.isfinite(other).all()
    np.testing.assert_allclose(mine, other, rtol=1e-12)


@tl.function
def drawn(x, y, z):
    """A loop of one number, whose slope is carried beside it."""
    for _ in range(20):
        x = x + y / (x * x + z * z)
    return x


def test_slopes_beside_loops():
    point = (-1e100, -1e300, -1e100)
    mine, other = (tl.grad(drawn, argnums=(0, 1), method=method)(*point) for method in ("coarsened", "redundant"))
    assert np.isfinite(other).all()
    np.testing.assert_allclose(mine, other, rtol=1e-12)
    moving = [tl.jvp(drawn, point, (1.0, 0.0, 0.0), method=method)[1] for method in ("coarsened", "redundant")]
    assert np.isfinite(moving[1]) and moving[0] == pytest.approx(moving[1], rel=1e-12)


@pytest.mark.one_in(5)
@pytest.mark.parametrize("count", [7, 3000])
@pytest.mark.parametrize("function", [stepping, chained, halved])
def test_loops(function, count):
    xs, ys = data(count)
    value, mine = tl.value_and_grad(function, argnums=(0, 1), method="coarsened")(xs, ys)
    assert value == pytest.approx(function(xs, ys), rel=1e-14)
    other = tl.grad(function, argnums=(0, 1), method="redundant")(xs, ys)
    assert np.isfinite(other).all()
    np.testing.assert_allclose(mine, other, rtol=1e-11, atol=1e-290)


@pytest.mark.parametrize("function", [total, chained])
def test_on_a_gpu(function):
    arguments = data(300)
    gradient = tl.value_and_grad(function, argnums=(0, 1), method="coarsened")
    expected = gradient(*arguments)
    with emulated_cuda() as gpu:
        value, slopes = tl.compile(gradient, arguments, target="cuda")(*arguments)
        gpu.check_guards()
    assert value == pytest.approx(expected[0], rel=1e-13)
    np.testing.assert_allclose(slopes, expected[1], rtol=1e-13)
