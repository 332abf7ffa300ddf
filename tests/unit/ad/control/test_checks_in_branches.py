"""Loops in branches that compare sizes once before they start: the reverse sweep has branches of its own, where nothing
else tells these sizes."""

from __future__ import annotations

from textwrap import indent
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import tapeless as tl
from function_from_text import function_from_text
from programs.axes import METHODS

LOOPS = {
    "counted": "for _ in range(n):\n    x = STEP",
    "from_a_number": "for _ in range(k, n):\n    x = STEP",
    "downwards": "for _ in range(n, k, -1):\n    x = STEP",
    "rows": "for row in x:\n    x = STEP",
    "nested": "for _ in range(1, n):\n    for _ in range(k, n):\n        x = STEP",
    "in_strips": "for _ in tl.range(n, stripmine=2):\n    x = STEP",
    "budget": "for _ in tl.range(n, budget=40):\n    x = STEP",
    "two": "for _ in range(n):\n    x = STEP\nfor _ in range(k):\n    x = x * w",
}
HOLDERS = {
    "branch": "if c[0] > 0.0:\n{loop}",
    "other_branch": "if c[0] < 0.0:\n    x = x * 2.0\nelse:\n{loop}",
    "branch_in_a_branch": "if c[0] > 0.0:\n    if c[1] < 0.0:\n{deeper}",
    "branch_in_a_loop": "for q in range(len(c)):\n    if c[q] > 0.0:\n{deeper}",
    "branch_in_a_while_loop": "q = 0\nwhile q < len(c):\n    if c[q] > 0.0:\n{deeper}\n    q += 1",
}
COUNTS = ((3, 2), (0, 5))  # n and k: loops that run, and loops that do not
STEP = "tl.sin(w - x)"  # of the size of w, which comes first
C, W, X = np.array([0.5, -0.5]), np.array([0.3, 0.9, 0.4]), np.array([[0.2, -0.7, 1.1], [0.6, 0.1, -0.4]])
PLAIN = SimpleNamespace(sin=np.sin, range=lambda n, **_hints: range(n))


def source(holder: str, loop: str) -> str:
    """The text of a function."""
    step = LOOPS[loop].replace("STEP", STEP)
    body = HOLDERS[holder].format(loop=indent(step, " " * 4), deeper=indent(step, " " * 8))
    return "def f(w, x, c, n, k):\n" + indent(f"{body}\nreturn x\n", " " * 4)


@pytest.mark.one_in(12)
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("loop", LOOPS)
@pytest.mark.parametrize("holder", HOLDERS)
def test_gradient(holder: str, loop: str, method: str) -> None:
    text = source(holder, loop)
    function, reference = tl.function(function_from_text(text, "f")), function_from_text(text, "f", tl=PLAIN)
    dw, dx, weights = W[::-1], np.cos(X), np.arange(1.0, 7.0).reshape(2, 3)
    for n, k in COUNTS:
        value, pull = tl.vjp(function, W, X, C, n, k, method=method)
        w_bar, x_bar, *_ = pull(weights)
        expected = reference(W + 1e-30j * dw, X + 1e-30j * dx, C, n, k)
        np.testing.assert_allclose(value, expected.real, rtol=1e-12)
        slope = np.sum(weights * expected.imag) / 1e-30
        np.testing.assert_allclose(np.sum(w_bar * dw) + np.sum(x_bar * dx), slope, rtol=1e-9)


@pytest.mark.parametrize("method", METHODS)
def test_other_sizes_are_refused(method: str) -> None:
    function: Any = tl.function(function_from_text(source("branch", "counted"), "f"))
    with pytest.raises(tl.ShapeMismatch, match="sizes 3 and 4 of axis 1 do not match"):
        tl.vjp(function, W, np.ones((2, 4)), C, 2, 1, method=method)
    value, pull = tl.vjp(function, W, np.ones((2, 4)), C, 0, 1, method=method)
    assert value.shape == pull(value)[1].shape == (2, 4)
