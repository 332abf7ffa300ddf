"""Arrays that change their size in a loop: from a run-time size they work, from a constant one they are refused."""

from __future__ import annotations

import numpy as np
import pytest

import tapeless as tl


@tl.function
def from_one(n: tl.i64) -> tl.f64[:]:
    x = tl.zeros(1)
    for i in range(n):
        x = tl.concat((x, x + i))
    return x


@tl.function
def from_argument(x: tl.f64[:], n: tl.i64) -> tl.f64[:]:
    for i in range(n):
        x = tl.concat((x, x + i))
    return x


def test_a_constant_size_that_changes_is_refused() -> None:
    with pytest.raises(tl.TapelessError, match="starts with a constant size and changes it"):
        from_one(3)


@pytest.mark.parametrize("n", [0, 1, 4])
def test_a_size_known_at_run_time_may_change(n: int) -> None:
    x = np.array([1.0, 2.0])
    expected = x
    for i in range(n):
        expected = np.concatenate((expected, expected + i))
    np.testing.assert_array_equal(from_argument(x, n), expected)
