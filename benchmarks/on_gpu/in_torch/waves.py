"""The wave in a box; its gradient keeps the square root of the number of states."""

from __future__ import annotations

import torch
from torch import Tensor
from torch.utils.checkpoint import checkpoint

from on_gpu.in_torch.gradients import gradient
from on_gpu.strips import divisor_near_root

C = (slice(1, -1),) * 3


def advanced(u: Tensor, before: Tensor, speed: Tensor) -> tuple[Tensor, Tensor]:
    around = u[2:, 1:-1, 1:-1] + u[:-2, 1:-1, 1:-1] + u[1:-1, 2:, 1:-1] + u[1:-1, :-2, 1:-1]
    around = around + u[1:-1, 1:-1, 2:] + u[1:-1, 1:-1, :-2]
    after = before.clone()
    after[C] = 2 * u[C] - before[C] + speed * (around - 6 * u[C])
    return after, u


def several(u: Tensor, before: Tensor, speed: Tensor, steps: int) -> tuple[Tensor, Tensor]:
    for _ in range(steps):
        u, before = advanced(u, before, speed)
    return u, before


def wave(u: Tensor, before: Tensor, speed: Tensor, steps: int) -> Tensor:
    inner = divisor_near_root(steps)
    for _ in range(steps // inner):
        if u.requires_grad:
            u, before = checkpoint(several, u, before, speed, inner, use_reentrant=False)
        else:
            u, before = several(u, before, speed, inner)
    return torch.sum(u**2)


FUNCTIONS = {"wave": wave, "wave gradient": gradient(wave, 0)}
