"""The mixture and bundle adjustment in PyTorch, as eager code, which is where people use it for such objectives."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import redundant_torch
import torch
from torch import Tensor

torch.set_num_threads(1)


def rotated(r: Tensor, y: Tensor) -> Tensor:
    square = torch.sum(r * r, dim=1, keepdim=True)
    angle = torch.sqrt(torch.where(square == 0.0, 1.0, square))
    axis = r / angle
    along = torch.sum(axis * y, dim=1, keepdim=True)
    turned = y * torch.cos(angle) + torch.linalg.cross(axis, y) * torch.sin(angle)
    turned = turned + axis * along * (1.0 - torch.cos(angle))
    return torch.where(square == 0.0, y + torch.linalg.cross(r, y), turned)


def reprojections(cameras: Tensor, points: Tensor, weights: Tensor, features: Tensor) -> Tensor:
    seen = rotated(cameras[:, :3], points - cameras[:, 3:6])
    flat = seen[:, :2] / seen[:, 2:]
    square = torch.sum(flat * flat, dim=1, keepdim=True)
    distortion = 1.0 + cameras[:, 9:10] * square + cameras[:, 10:] * square * square
    return weights[:, None] * (cameras[:, 6:7] * distortion * flat + cameras[:, 7:9] - features)


def ba(cameras: Tensor, points: Tensor, weights: Tensor, features: Tensor, camera_of: Tensor, point_of: Tensor) -> Any:
    return reprojections(cameras[camera_of], points[point_of], weights, features), 1.0 - weights * weights


def ba_blocks(
    cameras: Tensor, points: Tensor, weights: Tensor, features: Tensor, camera_of: Tensor, point_of: Tensor
) -> Any:
    """Two cotangents for all observations at once."""
    given = [each.detach().requires_grad_() for each in (cameras[camera_of], points[point_of], weights)]
    errors = reprojections(*given, features)
    rows = []
    for k in range(2):
        by_camera, by_point, by_weight = torch.autograd.grad(errors[:, k].sum(), given, retain_graph=k == 0)
        rows.append(torch.cat((by_camera, by_point, by_weight[:, None]), dim=1))
    return torch.stack(rows, dim=1), -2.0 * weights


def gmm_gradient(*arguments: Any) -> Any:
    given = [each.detach().requires_grad_() for each in arguments[:3]]
    value = redundant_torch.gmm(*given, *arguments[3:])
    return value.detach(), tuple(torch.autograd.grad(value, given))


OBJECTIVES = {"gmm": redundant_torch.gmm, "ba": ba}
DERIVATIVES = {"gmm": gmm_gradient, "ba": ba_blocks}


def contestant(table: dict[str, Callable[..., Any]], name: str, arguments: tuple[Any, ...]) -> Callable[[], Any]:
    """A function of the tables on tensors that are already there."""
    given = [_tensor(each) for each in arguments]
    return lambda: table[name](*given)


def _tensor(value: Any) -> Any:
    return value if isinstance(value, int) else torch.as_tensor(np.asarray(value))
