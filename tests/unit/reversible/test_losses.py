"""`loss=`: which parameter of a procedure is differentiated, and what is refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tapeless as tl


@tl.reversible
def area(out, total: tl.f64[:], width, height):
    out += width * height
    total += width + 2.0 * height


@tl.function
def gradient_inside(width: tl.f64, height: tl.f64):
    return tl.grad(area, loss="out", argnums=("width", "height"))(0.0, tl.zeros(2), width, height)


CELLS = (0.0, np.zeros(2), 3.0, 5.0)


@pytest.mark.parametrize("loss", [0, "out", -4])
def test_loss_is_an_index_or_a_name(loss: int | str) -> None:
    assert tl.grad(area, loss=loss, argnums=(2, 3))(*CELLS) == (5.0, 3.0)
    value, gradient = tl.value_and_grad(area, loss=loss, argnums=3)(*CELLS)
    assert (value, gradient) == (15.0, 3.0)


def test_gradient_inside_of_a_function() -> None:
    assert gradient_inside(3.0, 5.0) == (5.0, 3.0)


@pytest.mark.parametrize("kind", [tl.jacrev, tl.jacfwd])
def test_jacobian_of_an_array(kind: Any) -> None:
    assert kind(area, loss="total", argnums=3)(*CELLS).tolist() == [2.0, 2.0]


def test_jacobian_of_all_parameters() -> None:
    out, total, width, height = tl.jacrev(area, argnums=2)(*CELLS)
    assert (out, total.tolist(), width, height) == (5.0, [1.0, 1.0], 1.0, 0.0)


def test_gradient_of_the_inverse() -> None:
    assert tl.grad(~area, loss=0, argnums=(2, 3))(*CELLS) == (-5.0, -3.0)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({}, "say which one holds the loss"),
        ({"loss": "outt"}, "no parameter of 'area'"),
        ({"loss": 4}, "no parameter of 'area'"),
        ({"loss": "total"}, "the loss of tl.grad is an array"),
    ],
)
def test_wrong_losses_are_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(tl.ArgumentError, match=message):
        tl.grad(area, **options)(*CELLS)


def test_functions_have_no_loss_parameter() -> None:
    with pytest.raises(tl.ArgumentError, match="leave loss out"):
        tl.grad(lambda x: x * x, loss=0)(1.0)
