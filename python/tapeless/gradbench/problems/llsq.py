"""llsq: how far a polynomial is from the sign function, in the sense of least squares."""

from typing import Any

import numpy as np

import tapeless as tl
from tapeless.gradbench.problem import Problem, Task, as_lists, floats


@tl.function
def primal(x: tl.f64[:], n: tl.i64) -> tl.f64:
    def residual(i):
        t = -1.0 + 2.0 * i / (n - 1)
        value, power = 0.0, 1.0
        for coefficient in x:
            value += coefficient * power
            power *= t
        return tl.sign(t) - value

    return 0.5 * tl.sum(tl.map(residual, tl.iota(n)) ** 2)


def arguments(given: dict[str, Any]) -> tuple[np.ndarray, int]:
    return floats(given["x"]), int(given["n"])


PROBLEM: Problem = {"primal": Task(primal, arguments), "gradient": Task(tl.grad(primal), arguments, as_lists)}
