"""Products of matrices, and the adjoints of both factors."""

from __future__ import annotations

import tapeless as tl
from on_gpu.programs.kernel import Kernel


@tl.function
def product(a, b):
    return a @ b


def product_adjoint(a, b, seed):
    return tl.vjp(product, a, b)[1](seed)


WIDE, NARROW = (tl.f64[:, :],) * 3, (tl.f32[:, :],) * 3
KERNELS = {
    "matrix product f64": Kernel(product, WIDE[:2]),
    "matrix product f64 gradient": Kernel(product_adjoint, WIDE),
    "matrix product f32": Kernel(product, NARROW[:2]),
    "matrix product f32 gradient": Kernel(product_adjoint, NARROW),
}
