"""lse: the logarithm of a sum of exponentials, made of a maximum and a sum."""

from typing import Any

import numpy as np

import tapeless as tl
from tapeless.gradbench.problem import Problem, Task, as_lists, floats


@tl.function
def primal(x: tl.f64[:]) -> tl.f64:
    largest = tl.max(x)
    return largest + tl.log(tl.sum(tl.exp(x - largest)))


def arguments(given: dict[str, Any]) -> tuple[np.ndarray]:
    return (floats(given["x"]),)


PROBLEM: Problem = {"primal": Task(primal, arguments), "gradient": Task(tl.grad(primal), arguments, as_lists)}
