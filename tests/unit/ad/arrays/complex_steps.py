"""Gradients of sums of squares by complex steps of numpy, which runs the very same function on complex arrays."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

import tapeless as tl

TINY = 1e-30


def sum_of_squares(program: Callable[..., Any]) -> Callable[..., Any]:
    """The loss of a program of two arrays and a number of steps, to be differentiated."""
    function = tl.function(program)

    def loss(u, w, steps):
        result = function(u, w, steps)
        return tl.sum(result * result)

    return loss


def by_complex_steps(
    program: Callable[..., Any], u: np.ndarray, w: np.ndarray, steps: int, argnums: Sequence[int] = (0, 1)
) -> list[np.ndarray]:
    """The gradients of the loss with respect to the arrays, one step per element."""
    gradients = [np.zeros(u.shape) for _ in argnums]
    for gradient, number in zip(gradients, argnums, strict=True):
        for place in np.ndindex(*u.shape):
            moved = [u.astype(complex), w.astype(complex)]
            moved[number][place] += 1j * TINY
            result = program(*moved, steps)
            gradient[place] = np.sum(result * result).imag / TINY
    return gradients
