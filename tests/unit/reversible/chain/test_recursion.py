"""Bennett's scheme written in the language: a procedure that calls itself, whose inverse comes with it."""

from __future__ import annotations

import numpy as np
import pytest

import tapeless as tl

CELLS = 100


@tl.function
def diffused(u: tl.f64[:]) -> tl.f64[:]:
    flow = 0.2 * (u[1:] - u[:-1])
    return u + tl.concat((flow, tl.zeros(1))) - tl.concat((tl.zeros(1), flow))


@tl.reversible
def march(last: tl.f64[:], first: tl.In[tl.f64[:]], n: tl.In[tl.i64]):
    if n == 1:
        last += diffused(first)
    else:
        with tl.ancilla(tl.zeros(len(first))) as middle:
            march(middle, first, (n + 1) // 2)
            march(last, middle, n // 2)
            (~march)(middle, first, (n + 1) // 2)


def step_matrix() -> np.ndarray:
    flow = 0.2 * (np.eye(CELLS - 1, CELLS, 1) - np.eye(CELLS - 1, CELLS))
    return np.eye(CELLS) + np.eye(CELLS, CELLS - 1) @ flow - np.eye(CELLS, CELLS - 1, -1) @ flow


def started() -> np.ndarray:
    u = np.zeros(CELLS)
    u[30] = 1.0
    return u


@pytest.mark.one_in(4)
@pytest.mark.parametrize("n", [1, 2, 7, 100])
def test_only_the_first_and_the_last_state_are_left(n: int) -> None:
    """Ancillas must be zero at the end, so that a state that was left behind would be an error."""
    last, first, _ = march(np.zeros(CELLS), started(), n)
    np.testing.assert_array_equal(first, started())
    np.testing.assert_allclose(last, np.linalg.matrix_power(step_matrix(), n) @ first, rtol=1e-12, atol=1e-16)
    assert last.sum() == pytest.approx(1.0, rel=1e-13)
    assert not (~march)(last, first, n)[0].any()
