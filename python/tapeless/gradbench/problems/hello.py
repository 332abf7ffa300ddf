"""hello: a square and its derivative, to try the protocol."""

import tapeless as tl
from tapeless.gradbench.problem import Problem, Task


@tl.function
def square(x: tl.f64) -> tl.f64:
    return x * x


def arguments(given: float) -> tuple[float]:
    return (float(given),)


PROBLEM: Problem = {"square": Task(square, arguments), "double": Task(tl.grad(square), arguments)}
