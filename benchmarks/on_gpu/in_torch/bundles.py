"""Bundle adjustment."""

from __future__ import annotations

import torch
from torch import Tensor
from torch.func import jacrev, vmap


def rotated(rotation: Tensor, x: Tensor) -> Tensor:
    square = torch.sum(rotation * rotation)
    angle = torch.sqrt(torch.where(square > 0, square, 1.0))
    w = rotation / angle
    cosine, sine = torch.cos(angle), torch.sin(angle)
    turned = x * cosine + torch.linalg.cross(w, x) * sine + w * torch.sum(w * x) * (1.0 - cosine)
    return torch.where(square > 0, turned, x + torch.linalg.cross(rotation, x))


def reprojection(p: Tensor, feature: Tensor) -> Tensor:
    seen = rotated(p[:3], p[11:14] - p[3:6])
    flat = seen[:2] / seen[2]
    square = torch.sum(flat * flat)
    distortion = 1.0 + p[9] * square + p[10] * square * square
    return p[14] * (p[6] * distortion * flat + p[7:9] - feature)


def parameters(cameras: Tensor, points: Tensor, weights: Tensor, camera: Tensor, point: Tensor) -> Tensor:
    """The fifteen numbers on which each observation depends."""
    return torch.cat((cameras[camera.long()], points[point.long()], weights[:, None]), dim=1)


def errors(*arguments: Tensor) -> Tensor:
    return vmap(reprojection)(parameters(*arguments[:5]), arguments[5])


def jacobians(*arguments: Tensor) -> Tensor:
    return vmap(jacrev(reprojection))(parameters(*arguments[:5]), arguments[5])


FUNCTIONS = {"bundle": errors, "bundle jacobian": jacobians}
