"""A value and its gradient in one kernel: loops in bodies run forward once, and give what they give alone."""

from __future__ import annotations

import numpy as np
import pytest
from tests.unit.phi.loops.edge_loops import STEPS

import tapeless as tl
from function_from_text import function_from_text

pytestmark = pytest.mark.one_in(2)

PROGRAM = """
@tl.function
def total(x: tl.f64[:], y: tl.f64[:], z: tl.f64[:], n: tl.i64):
    def run(x, y, z):
        w = z
        for k in range(n):
            {step}
        return x + 0.5 * w

    return tl.sum(tl.map(run, x, y, z))
"""
ARGUMENTS = (0, 1, 2)


def points(count):
    return np.random.default_rng(count).uniform(0.5, 1.0, (3, count))


@pytest.mark.one_in(72)
@pytest.mark.parametrize("method", ["redundant", "coarsened", "reversible"])
@pytest.mark.parametrize("step", STEPS)
def test_values_and_gradients_are_those_of_kernels_of_their_own(step, method):
    total = function_from_text(PROGRAM.format(step=STEPS[step]), "total")
    together = tl.jit(tl.value_and_grad(total, argnums=ARGUMENTS, method=method))
    alone = tl.jit(tl.grad(total, argnums=ARGUMENTS, method=method))
    for count in (1, 3, 130):
        arrays = points(count)
        value, slopes = together(*arrays, 7)
        np.testing.assert_allclose(value, total(*arrays, 7), rtol=1e-14)
        for one, other in zip(slopes, alone(*arrays, 7), strict=True):
            np.testing.assert_allclose(one, other, rtol=1e-12, atol=1e-15)


def test_one_loop_forward():
    total = function_from_text(PROGRAM.format(step=STEPS["exponential"]), "total")
    arguments = (*points(3), 7)
    kernel = tl.compile(tl.value_and_grad(total, argnums=ARGUMENTS), arguments)
    assert kernel.ir("soac-fuse").count("scf.for") == 3
    assert kernel.ir("soac-fuse-sequential-loops").count("scf.for") == 2


@tl.function
def powers(x: tl.f64[:], n: tl.i64):
    def run(x):
        for _ in range(n):
            x = x * x
        return x

    return tl.sum(tl.map(run, x))


@pytest.mark.parametrize("count", [0, -2])
def test_loops_that_do_not_run(count):
    value, slopes = tl.value_and_grad(powers)(np.array([2.0, 3.0]), count)
    assert value == 5.0 and (slopes == 1.0).all()


@tl.function
def nested(x: tl.f64[:]):
    def run(a):
        s = a
        for _ in range(6):
            t = s
            for _ in range(5):
                t = t * 0.9 + a * 0.1 / (1.0 + t * t)
            s = s + 0.1 * tl.sin(t) + 0.2 * tl.sin(t * a)
        return s

    return tl.sum(tl.map(run, x)) + tl.sum(tl.map(lambda a: run(a) * a, x))


@pytest.mark.one_in(2)
@pytest.mark.parametrize("method", ["redundant", "coarsened", "reversible"])
def test_loops_in_loops(method):
    x = np.random.default_rng(3).uniform(0.5, 1.0, 11)
    value, slopes = tl.value_and_grad(nested, method=method)(x)
    np.testing.assert_allclose(value, nested(x), rtol=1e-14)
    np.testing.assert_allclose(slopes, tl.grad(nested, method=method)(x), rtol=1e-13)
    step = 1e-6
    expected = [(nested(x + step * row) - nested(x - step * row)) / (2 * step) for row in np.eye(len(x))]
    np.testing.assert_allclose(slopes, expected, rtol=1e-7)


@tl.function
def attraction(x: tl.f64[:], w: tl.f64[:]):
    """What all points have of the first ones: the way back through the inner loop only adds up."""

    def at(a, b):
        total = 0.0
        for j in range(len(w)):
            d = a - x[j]
            total += w[j] * b / tl.sqrt(d * d + 0.01)
        return total

    return tl.sum(tl.map(at, x, x * x))


@pytest.mark.one_in(4)
@pytest.mark.parametrize("method", ["redundant", "coarsened"])
@pytest.mark.parametrize("count", [0, 1, 6])
def test_sums_go_back_in_the_order_of_the_program(count, method):
    rng = np.random.default_rng(8)
    x, w = rng.normal(size=9), rng.normal(size=count)
    kernel = tl.compile(tl.value_and_grad(attraction, argnums=(0, 1), method=method), (x, w))
    value, (by_x, by_w) = kernel(x, w)
    d = x[:, None] - x[:count]
    distance = np.sqrt(d * d + 0.01)
    np.testing.assert_allclose(value, np.sum(w * (x * x)[:, None] / distance), rtol=1e-13, atol=1e-300)
    pull = -w * (x * x)[:, None] * d / distance**3
    expected = pull.sum(axis=1) + 2 * x * np.sum(w / distance, axis=1)
    expected[:count] -= pull.sum(axis=0)
    np.testing.assert_allclose(by_x, expected, rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(by_w, np.sum((x * x)[:, None] / distance, axis=0), rtol=1e-13)


def test_one_root_for_value_and_slopes():
    kernel = tl.compile(tl.value_and_grad(attraction, argnums=(0, 1)), (np.ones(9), np.ones(4)))
    assert kernel.ir("soac-fuse-sequential-loops").count("math.sqrt") == 1
