"""ode: a chain of differential equations by the classical method of Runge and Kutta."""

from typing import Any

import numpy as np

import tapeless as tl
from tapeless.gradbench.problem import Problem, Task, as_lists, floats


@tl.function
def primal(x: tl.f64[:], s: tl.i64) -> tl.f64[:]:
    def slope(y):
        return tl.concat((x[:1], x[1:] * y[:-1]))

    h = 2.0 / s
    y = tl.zeros_like(x)
    for _ in range(s):
        k1 = slope(y)
        k2 = slope(y + 0.5 * h * k1)
        k3 = slope(y + 0.5 * h * k2)
        k4 = slope(y + h * k3)
        y = y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
    return y


@tl.function
def last(x: tl.f64[:], s: tl.i64) -> tl.f64:
    return primal(x, s)[-1]


def arguments(given: dict[str, Any]) -> tuple[np.ndarray, int]:
    return floats(given["x"]), int(given["s"])


PROBLEM: Problem = {"primal": Task(primal, arguments, as_lists), "gradient": Task(tl.grad(last), arguments, as_lists)}
