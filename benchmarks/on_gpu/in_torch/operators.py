"""Sums, products, minima, their scans, and histograms."""

from __future__ import annotations

import torch
from torch import Tensor

from on_gpu.in_torch.gradients import adjoint, gradient


def histogram(bins: Tensor, keys: Tensor, x: Tensor) -> Tensor:
    return bins.index_add(0, keys, x)


def lowest(bins: Tensor, keys: Tensor, x: Tensor) -> Tensor:
    return bins.scatter_reduce(0, keys.long(), x, "amin")


def sums(x: Tensor) -> Tensor:
    return torch.cumsum(x, 0)


def products(x: Tensor) -> Tensor:
    return torch.cumprod(x, 0)


def minima(x: Tensor) -> Tensor:
    return torch.cummin(x, 0).values


FUNCTIONS = {
    "sum": torch.sum,
    "sum gradient": gradient(torch.sum, 0),
    "product": torch.prod,
    "product gradient": gradient(torch.prod, 0),
    "minimum": torch.min,
    "minimum gradient": gradient(torch.min, 0),
    "cumsum": sums,
    "cumsum gradient": adjoint(sums, 0),
    "cumprod": products,
    "cumprod gradient": adjoint(products, 0),
    "scan min": minima,
    "scan min gradient": adjoint(minima, 0),
    "histogram": histogram,
    "histogram gradient": adjoint(histogram, 2),
    "histogram min": lowest,
    "histogram min gradient": adjoint(lowest, 2),
}
