"""Arrays carried through many loops, whose sizes only checks before these compare."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tapeless as tl
from programs.axes import METHODS


def halved(x, y, n):
    for _ in tl.range(n, budget=40):
        for _ in range(4):
            x = x * 0.5 + y
    return tl.sum(x)


def halved_in_two(x, y, n):
    for _ in tl.range(n, budget=40):
        for _ in tl.range(2, budget=40):
            for _ in range(2):
                x = x * 0.5 + y
    return tl.sum(x)


def taken_from_itself(x, y, n):
    for _ in tl.range(n, budget=40):
        for _ in range(4):
            x -= x
    return tl.sum(x + y * 0.5**12)


@pytest.mark.one_in(3)
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("program", [halved, halved_in_two, taken_from_itself])
def test_gradients(program: Callable[..., Any], method: str) -> None:
    x, y = np.ones((3, 2)), np.ones((3, 2))
    found = tl.grad(tl.function(program), argnums=(0, 1), method=method)(x, y, 3)
    slope = 0.5**12
    expected = (0.0, slope) if program is taken_from_itself else (slope, 2 - 2 * slope)
    for adjoint, value in zip(found, expected, strict=True):
        assert np.allclose(adjoint, value, rtol=1e-14)
