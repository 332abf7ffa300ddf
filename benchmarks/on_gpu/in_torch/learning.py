"""Clusters, mixtures, and a recurrent network by cuDNN."""

from __future__ import annotations

import torch
from redundant_torch import gmm, kmeans
from torch import Tensor

from on_gpu.in_torch.gradients import followed, gradient


def newton(points: Tensor, centres: Tensor) -> tuple[Tensor, Tensor]:
    """The gradient and the diagonal of the Hessian, which has no other elements."""
    points, centres = followed((points, centres), (1,))
    (first,) = torch.autograd.grad(kmeans(points, centres), centres, create_graph=True)
    (second,) = torch.autograd.grad(first.sum(), centres)
    return first.detach(), second


def lstm(x: Tensor, from_input: Tensor, from_hidden: Tensor, bias: Tensor) -> Tensor:
    start = torch.zeros(1, x.shape[1], len(from_hidden), dtype=x.dtype, device=x.device)
    weights = [from_input.T.contiguous(), from_hidden.T.contiguous(), bias, torch.zeros_like(bias)]
    return torch.sum(torch.lstm(x, (start, start), weights, True, 1, 0.0, True, False, False)[0])


FUNCTIONS = {
    "k-means": kmeans,
    "k-means gradient": gradient(kmeans, 1),
    "k-means newton": newton,
    "gmm": gmm,
    "gmm gradient": gradient(gmm, 0, 1, 2),
    "lstm": lstm,
    "lstm gradient": gradient(lstm, 1, 2, 3),
}
