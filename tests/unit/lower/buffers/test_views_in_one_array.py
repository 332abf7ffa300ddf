"""Views of one array concatenated with one another, with numbers that are made beside the array."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import tapeless as tl

X = np.array([1.0, 2.0, 4.0])
VIEWS: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "array": lambda m: np.ravel(m),
    "transposed": lambda m: np.ravel(m.T),
    "reversed": lambda m: np.ravel(m[::-1]),
    "row": lambda m: m[0],
    "column": lambda m: m[:, 1],
    "part": lambda m: np.ravel(m[1:, :2]),
    "means": lambda m: np.mean(m, axis=1),
}


@pytest.mark.one_in(41)
@pytest.mark.parametrize("last", VIEWS)
@pytest.mark.parametrize("second", VIEWS)
@pytest.mark.parametrize("first", VIEWS)
def test_all_parts_are_there(first: str, second: str, last: str) -> None:
    """Offsets are sums of products of sizes, which are not negative."""
    of_first, of_second, of_last = VIEWS[first], VIEWS[second], VIEWS[last]

    def parts(x):
        m = np.outer(x, np.sin(x))
        return np.concatenate([of_first(m), of_second(m), of_last(m)])

    np.testing.assert_allclose(tl.function(parts)(X), parts(X))
