"""Steps of waves that go back in one loop, which undoes them and gathers the adjoint of the state.

The reference are complex steps of numpy, which runs the very same function on complex arrays.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from complex_steps import by_complex_steps, sum_of_squares

import tapeless as tl

SIZES = [0, 1, 2, 3, 4, 5, 8, 33]


def string(u, w, steps):
    before = 0.5 * u
    for _ in range(steps):
        after = 2.0 * u - before
        after[1:-1] += w[1:-1] * (u[2:] - 2.0 * u[1:-1] + u[:-2])
        before, u = u, after
    return u


def far_neighbours(u, w, steps):
    """The borders are three elements wide."""
    before = 0.5 * u
    for _ in range(steps):
        after = 1.5 * u - before
        after[3:-3] += w[3:-3] * (u[6:] + u[:-6])
        before, u = u, after
    return u


def to_one_side(u, w, steps):
    before = 0.5 * u
    for _ in range(steps):
        after = 2.0 * u - before
        after[1:] += w[1:] * (u[1:] - u[:-1])
        before, u = u, after
    return u


def held_ends(u, w, steps):
    before = 0.5 * u
    for _ in range(steps):
        before[1:-1] = 2.0 * u[1:-1] - before[1:-1] + w[1:-1] * (u[2:] - 2.0 * u[1:-1] + u[:-2])
        before, u = u, before
    return u


def four_neighbours(u, w, steps):
    """More slices than products are computed again for."""
    before = 0.5 * u
    for _ in range(steps):
        after = 2.0 * u - before
        after[2:-2] += w[2:-2] * (0.1 * u[4:] + u[3:-1] - 2.0 * u[2:-2] + u[1:-3] + 0.1 * u[:-4])
        before, u = u, after
    return u


PROGRAMS = [string, far_neighbours, to_one_side, held_ends, four_neighbours]


def arrays(size: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(size)
    return rng.uniform(0.2, 0.9, size), rng.uniform(0.1, 0.3, size)


@pytest.mark.one_in(24)
@pytest.mark.parametrize("method", ["reversible", "redundant"])
@pytest.mark.parametrize("program", PROGRAMS)
def test_gradients(program: Callable[..., Any], method: str) -> None:
    gradient = tl.jit(tl.grad(sum_of_squares(program), argnums=(0, 1), method=method))
    sizes = SIZES if program is not far_neighbours else [6, 7, 8, 9, 12, 13, 33]
    for size in sizes:
        for steps in (0, 1, 4):
            u, w = arrays(size)
            found, expected = gradient(u, w, steps), by_complex_steps(program, u, w, steps)
            for one, other in zip(found, expected, strict=True):
                np.testing.assert_allclose(one, other, rtol=1e-11, atol=1e-12, err_msg=f"{size}, {steps} steps")


@pytest.mark.thorough
def test_threads_change_no_bit() -> None:
    arguments = (*arrays(5000), 3)
    gradient = tl.grad(sum_of_squares(string), argnums=(0, 1), method="reversible")
    one, two = (tl.compile(gradient, arguments, threads=count)(*arguments) for count in (1, 2))
    for left, right in zip(one, two, strict=True):
        np.testing.assert_array_equal(left, right)


@pytest.mark.thorough
def test_one_loop() -> None:
    """The map with guards makes the state before, the adjoint of the speed and that of the state."""
    arguments = (*arrays(9), 3)
    gradient = tl.grad(sum_of_squares(string), argnums=(0, 1), method="reversible")
    text = tl.compile(gradient, arguments, checks="off").ir("soac-write-in-place")
    _, back, *_ = text.split("scf.for")[1:]
    maps = [part for part in back.split('"soac.map"') if "tapeless.guard" in part]
    assert len(maps) == 1
    assert '"soac.yield"(' in maps[0]
    yielded = maps[0].split('"soac.yield"(')[1].split(")")[0]
    assert len(yielded.split(",")) == 3
