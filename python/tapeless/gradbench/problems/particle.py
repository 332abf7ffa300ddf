"""particle: a charge is steered to the origin; the derivative by the steering runs through gradients, the forces."""

from typing import Any

import tapeless as tl
from tapeless.gradbench.problem import Problem, Task
from tapeless.gradbench.problems.descent import argmin, by_modes

DT = 0.1


@tl.function
def miss(mode, w):
    """The squared distance from the origin at which the particle meets the x axis; the mode makes the forces."""

    def potential(z):
        first, second = z - tl.stack((10.0, 10.0 - w)), z - tl.stack((10.0, 0.0))
        return 1.0 / tl.norm(first) + 1.0 / tl.norm(second)

    position, velocity = tl.stack((0.0, 8.0)), tl.stack((0.75, 0.0))
    while True:
        _, slope = mode(potential, position)
        position = position + DT * velocity
        if position[1] <= 0.0:
            break
        velocity = velocity - DT * slope
    return (position[0] - position[1] / velocity[1] * velocity[0]) ** 2


def steered(outer: Any, inner: Any) -> Any:
    """The program with these modes for the derivative by w and for the forces."""

    @tl.function
    def best(w: tl.f64) -> tl.f64:
        def objective(x):
            return miss(inner, x[0])

        return argmin(outer, objective, tl.stack((w,)))[0]

    return best


def arguments(given: dict[str, Any]) -> tuple[float]:
    return (float(given["w"]),)


PROBLEM: Problem = {name: Task(program, arguments) for name, program in by_modes(steered).items()}
