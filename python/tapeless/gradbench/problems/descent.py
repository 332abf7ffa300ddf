"""Gradient descent with the crude control of its step that particle and saddle share."""

from collections.abc import Callable
from typing import Any

import tapeless as tl

TOLERANCE = 1e-5


@tl.function
def reverse(f, x):
    """The value and the gradient, by one pass back."""
    return f(x), tl.grad(f)(x)


@tl.function
def forward(f, x):
    """The value and the gradient, by one pass for each direction."""
    values, slopes = tl.map(lambda direction: tl.jvp(f, (x,), (direction,)), tl.eye(len(x)))
    return values[0], slopes


MODES = {"r": reverse, "f": forward}


@tl.function
def argmin(mode, f, x):
    """Where f has a minimum near x, more or less; the mode makes values and gradients."""
    value, slope = mode(f, x)
    eta, successes = 1e-5, 0
    while tl.norm(slope) > TOLERANCE:
        if successes == 10:
            eta, successes = 2.0 * eta, 0
            continue
        new = x - eta * slope
        if tl.norm(x - new) <= TOLERANCE:
            break
        new_value, new_slope = mode(f, new)
        if new_value < value:
            x, value, slope, successes = new, new_value, new_slope, successes + 1
        else:
            eta, successes = 0.5 * eta, 0
    return x


def by_modes(program: Callable[[Any, Any], Any]) -> dict[str, Any]:
    """A program with each pair of modes for the outer and the inner derivative, by their letters."""
    return {name: program(MODES[name[0]], MODES[name[1]]) for name in ("rr", "ff", "fr", "rf")}
