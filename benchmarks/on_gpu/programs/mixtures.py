"""The likelihood of a Gaussian mixture in double precision: the program of the CPU's benchmark."""

from __future__ import annotations

from redundant_programs import gmm

import tapeless as tl
from on_gpu.programs.kernel import Kernel

F64 = tl.f64
GMM = (F64[:], F64[:, :], F64[:, :], F64[:, :], F64, tl.i64)
KERNELS = {
    "gmm": Kernel(gmm, GMM),
    "gmm gradient": Kernel(tl.grad(gmm, argnums=(0, 1, 2)), GMM),
}
