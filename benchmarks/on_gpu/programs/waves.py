"""A wave in a box, in single precision, by steps that can be undone."""

from __future__ import annotations

import tapeless as tl
from on_gpu.programs.kernel import Kernel


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


BOX = tl.f32[256, 256, 256]
WAVE = (BOX, BOX, tl.f32, tl.i64)
KERNELS = {
    "wave": Kernel(wave, WAVE),
    "wave gradient": Kernel(tl.grad(wave, method="reversible"), WAVE),
}
