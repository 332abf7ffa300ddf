"""Loops before, after and in branches that choose between arrays of different sizes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tapeless as tl
from programs.axes import METHODS

SHORT, LONG = np.linspace(0.1, 0.4, 3), np.linspace(0.2, 0.5, 5)


def loop_in_branch(choice: tl.f64, x: tl.f64[:], y: tl.f64[:], n: tl.i64):
    if choice > 0.0:
        x = y
    else:
        for _ in range(n):
            x = x + x * x
    return x


def loops_around_branch(choice: tl.f64, x: tl.f64[:], y: tl.f64[:], n: tl.i64):
    for _ in range(n):
        x = x + x * x
    z = x
    if choice > 0.0:
        z = y
    for _ in range(n):
        z = z * 2.0 + tl.sin(z)
    return z


@pytest.mark.one_in(8)
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("f", [loop_in_branch, loops_around_branch])
@pytest.mark.parametrize("choice", [-1.0, 1.0])
def test_adjoints_have_the_size_of_what_was_chosen(f: Callable[..., Any], choice: float, method: str) -> None:
    out, pullback = tl.vjp(f, choice, SHORT, LONG, 2, method=method)
    weights = np.linspace(1.0, 2.0, len(out))
    _, x_bar, y_bar, _ = pullback(weights)
    along = tl.jvp(f, (choice, SHORT, LONG, 2), (0.0, SHORT, LONG, 0))[1]
    step = 1e-6
    ends = [tl.function(f)(choice, SHORT * (1.0 + h), LONG * (1.0 + h), 2) for h in (step, -step)]
    np.testing.assert_allclose(along, (ends[0] - ends[1]) / (2.0 * step), rtol=1e-8)
    np.testing.assert_allclose(x_bar @ SHORT + y_bar @ LONG, weights @ along, rtol=1e-13)
    assert not np.any(x_bar if choice > 0.0 else y_bar)
