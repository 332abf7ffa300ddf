"""The programs of the benchmark of symbolic segments in PyTorch, with the same arguments."""

from __future__ import annotations

import torch
from coarsened_programs import BONES, GRAVITY, POLE_LENGTH, POLE_MASS, SAFE, TIME_STEP, TOTAL_MASS
from torch import Tensor


def bgd_hyper_opt(rate: Tensor, x: Tensor, y: Tensor, most: int) -> Tensor:
    w = torch.zeros((), dtype=x.dtype)
    for _ in range(most):
        slope = torch.sum(2.0 * x * (y - x * w)) / len(x)
        if abs(slope.item()) < 1e-12:
            break
        w = w + rate * slope
    return torch.sqrt(torch.sum((y - x * w) ** 2)) / len(x)


def brachistochrone(heights: Tensor, width: Tensor) -> Tensor:
    dx = width / (len(heights) - 1)
    length = torch.sqrt(dx**2 + (heights[1:] - heights[:-1]) ** 2)
    speed = torch.sqrt(2.0 * GRAVITY * (1.0 - heights))
    return torch.sum(2.0 * length / (speed[:-1] + speed[1:]))


def cartpole(forces: Tensor, start: Tensor) -> Tensor:
    x, speed, angle, turn = start
    for push in torch.clip(forces, -10.0, 10.0):
        c, s = torch.cos(angle), torch.sin(angle)
        pull = (push + POLE_MASS * POLE_LENGTH * turn**2 * s) / TOTAL_MASS
        twist = (GRAVITY * s - c * pull) / (POLE_LENGTH * (4.0 / 3.0 - POLE_MASS * c**2 / TOTAL_MASS))
        drive = pull - POLE_MASS * POLE_LENGTH * twist * c / TOTAL_MASS
        x, speed = x + TIME_STEP * speed, speed + TIME_STEP * drive
        angle, turn = angle + TIME_STEP * turn, turn + TIME_STEP * twist
    return x**2 + speed**2 + angle**2 + turn**2


def logistic_posterior(w: Tensor, x: Tensor, y: Tensor) -> Tensor:
    z = x @ w
    safe = torch.where(z > SAFE, 0.0, z)
    terms = torch.where(z > SAFE, z, torch.log(1.0 + torch.exp(safe)))
    return torch.sum(terms - y * z) + torch.sum(0.5 * w**2 / 10.0)


def hookean_spring(points: Tensor, stiffness: Tensor, rest: Tensor) -> Tensor:
    along = points[:-1] - points[1:]
    stretch = torch.sqrt(along[:, 0] ** 2 + along[:, 1] ** 2) - rest
    return torch.sum(0.5 * stiffness * stretch**2)


def walker(angles: Tensor, torques: Tensor, stiffness: Tensor) -> Tensor:
    turned = torch.cumsum(angles, 0)
    x, ys = torch.sum(torch.cos(turned)), torch.cumsum(torch.sin(turned), 0)
    lowest = torch.clamp(torch.min(ys), max=0.0)
    off = torques - torch.sum(torques / BONES)
    spread = torch.sum(torch.where(off > 0.0, off**2, 0.5 * off**2))
    bend = torch.sum(stiffness * (angles[1:] - angles[:-1]) ** 2)
    energy = torch.sum(torques * angles + 0.5 * stiffness * angles**2)
    slips = torques * angles < 0.0
    friction = torch.sum(torch.where(slips, torch.exp(-(torques**2)), torques**2 / (1.0 + torques**2)))
    return torch.sqrt(x**2 + ys[-1] ** 2 + 1.0) + (ys[-1] - lowest) ** 2 + spread + bend + energy + friction


def affine_loop(a: Tensor, b: Tensor, p: Tensor, n: int) -> Tensor:
    d = p
    for _ in range(n):
        d = a * d + b
    return torch.sum(d)


def lennard_jones(points: Tensor) -> Tensor:
    i, j = torch.tril_indices(len(points), len(points), -1)
    r = torch.sqrt(torch.sum((points[i] - points[j]) ** 2, dim=1))
    return torch.sum(4.0 * ((1.0 / r) ** 12 - (1.0 / r) ** 6))
