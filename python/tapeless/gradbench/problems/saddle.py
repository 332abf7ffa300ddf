"""saddle: a minimum of maxima, so that one descent is differentiated through another."""

from typing import Any

import numpy as np

import tapeless as tl
from tapeless.gradbench.problem import Problem, Task, as_lists, floats
from tapeless.gradbench.problems.descent import argmin, by_modes


@tl.function
def height(p, q):
    return tl.sum(p**2) - tl.sum(q**2)


@tl.function
def argmax(mode, f, x):
    """Where f has a maximum near x; the mode makes the gradient."""

    def negative(x):
        return -f(x)

    return argmin(mode, negative, x)


def saddle_point(outer: Any, inner: Any) -> Any:
    """The program with these modes for the derivative of the maximum and of the height."""

    @tl.function
    def points(start: tl.f64[2]) -> tl.f64[4]:
        def highest(p):
            return height(p, argmax(inner, lambda q: height(p, q), start))

        p = argmin(outer, highest, start)
        q = argmax(outer, lambda q: height(p, q), start)
        return tl.concat((p, q))

    return points


def arguments(given: dict[str, Any]) -> tuple[np.ndarray]:
    return (floats(given["start"]),)


PROBLEM: Problem = {name: Task(program, arguments, as_lists) for name, program in by_modes(saddle_point).items()}
