"""ba: bundle adjustment, the errors of points seen by cameras, and their sparse Jacobian in compressed rows."""

from typing import Any

import numpy as np

import tapeless as tl
from tapeless.gradbench.problem import Problem, Task, as_lists


@tl.function
def rotated(r: tl.f64[3], v: tl.f64[3]) -> tl.f64[3]:
    """A vector turned around an axis by the length of the axis."""
    square = tl.sum(r * r)
    if square == 0.0:
        return v + tl.cross(r, v)
    angle = tl.sqrt(square)
    axis = r / angle
    along = axis * (tl.dot(axis, v) * (1.0 - tl.cos(angle)))
    return v * tl.cos(angle) + tl.cross(axis, v) * tl.sin(angle) + along


@tl.function
def error(camera: tl.f64[11], point: tl.f64[3], weight: tl.f64, feature: tl.f64[2]) -> tl.f64[2]:
    """How far a point is seen from where it was found."""
    y = rotated(camera[:3], point - camera[3:6])
    z = y[:2] / y[2]
    s = tl.sum(z * z)
    distorted = z * (1.0 + camera[9] * s + camera[10] * s * s)
    return weight * (camera[6] * distorted + camera[7:9] - feature)


@tl.function
def weight_error(weight: tl.f64) -> tl.f64:
    return 1.0 - weight * weight


@tl.function
def objective(cameras: tl.f64[:, 11], points: tl.f64[:, 3], weights: tl.f64[:], features: tl.f64[:, 2]):
    def of_observation(i):
        return error(cameras[i % len(cameras)], points[i % len(points)], weights[i], features[i])

    return tl.map(of_observation, tl.iota(len(weights))), tl.map(weight_error, weights)


@tl.function
def jacobian(cameras: tl.f64[:, 11], points: tl.f64[:, 3], weights: tl.f64[:], features: tl.f64[:, 2]):
    """Where rows begin, the columns of all entries, and the entries."""
    n, m, p = len(cameras), len(points), len(weights)

    def block(i):
        """The derivatives of both errors by the camera, the point and the weight."""
        by = tl.jacrev(error, argnums=("camera", "point", "weight"))
        camera, point, weight = by(cameras[i % n], points[i % m], weights[i], features[i])
        return tl.concat((camera, point, weight[:, None]), axis=1)

    def columns(i):
        camera, point = 11 * (i % n) + tl.iota(11), 11 * n + 3 * (i % m) + tl.iota(3)
        row = tl.concat((camera, point, tl.stack((11 * n + 3 * m + i,))))
        return tl.stack((row, row))

    rows = tl.concat((15 * tl.iota(2 * p), 30 * p + tl.iota(p + 1)))
    cols = tl.concat((tl.map(columns, tl.iota(p)).reshape(30 * p), 11 * n + 3 * m + tl.iota(p)))
    values = tl.concat((tl.map(block, tl.iota(p)).reshape(30 * p), tl.map(tl.grad(weight_error), weights)))
    return rows, cols, values


def arguments(given: dict[str, Any]) -> tuple[np.ndarray, ...]:
    """All cameras, points, weights and features, which the input has one of each of."""
    counts = {"cam": given["n"], "x": given["m"], "w": given["p"], "feat": given["p"]}
    return tuple(np.array([given[name]] * count, dtype=np.float64) for name, count in counts.items())


def first_errors(errors: tuple[np.ndarray, np.ndarray]) -> dict[str, Any]:
    of_points, of_weights = errors
    return {
        "reproj_error": {"elements": as_lists(of_points[0]), "repeated": len(of_points)},
        "w_err": {"element": float(of_weights[0]), "repeated": len(of_weights)},
    }


def some_entries(parts: tuple[np.ndarray, ...]) -> dict[str, Any]:
    """The first thirty and the last entry of each array."""
    return {name: as_lists(part[np.r_[:30, -1]]) for name, part in zip(("rows", "cols", "vals"), parts, strict=True)}


PROBLEM: Problem = {
    "objective": Task(objective, arguments, first_errors),
    "jacobian": Task(jacobian, arguments, some_entries),
}
