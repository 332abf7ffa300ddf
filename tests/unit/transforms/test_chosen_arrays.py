"""A branch that only chooses between two arrays, of equal or different size, in every mode."""

from __future__ import annotations

import numpy as np
import pytest

import tapeless as tl


@tl.function
def chosen(x: tl.f64[:], y: tl.f64[:], first: tl.bool_) -> tl.f64[:]:
    z = x if first else y
    return z * z


@pytest.mark.one_in(2)
@pytest.mark.parametrize("first", [True, False])
@pytest.mark.parametrize("sizes", [(3, 3), (2, 5), (0, 4)])
def test_arrays_chosen_by_a_branch(first: bool, sizes: tuple[int, int]) -> None:
    rng = np.random.default_rng(2)
    x, y = (rng.normal(size=size) for size in sizes)
    picked = x if first else y
    np.testing.assert_array_equal(chosen(x, y, first), picked * picked)
    out, pullback = tl.vjp(chosen, x, y, first)
    x_bar, y_bar, _ = pullback(np.ones_like(out))
    np.testing.assert_allclose(x_bar, 2 * x if first else np.zeros_like(x))
    np.testing.assert_allclose(y_bar, np.zeros_like(y) if first else 2 * y)
    _, moved = tl.jvp(chosen, (x, y, first), (np.ones_like(x), np.ones_like(y), False))
    np.testing.assert_allclose(moved, 2 * picked)
