"""k-means in single precision: the cost, its gradient, and the diagonal of the Hessian beside it."""

from __future__ import annotations

import tapeless as tl
from on_gpu.programs.kernel import Kernel


@tl.function
def kmeans(points: tl.f32[:, :], centres: tl.f32[:, :]) -> tl.f32:
    """The sum of squared distances to the nearest centre."""
    return tl.sum(tl.map(lambda p: tl.min(tl.map(lambda c: tl.sum((p - c) ** 2), centres)), points))


@tl.function
def kmeans_newton(points: tl.f32[:, :], centres: tl.f32[:, :]):
    """The gradient and the diagonal of the Hessian, which has no other elements."""

    def gradient(centres):
        return tl.grad(kmeans, argnums=1)(points, centres)

    return tl.jvp(gradient, (centres,), (tl.ones_like(centres),))


POINTS = (tl.f32[:, :], tl.f32[:, :])
KERNELS = {
    "k-means": Kernel(kmeans, POINTS),
    "k-means gradient": Kernel(tl.grad(kmeans, argnums=1), POINTS),
    "k-means newton": Kernel(kmeans_newton, POINTS),
}
