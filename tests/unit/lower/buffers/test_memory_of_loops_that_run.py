"""Memory of loops that has elements only if they run is not that of other loops, which may run when these do not."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tapeless as tl
from programs.axes import METHODS

C = np.array([[0.3, -0.7, 1.1], [0.9, 0.2, -0.4]])
W = np.array([[1.5, -0.5, 0.25], [0.75, 2.0, -1.0]])
COUNTS = [(n, k) for n in range(3) for k in range(3)]


def every_second(c: Any, n: Any, k: Any) -> Any:
    """The state of each step is one of the iterations of two loops, one of which has an iteration less."""
    for _ in range(n):
        for _ in range(k):
            c[:, :-1:2] *= c[:, 1::2] - 0.25
    return c


def every_second_row(c: Any, n: Any, k: Any) -> Any:
    for _ in range(n):
        for _ in range(k):
            c[::2] *= c[1::2] - 0.25
    return c


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("program", [every_second, every_second_row])
def test_gradients(program: Any, method: str) -> None:
    function = tl.function(program)
    for n, k in COUNTS:
        value, pull = tl.vjp(function, C, n, k, method=method)
        c_bar, *_ = pull(W)
        np.testing.assert_allclose(value, program(C.copy(), n, k), rtol=1e-13)
        for place in np.ndindex(C.shape):
            along = np.zeros(C.shape, complex)
            along[place] = 1e-30j
            np.testing.assert_allclose(c_bar[place], np.sum(W * program(C + along, n, k).imag) / 1e-30, rtol=1e-11)
