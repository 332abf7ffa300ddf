"""The lattice-Boltzmann flow; gradients keep the state of each step, and compute the rest again."""

from __future__ import annotations

import torch
from torch import Tensor
from torch.utils.checkpoint import checkpoint

from on_gpu.in_torch.gradients import gradient
from on_gpu.lattice import DIRECTIONS, OPPOSITES, SHARES, sources


def step(f: Tensor, solid: Tensor, omega: Tensor) -> Tensor:
    pulled = [f[k][source] for k, source in enumerate(sources(tuple(f.shape[1:])))]
    rho = sum(pulled)
    velocity = [sum(d[axis] * p for d, p in zip(DIRECTIONS, pulled, strict=True) if d[axis]) / rho for axis in range(3)]
    energy = sum(part * part for part in velocity)
    inside = solid[1:-1, 1:-1, 1:-1]
    after = []
    for p, direction, share, opposite in zip(pulled, DIRECTIONS, SHARES, OPPOSITES, strict=True):
        along = sum((c * part for c, part in zip(direction, velocity, strict=True) if c), 0.0)
        equilibrium = share * rho * (1 + along * (3 + 4.5 * along) - 1.5 * energy)
        after.append(torch.where(inside, pulled[opposite], p + omega * (equilibrium - p)))
    result = f.clone()
    result[:, 1:-1, 1:-1, 1:-1] = torch.stack(after)
    return result


def flow(f: Tensor, solid: Tensor, omega: Tensor, weights: Tensor, steps: int) -> Tensor:
    for _ in range(steps):
        f = checkpoint(step, f, solid, omega, use_reentrant=False) if f.requires_grad else step(f, solid, omega)
    return torch.sum(weights * f)


FUNCTIONS = {"flow": flow, "flow gradient": gradient(flow, 0)}
