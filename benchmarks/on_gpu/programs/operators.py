"""Sums, products, minima, their scans, and histograms of long arrays in single precision."""

from __future__ import annotations

import tapeless as tl
from on_gpu.programs.kernel import Kernel


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
def lowest(bins: tl.f32[:], keys: tl.i32[:], x: tl.f32[:]) -> tl.f32[:]:
    """The smallest value of each bin."""
    return tl.hist(lambda a, b: tl.minimum(a, b), tl.inf, bins, keys, x)


def sums_adjoint(x: tl.f32[:], seed: tl.f32[:]):
    return tl.vjp(sums, x)[1](seed)[0]


def products_adjoint(x: tl.f32[:], seed: tl.f32[:]):
    return tl.vjp(products, x)[1](seed)[0]


def minima_adjoint(x: tl.f32[:], seed: tl.f32[:]):
    return tl.vjp(minima, x)[1](seed)[0]


def histogram_adjoint(bins: tl.f32[:], keys: tl.i32[:], x: tl.f32[:], seed: tl.f32[:]):
    return tl.vjp(histogram, bins, keys, x)[1](seed)[2]


def lowest_adjoint(bins: tl.f32[:], keys: tl.i32[:], x: tl.f32[:], seed: tl.f32[:]):
    return tl.vjp(lowest, bins, keys, x)[1](seed)[2]


F32, I32 = tl.f32[:], tl.i32[:]
KERNELS = {
    "sum": Kernel(total, (F32,)),
    "sum gradient": Kernel(tl.grad(total), (F32,)),
    "product": Kernel(product, (F32,)),
    "product gradient": Kernel(tl.grad(product), (F32,)),
    "minimum": Kernel(smallest, (F32,)),
    "minimum gradient": Kernel(tl.grad(smallest), (F32,)),
    "cumsum": Kernel(sums, (F32,)),
    "cumsum gradient": Kernel(sums_adjoint, (F32, F32)),
    "cumprod": Kernel(products, (F32,)),
    "cumprod gradient": Kernel(products_adjoint, (F32, F32)),
    "scan min": Kernel(minima, (F32,)),
    "scan min gradient": Kernel(minima_adjoint, (F32, F32)),
    "histogram": Kernel(histogram, (F32, I32, F32)),
    "histogram gradient": Kernel(histogram_adjoint, (F32, I32, F32, F32)),
    "histogram min": Kernel(lowest, (F32, I32, F32)),
    "histogram min gradient": Kernel(lowest_adjoint, (F32, I32, F32, F32)),
}
