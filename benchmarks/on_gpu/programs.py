"""Programs for GPUs: operators on long arrays in single precision, and those of the CPU's benchmark in double."""

from __future__ import annotations

from typing import Any

from redundant_physics import xs_lookup
from redundant_programs import gmm, kmeans_newton

import tapeless as tl


@tl.function
def total(x: tl.f32[:]) -> tl.f32:
    return tl.sum(x)


@tl.function
def product(x: tl.f32[:]) -> tl.f32:
    return tl.prod(x)


@tl.function
def smallest(x: tl.f32[:]) -> tl.f32:
    return tl.min(x)


@tl.function
def sums(x: tl.f32[:]) -> tl.f32[:]:
    return tl.cumsum(x)


@tl.function
def products(x: tl.f32[:]) -> tl.f32[:]:
    return tl.cumprod(x)


@tl.function
def minima(x: tl.f32[:]) -> tl.f32[:]:
    return tl.scan(lambda a, b: tl.minimum(a, b), tl.inf, x)


@tl.function
def histogram(bins: tl.f32[:], keys: tl.i32[:], x: tl.f32[:]) -> tl.f32[:]:
    return tl.hist(lambda a, b: a + b, 0.0, bins, keys, x)


@tl.function
def nearest_centres(points: tl.f32[:, :], centres: tl.f32[:, :]) -> tl.f32:
    """The sum of squared distances to the nearest centre."""
    return tl.sum(tl.map(lambda p: tl.min(tl.map(lambda c: tl.sum((p - c) ** 2), centres)), points))


@tl.function
def wave(u: tl.f32[256, 256, 256], before: tl.f32[256, 256, 256], speed: tl.f32, steps: tl.i64) -> tl.f32:
    """The energy of a wave in a box after some steps, each of which can be undone."""
    for _ in range(steps):
        inner = u[1:-1, 1:-1, 1:-1]
        around = u[2:, 1:-1, 1:-1] + u[:-2, 1:-1, 1:-1] + u[1:-1, 2:, 1:-1] + u[1:-1, :-2, 1:-1]
        around = around + u[1:-1, 1:-1, 2:] + u[1:-1, 1:-1, :-2]
        before[1:-1, 1:-1, 1:-1] = 2.0 * inner - before[1:-1, 1:-1, 1:-1] + speed * (around - 6.0 * inner)
        u, before = before, u
    return tl.sum(u * u)


def sums_adjoint(x: tl.f32[:], seed: tl.f32[:]):
    return tl.vjp(sums, x)[1](seed)[0]


def products_adjoint(x: tl.f32[:], seed: tl.f32[:]):
    return tl.vjp(products, x)[1](seed)[0]


def minima_adjoint(x: tl.f32[:], seed: tl.f32[:]):
    return tl.vjp(minima, x)[1](seed)[0]


def histogram_adjoint(bins: tl.f32[:], keys: tl.i32[:], x: tl.f32[:], seed: tl.f32[:]):
    return tl.vjp(histogram, bins, keys, x)[1](seed)[2]


# What is compiled, and the types of its arguments.
F32, I32, F64, I64 = tl.f32[:], tl.i32[:], tl.f64, tl.i64
GMM = (F64[:], F64[:, :], F64[:, :], F64[:, :], F64, I64)
XS = (F64[:], I64[:], F64[:, :], F64[:, :, 5], I64[:, :], F64[:, :])
POINTS = (tl.f32[:, :], tl.f32[:, :])
BOX = tl.f32[256, 256, 256]
WAVE = (BOX, BOX, tl.f32, I64)
KERNELS: dict[str, tuple[Any, tuple[Any, ...]]] = {
    "sum": (total, (F32,)),
    "sum gradient": (tl.grad(total), (F32,)),
    "product": (product, (F32,)),
    "product gradient": (tl.grad(product), (F32,)),
    "minimum": (smallest, (F32,)),
    "minimum gradient": (tl.grad(smallest), (F32,)),
    "cumsum": (sums, (F32,)),
    "cumsum gradient": (sums_adjoint, (F32, F32)),
    "cumprod": (products, (F32,)),
    "cumprod gradient": (products_adjoint, (F32, F32)),
    "scan min": (minima, (F32,)),
    "scan min gradient": (minima_adjoint, (F32, F32)),
    "histogram": (histogram, (F32, I32, F32)),
    "histogram gradient": (histogram_adjoint, (F32, I32, F32, F32)),
    "k-means": (nearest_centres, POINTS),
    "k-means gradient": (tl.grad(nearest_centres, argnums=1), POINTS),
    "k-means newton f64": (kmeans_newton, (F64[:, :], F64[:, :])),
    "gmm": (gmm, GMM),
    "gmm gradient": (tl.grad(gmm, argnums=(0, 1, 2)), GMM),
    "look-ups": (xs_lookup, XS),
    "look-ups gradient": (tl.grad(xs_lookup, argnums=3), XS),
    "wave": (wave, WAVE),
    "wave gradient": (tl.grad(wave, method="reversible"), WAVE),
}
