"""Gradient descent with the crude control of its step that particle and saddle share."""

from collections.abc import Callable
from typing import Any

import tapeless as tl

TOLERANCE = 1e-5
# Gradients by reverse mode, and by one pass of forward mode for each element of the argument.
GRADIENTS = {"r": tl.grad, "f": tl.jacfwd}


@tl.function
def argmin(f, gradient, x):
    """Where f has a minimum near x, more or less."""
    value, slope = f(x), gradient(x)
    eta, successes = 1e-5, 0
    while tl.norm(slope) > TOLERANCE:
        if successes == 10:
            eta, successes = 2.0 * eta, 0
            continue
        new = x - eta * slope
        if tl.norm(x - new) <= TOLERANCE:
            break
        new_value = f(new)
        if new_value < value:
            x, value, slope, successes = new, new_value, gradient(new), successes + 1
        else:
            eta, successes = 0.5 * eta, 0
    return x


def modes(program: Callable[[Any, Any], Any]) -> dict[str, Any]:
    """A program with each pair of modes for the outer and the inner derivative, by their letters."""
    names = ("rr", "ff", "fr", "rf")
    return {name: program(GRADIENTS[name[0]], GRADIENTS[name[1]]) for name in names}
