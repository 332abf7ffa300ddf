"""Derivatives of loops at the edges of floats, wherever they stand: what is finite by `redundant` is by `coarsened`."""

from __future__ import annotations

import numpy as np
import pytest
from tests.unit.phi.loops.edge_loops import PLACES, STEPS, derivatives, edge_points

import tapeless as tl

pytestmark = pytest.mark.one_in(2)

KINDS = {"f64": "float64", "f32": "float32"}
COUNTS = (3, 7, 20)
POINTS = 60
MILD = np.random.default_rng(5).uniform(0.3, 1.2, (6, 4))
PRECISION = {"f64": 1e-8, "f32": 1e-2}
# There, log(1 + x x) is zero by its steps and log1p(x x) is not: of what becomes of that, infinity is right.
RIGHT = {("logarithm", "an operator")}
CASES = [(step, place) for step in STEPS for place in PLACES if (step, place) not in RIGHT]


@pytest.mark.one_in(240)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("step", "place"), CASES)
def test_what_is_finite_stays_finite(step, place, kind):
    was, now = (derivatives(step, place, method, kind) for method in ("redundant", "coarsened"))
    points = edge_points(KINDS[kind], POINTS)
    for count in COUNTS:
        expected, found = was(points, count), now(points, count)
        lost = np.argwhere(np.isfinite(expected) & ~np.isfinite(found))
        assert not len(lost), [(count, tuple(each), expected[tuple(each)], found[tuple(each)]) for each in lost[:5]]
    usual = MILD.astype(KINDS[kind])
    expected, found = was(usual, 4), now(usual, 4)
    fine = np.isfinite(expected)
    np.testing.assert_allclose(found[fine], expected[fine], rtol=PRECISION[kind], atol=PRECISION[kind] * 1e-3)


EDGE = (-1.7976931348623157e308, -0.6, -1.0, 5.1e-161)


@tl.function
def recurrences(v: tl.f64[:, 4], n: tl.i64):
    def run(x, y, z, scale):
        for _ in range(n):
            x = y * x + z
        return scale * x

    return tl.sum(tl.map(run, v[:, 0], v[:, 1], v[:, 2], v[:, 3]))


def points_with_an_edge(count):
    points = np.random.default_rng(2).uniform(0.3, 1.2, (count, 4))
    points[count // 2] = EDGE
    return points


@pytest.mark.one_in(2)
@pytest.mark.parametrize("count", [3, 5000])
def test_one_of_many(count):
    points = points_with_an_edge(count)
    mine, other = (tl.grad(recurrences, method=method) for method in ("coarsened", "redundant"))
    expected = other(points, 3)
    assert np.isfinite(expected).all()
    np.testing.assert_allclose(mine(points, 3), expected, rtol=1e-12)
    np.testing.assert_allclose(tl.compile(mine, (points, 3), threads=3)(points, 3), expected, rtol=1e-12)


@pytest.mark.parametrize("count", [1, 4, 5, 33])
def test_closed_forms_of_one_of_many(count):
    """A map looks at closed forms once for all of its elements: none keeps what overflowed in another one."""
    points = np.random.default_rng(3).uniform(0.3, 0.9, (count, 4))
    points[count // 2] = (1.0, 2.0, -1.0, 1e-300)
    mine, other = (tl.grad(recurrences, method=method) for method in ("coarsened", "redundant"))
    expected = other(points, 1100)
    assert np.isfinite(expected).all() and np.max(np.abs(expected)) > 1e20
    np.testing.assert_allclose(mine(points, 1100), expected, rtol=1e-11, atol=1e-300)


@tl.function
def recurrences_in_steps(v: tl.f64[:, 4], n: tl.i64):
    """Loops as a whole in steps of another loop, in a map: states of the outer one are kept."""

    def run(x, y, z, scale):
        total = 0.0
        for k in range(3):
            w = x + k * scale
            for _ in range(n):
                w = y * w + z
            total = total * 0.5 + scale * tl.sqrt(1.0 + abs(w))
        return total

    return tl.sum(tl.map(run, v[:, 0], v[:, 1], v[:, 2], v[:, 3]))


@pytest.mark.one_in(4)
@pytest.mark.parametrize("count", [3, 5000])
@pytest.mark.parametrize("together", [False, True], ids=["gradient", "with the value"])
def test_one_of_many_in_steps(count, together):
    points = points_with_an_edge(count)
    found = []
    for method in ("coarsened", "redundant"):
        if together:
            value, slopes = tl.value_and_grad(recurrences_in_steps, method=method)(points, 3)
            np.testing.assert_allclose(value, recurrences_in_steps(points, 3), rtol=1e-12)
        else:
            slopes = tl.grad(recurrences_in_steps, method=method)(points, 3)
        found.append(slopes)
    mine, other = found
    fine = np.isfinite(other)
    assert fine.mean() > 0.9
    np.testing.assert_allclose(mine[fine], other[fine], rtol=1e-11, atol=1e-300)


@tl.function
def descent(x: tl.f64[:], y: tl.f64[:], p: tl.f64, n: tl.i64):
    for _ in range(n):
        slope = 0.0
        for i in range(len(x)):
            slope += x[i] * (x[i] * p - y[i])
        p = p - 0.5 * slope
    return p


def test_arrays_of_a_loop_at_the_top():
    """All elements are looked at; where one is not finite, all of them are asked for again."""
    kernel = tl.compile(tl.grad(descent, argnums=(0, 1), method="coarsened"), (np.ones(4), np.ones(4), 1.0, 9))
    assert "a loop from" in kernel.explain()
    for x, y in (
        (np.full(4, 0.4), np.full(4, 0.3)),
        (np.array([1e-170, 1e150, 0.0, 1e-5]), np.array([1e300, 0.0, 1.0, 1.0])),
    ):
        expected = tl.grad(descent, argnums=(0, 1), method="redundant")(x, y, 1.0, 2)
        for one, other in zip(kernel(x, y, 1.0, 2), expected, strict=True):
            fine = np.isfinite(other)
            assert fine.any()
            np.testing.assert_allclose(one[fine], other[fine], rtol=1e-11)


def test_values_go_by_steps_as_written():
    """What no step changes overflows when it is multiplied first; the value stays zero."""
    point = np.array([[-0.0, 1e-5, np.finfo(np.float32).max, -1.7]], np.float32)
    for method in ("redundant", "coarsened"):
        assert derivatives("growth", "elements", method, "f32")(point, 3)[0, 3] == 0.0
