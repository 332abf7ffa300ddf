"""kmeans: the squared distances of points to the nearest of several centroids, and Newton's direction."""

from typing import Any

import numpy as np

import tapeless as tl
from tapeless.gradbench.problem import Problem, Task, as_lists, floats


@tl.function
def cost(points: tl.f64[:, :], centroids: tl.f64[:, :]) -> tl.f64:
    def nearest(point):
        return tl.min(tl.map(lambda centroid: tl.sum((point - centroid) ** 2), centroids))

    return tl.sum(tl.map(nearest, points))


@tl.function
def direction(points: tl.f64[:, :], centroids: tl.f64[:, :]) -> tl.f64[:, :]:
    """The gradient over the diagonal of the Hessian, all of whose other elements are zero."""
    gradient = tl.grad(lambda centroids: cost(points, centroids))
    slope, diagonal = tl.jvp(gradient, (centroids,), (tl.ones_like(centroids),))
    return slope / diagonal


def arguments(given: dict[str, Any]) -> tuple[np.ndarray, np.ndarray]:
    return floats(given["points"]), floats(given["centroids"])


PROBLEM: Problem = {"cost": Task(cost, arguments), "dir": Task(direction, arguments, as_lists)}
