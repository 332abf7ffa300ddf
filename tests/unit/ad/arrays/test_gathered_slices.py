"""Gradients through overlapping slices, which one loop gathers: complex steps of numpy are the reference.

Programs use only what numpy has, too: `reference` runs the very same function on complex arrays.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from complex_steps import by_complex_steps, sum_of_squares

import tapeless as tl

pytestmark = pytest.mark.one_in(2)

SIZES = [0, 1, 2, 3, 4, 7]


def second_difference(u, w, steps):
    return w[1:-1] * (u[2:] - 2.0 * u[1:-1] + u[:-2])


def far_apart(u, w, steps):
    """Slices that have nothing in common unless the array is large."""
    return w[:-4] * u[4:] - u[:-4] * u[4:]


def one_sided(u, w, steps):
    return u[1:] * w[1:] - u[:-1] + u[1:] * u[:-1]


def with_whole(u, w, steps):
    """The array is read as a whole as well, between its slices."""
    v = u[2:] * w[2:]
    x = u * w
    return x[2:] + v + u[:-2]


def every_other(u, w, steps):
    """Slices with strides beside others."""
    v = u[1:] + u[:-1]
    return v[::2] * w[1::2] + u[1::2]


def diffused(u, w, steps):
    for _ in range(steps):
        u[1:-1] += 0.2 * w[1:-1] * (u[2:] - 2.0 * u[1:-1] + u[:-2])
    return u


def waves(u, w, steps):
    before = 0.5 * u
    for _ in range(steps):
        after = 2.0 * u - before
        after[1:-1] += w[1:-1] * (u[2:] - 2.0 * u[1:-1] + u[:-2])
        before, u = u, after
    return u


def leapfrog(u, w, steps):
    v = 0.1 * u
    for _ in range(steps):
        v[1:-1] += 0.3 * w[1:-1] * (u[2:] - 2.0 * u[1:-1] + u[:-2])
        u[1:-1] += 0.5 * v[1:-1]
    return u * v


VECTORS = [second_difference, far_apart, one_sided, with_whole, diffused, waves, leapfrog]


def five_points(u, w, steps):
    inner = u[2:, 1:-1] + u[:-2, 1:-1] + u[1:-1, 2:] + u[1:-1, :-2] - 4.0 * u[1:-1, 1:-1]
    return w[1:-1, 1:-1] * inner


def nine_points(u, w, steps):
    rows = u[2:, :] - 2.0 * u[1:-1, :] + u[:-2, :]
    return w[1:-1, 1:-1] * (rows[:, 2:] + 3.0 * rows[:, 1:-1] - rows[:, :-2])


def rows_only(u, w, steps):
    return (u[1:, :] - u[:-1, :]) * w[1:, :]


def columns_only(u, w, steps):
    return (u[:, 3:] + u[:, :-3] * u[:, 3:]) * w[:, 3:]


def membrane(u, w, steps):
    before = 0.5 * u
    for _ in range(steps):
        after = 2.0 * u - before
        inner = u[2:, 1:-1] + u[:-2, 1:-1] + u[1:-1, 2:] + u[1:-1, :-2] - 4.0 * u[1:-1, 1:-1]
        after[1:-1, 1:-1] += w[1:-1, 1:-1] * inner
        before, u = u, after
    return u


MATRICES = [five_points, nine_points, rows_only, columns_only, membrane]


def seven_points(u, w, steps):
    inner = u[2:, 1:-1, 1:-1] + u[:-2, 1:-1, 1:-1] + u[1:-1, 2:, 1:-1] + u[1:-1, :-2, 1:-1]
    return (inner + u[1:-1, 1:-1, 2:] + u[1:-1, 1:-1, :-2] - 6.0 * u[1:-1, 1:-1, 1:-1]) * w[1:-1, 1:-1, 1:-1]


def body(u, w, steps):
    before = 0.5 * u
    for _ in range(steps):
        after = 2.0 * u - before
        inner = u[2:, 1:-1, 1:-1] + u[:-2, 1:-1, 1:-1] + u[1:-1, 2:, 1:-1] + u[1:-1, :-2, 1:-1]
        inner = inner + u[1:-1, 1:-1, 2:] + u[1:-1, 1:-1, :-2] - 6.0 * u[1:-1, 1:-1, 1:-1]
        after[1:-1, 1:-1, 1:-1] += 0.2 * w[1:-1, 1:-1, 1:-1] * inner
        before, u = u, after
    return u


def arrays(shape: tuple[int, ...]) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(5)
    return rng.uniform(0.2, 0.9, shape), rng.uniform(0.2, 0.9, shape)


def check(program: Callable[..., Any], shapes: list[tuple[int, ...]], method: str = "redundant") -> None:
    """Compares for unknown sizes, which one kernel takes, in both precisions."""
    gradient = tl.jit(tl.grad(sum_of_squares(program), method=method))
    for shape in shapes:
        u, w = arrays(shape)
        expected = by_complex_steps(program, u, w, 3, (0,))[0]
        np.testing.assert_allclose(gradient(u, w, 3), expected, rtol=1e-11, atol=1e-12, err_msg=str(shape))
        single = gradient(u.astype(np.float32), w.astype(np.float32), 3)
        np.testing.assert_allclose(single, expected, rtol=1e-4, atol=1e-4, err_msg=str(shape))


@pytest.mark.one_in(4)
@pytest.mark.parametrize("program", [*VECTORS, every_other])
def test_vectors(program: Callable[..., Any]) -> None:
    sizes = SIZES if program is not every_other else [1, 3, 5, 9]
    check(program, [(size,) for size in sizes])


@pytest.mark.one_in(2)
@pytest.mark.parametrize("program", MATRICES)
def test_matrices(program: Callable[..., Any]) -> None:
    check(program, [(size, 5) for size in SIZES] + [(6, size) for size in SIZES])


@pytest.mark.thorough
def test_three_axes() -> None:
    check(seven_points, [(size, 4, 5) for size in (0, 2, 3, 5)] + [(4, 5, size) for size in (1, 2, 4)] + [(5, 6, 8)])


@pytest.mark.one_in(4)
@pytest.mark.parametrize("program", [waves, leapfrog, membrane])
def test_loops_that_run_backwards(program: Callable[..., Any]) -> None:
    shapes = [(size,) for size in (1, 3, 7)] if program is not membrane else [(3, 3), (5, 7)]
    check(program, shapes, "reversible")


@pytest.mark.thorough
def test_loops_on_three_axes() -> None:
    check(body, [(2, 5, 5), (4, 3, 2), (5, 5, 6)], "reversible")


@pytest.mark.parametrize("size", [3, 4, 9])
def test_known_sizes(size: int) -> None:
    u, w = arrays((size,))
    loss = sum_of_squares(second_difference)
    loss.__annotations__ = {"u": tl.f64[size], "w": tl.f64[size], "steps": tl.i64, "return": tl.f64}
    gradient = tl.jit(tl.grad(tl.function(loss)))(u, w, 0)
    np.testing.assert_allclose(gradient, by_complex_steps(second_difference, u, w, 0, (0,))[0], rtol=1e-11, atol=1e-12)


@pytest.mark.one_in(2)
@pytest.mark.parametrize("program", [waves, membrane])
def test_threads_change_no_bit(program: Callable[..., Any]) -> None:
    shape = (4096,) if program is waves else (96, 80)
    u, w = arrays(shape)
    loss = sum_of_squares(program)
    one, two = (tl.compile(tl.grad(loss), (u, w, 3), threads=count)(u, w, 3) for count in (1, 2))
    np.testing.assert_array_equal(one, two)


@pytest.mark.parametrize("program", [second_difference, five_points])
def test_one_loop(program: Callable[..., Any]) -> None:
    """No slice of the adjoint is read again."""
    u, w = arrays((9,) * (1 if program is second_difference else 2))
    text = tl.compile(tl.grad(sum_of_squares(program)), (u, w, 0), checks="off").ir("soac-write-in-place")
    assert "tensor.insert_slice" not in text
    assert "tapeless.guard" in text
