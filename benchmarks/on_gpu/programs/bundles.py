"""Bundle adjustment in double precision: the errors of observations, and the Jacobian of each."""

from __future__ import annotations

import tapeless as tl
from on_gpu.programs.kernel import Kernel


@tl.function
def rotated(rotation: tl.f64[3], x: tl.f64[3]) -> tl.f64[3]:
    """A vector turned around an axis, by the axis's length."""
    square = tl.sum(rotation * rotation)
    if square > 0.0:
        angle = tl.sqrt(square)
        cosine, sine = tl.cos(angle), tl.sin(angle)
        w = rotation / angle
        along = tl.sum(w * x) * (1.0 - cosine)
        y0 = x[0] * cosine + (w[1] * x[2] - w[2] * x[1]) * sine + w[0] * along
        y1 = x[1] * cosine + (w[2] * x[0] - w[0] * x[2]) * sine + w[1] * along
        y2 = x[2] * cosine + (w[0] * x[1] - w[1] * x[0]) * sine + w[2] * along
    else:
        y0 = x[0] + rotation[1] * x[2] - rotation[2] * x[1]
        y1 = x[1] + rotation[2] * x[0] - rotation[0] * x[2]
        y2 = x[2] + rotation[0] * x[1] - rotation[1] * x[0]
    return tl.stack((y0, y1, y2))


@tl.function
def reprojection(p: tl.f64[15], feature: tl.f64[2]) -> tl.f64[2]:
    """The error of a view. p: rotation, centre, focus, principal point, distortion; the point; the weight."""
    seen = rotated(p[:3], p[11:14] - p[3:6])
    flat = seen[:2] / seen[2]
    square = tl.sum(flat * flat)
    distortion = 1.0 + p[9] * square + p[10] * square * square
    return p[14] * (p[6] * distortion * flat + p[7:9] - feature)


CAMERAS, POINTS, NUMBERS = tl.f64[:, 11], tl.f64[:, 3], tl.i32[:]


@tl.function
def errors(
    cameras: CAMERAS, points: POINTS, weights: tl.f64[:], camera: NUMBERS, point: NUMBERS, features: tl.f64[:, 2]
):
    """The errors of all observations."""

    def error(camera, point, weight, feature):
        return reprojection(tl.concat((cameras[camera], points[point], tl.full(1, weight))), feature)

    return tl.map(error, camera, point, weights, features)


@tl.function
def jacobians(
    cameras: CAMERAS, points: POINTS, weights: tl.f64[:], camera: NUMBERS, point: NUMBERS, features: tl.f64[:, 2]
):
    """The derivatives of each observation's two errors by its camera, its point, and its weight."""

    def jacobian(camera, point, weight, feature):
        seen = tl.concat((cameras[camera], points[point], tl.full(1, weight)))
        return tl.jacrev(lambda p: reprojection(p, feature))(seen)

    return tl.map(jacobian, camera, point, weights, features)


BUNDLE = (CAMERAS, POINTS, tl.f64[:], NUMBERS, NUMBERS, tl.f64[:, 2])
KERNELS = {
    "bundle": Kernel(errors, BUNDLE),
    "bundle jacobian": Kernel(jacobians, BUNDLE),
}
