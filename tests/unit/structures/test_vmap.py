"""`tl.vmap` over structures: axes as prefixes of arguments and results."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tapeless as tl

from .forms import FORMS, B, Fields, Named, Registered, S, W, X

ROWS = np.linspace(-1.0, 1.0, 12).reshape(4, 3)
BIASES = np.array([0.1, -0.2, 0.3, 0.4])


def loss(w: Any, b: Any, s: Any, x: Any) -> Any:
    return s * np.sum(np.tanh(w * x + b), axis=-1)


# A structure, its axes, what the axes of x are, and what is expected.
PREFIXES: dict[str, tuple[str, tuple[Any, Any, Any], Any, Callable[[], Any]]] = {
    "one axis for all parts": ("dict", (ROWS, BIASES, BIASES), 0, lambda: loss(ROWS, BIASES[:, None], BIASES, X)),
    "dict": ("dict", (ROWS, B, BIASES), {"s": 0, "w": 0, "b": None}, lambda: loss(ROWS, B, BIASES, X)),
    "other axis": ("dict", (ROWS.T, B, S), {"s": None, "w": 1, "b": None}, lambda: loss(ROWS, B, S, X)),
    "last axis": ("list", (ROWS.T, B, S), [-1, None, None], lambda: loss(ROWS, B, S, X)),
    "tuple": ("tuple", (W, BIASES, S), (None, 0, None), lambda: loss(W, BIASES[:, None], S, X)),
    "nested prefix": (
        "nested",
        (W, B, BIASES),
        {"layers": [0, None]},
        lambda: loss(W, B, BIASES, X),
    ),
    "named": ("named", (ROWS, B, S), Named(0, None, None), lambda: loss(ROWS, B, S, X)),
    "dataclass": ("dataclass", (ROWS, B, S), Fields(0, None, None), lambda: loss(ROWS, B, S, X)),
    "registered": ("registered", (ROWS, B, S), Registered(0, None, None, "tanh"), lambda: loss(ROWS, B, S, X)),
}


@pytest.mark.one_in(2)
@pytest.mark.parametrize("case", PREFIXES)
def test_axes_are_prefixes_of_arguments(case: str) -> None:
    name, parts, axes, expected = PREFIXES[case]
    form = FORMS[name]
    found = tl.vmap(form.loss, in_axes=(axes, None))(form.make(*parts), X)
    np.testing.assert_allclose(found, expected(), rtol=1e-12)


def test_gradients_of_batches_and_batches_of_gradients() -> None:
    form = FORMS["dict"]
    axes = {"w": 0, "b": None, "s": None}
    p = form.make(ROWS, B, S)
    each = tl.vmap(tl.grad(form.loss), in_axes=(axes, None), out_axes={"w": 1, "b": 0, "s": -1})(p, X)
    d = 1.0 - np.tanh(ROWS * X + B) ** 2
    np.testing.assert_allclose(each["w"], (S * d * X).T)
    np.testing.assert_allclose(each["b"], S * np.sum(d, axis=1))
    total = tl.grad(lambda p, x: tl.sum(tl.vmap(form.loss, in_axes=(axes, None))(p, x)))(p, X)
    np.testing.assert_allclose(total["w"], S * d * X)
    np.testing.assert_allclose(total["b"], S * np.sum(d))
    assert isinstance(total["s"], float)


def test_axes_of_results() -> None:
    @tl.function
    def split(x):
        return {"x": x, "parts": (tl.outer(x, x), [2.0 * x[0]])}

    found = tl.vmap(split, out_axes={"x": 1, "parts": (-1, 0)})(ROWS)
    np.testing.assert_allclose(found["x"], ROWS.T)
    np.testing.assert_allclose(found["parts"][0], np.moveaxis(ROWS[:, :, None] * ROWS[:, None, :], 0, -1))
    np.testing.assert_allclose(found["parts"][1][0], 2.0 * ROWS[:, 0])
    inside = tl.function(lambda x: tl.vmap(split, in_axes=(0,), out_axes={"parts": 0, "x": 1})(x))(ROWS)
    np.testing.assert_allclose(inside["x"], ROWS.T)


REFUSED = {
    "another structure": (
        lambda: tl.vmap(FORMS["dict"].loss, in_axes=({"w": 0}, None))(FORMS["dict"].make(ROWS, B, S), X),
        r"in_axes has a dict with 'w' for 'p', which is a dict with 'w', 'b', 's'",
    ),
    "too deep": (
        lambda: tl.vmap(FORMS["nested"].loss, in_axes=({"layers": [0, (0, (0, 0), 0, 0)]}, None))(
            FORMS["nested"].make(W, B, BIASES), X
        ),
        r"in_axes has a tuple of 2 for 'p\['layers'\]\[1\]\[1\]', which is a scalar",
    ),
    "no such axis": (
        lambda: tl.vmap(FORMS["dict"].loss, in_axes=({"w": 0, "b": 0, "s": None}, None))(
            FORMS["dict"].make(ROWS, B, S), X
        ),
        r"tl.vmap over axis 0 of 'p\['b'\]', which is a scalar",
    ),
    "no axis": (lambda: tl.vmap(FORMS["dict"].loss, in_axes=({"w": "0"}, None)), r"in_axes\[0\]\['w'\]='0' is no axis"),
    "result without axis": (
        lambda: tl.vmap(lambda x: {"y": x}, out_axes={"y": None})(ROWS),
        r"out_axes=None for 'result\['y'\]'",
    ),
    "result too small": (
        lambda: tl.vmap(lambda x: {"y": x}, out_axes=2)(ROWS),
        r"out_axes=2 for 'result\['y'\]', which is an array",
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_refused(case: str) -> None:
    work, message = REFUSED[case]
    with pytest.raises(tl.ArgumentError, match=message):
        work()
