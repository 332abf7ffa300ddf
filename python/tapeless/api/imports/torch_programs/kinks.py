"""Functions with kinks, and smooth ones that torch-mlir writes with kinks, as choices between branches.

Where two branches meet, the derivative is that of the chosen one, and the choices are made so that it is PyTorch's:
`relu6` has 0 at 0 and at 6. torch-mlir writes `log_sigmoid` and `elu`, which are smooth at 0, as sums of a maximum and
a minimum; on ties these have the derivatives of their first operands, whose sum is that of neither side.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

aten = torch.ops.aten


def _hard_tanh(x: Tensor, low: float = -1.0, high: float = 1.0) -> Tensor:
    return torch.where(x <= low, torch.full_like(x, low), torch.where(x >= high, torch.full_like(x, high), x))


def _hard_sigmoid(x: Tensor) -> Tensor:
    return _hard_tanh((x + 3.0) / 6.0, 0.0, 1.0)


def _hard_swish(x: Tensor) -> Tensor:
    inside = x * (x + 3.0) / 6.0
    return torch.where(x <= -3.0, torch.zeros_like(x), torch.where(x >= 3.0, x, inside))


def _leaky_relu(x: Tensor, slope: float = 0.01) -> Tensor:
    return torch.where(x > 0, x, slope * x)


def _elu(x: Tensor, alpha: float = 1.0, scale: float = 1.0, input_scale: float = 1.0) -> Tensor:
    return torch.where(x > 0, scale * x, scale * alpha * torch.expm1(input_scale * _negative_part(x)))


def _negative_part(x: Tensor) -> Tensor:
    """What an exponential may be taken of, whose derivative counts where it is finite."""
    return torch.where(x > 0, torch.zeros_like(x), x)


def _log_sigmoid(x: Tensor) -> Tensor:
    distance = torch.where(x > 0, x, -x)
    return _negative_part(x) - torch.log1p(torch.exp(-distance))


def _log_add(base: float) -> Callable[[Tensor, Tensor], Tensor]:
    """The logarithm of a sum of two powers; infinities that are the same have no distance."""

    def added(x: Tensor, y: Tensor) -> Tensor:
        is_first, is_endless = x >= y, (x == y) & torch.isinf(x)
        distance = torch.where(is_first, x - y, y - x)
        distance = torch.where(is_endless, torch.zeros_like(distance), distance)
        return torch.where(is_first, x, y) + torch.log1p(torch.exp(-distance * math.log(base))) / math.log(base)

    return added


def _sinc(x: Tensor) -> Tensor:
    is_zero = x == 0
    angle = math.pi * torch.where(is_zero, torch.ones_like(x), x)
    return torch.where(is_zero, torch.ones_like(x), torch.sin(angle) / angle)


def root(x: Tensor) -> Tensor:
    """The square root, whose derivative at 0 is 0, as that of norms and deviations in PyTorch."""
    is_zero = x == 0
    return torch.where(is_zero, x, torch.sqrt(torch.where(is_zero, torch.ones_like(x), x)))


def _deviation(x: Tensor, *options: Any, **named: Any) -> Tensor:
    return root(torch.var(x, *options, **named))


def _deviation_and_mean(x: Tensor, *options: Any, **named: Any) -> tuple[Tensor, Tensor]:
    variance, mean = torch.var_mean(x, *options, **named)
    return root(variance), mean


def _larger(x: Tensor, y: Tensor) -> Tensor:
    """Of two equal numbers the first; what is not a number does not count."""
    return torch.where((x >= y) | torch.isnan(y), x, y)


def _smaller(x: Tensor, y: Tensor) -> Tensor:
    return torch.where((x <= y) | torch.isnan(y), x, y)


CHOSEN: dict[Any, Callable[..., Any]] = {
    aten.fmax.default: _larger,
    aten.fmin.default: _smaller,
    aten.hardtanh.default: _hard_tanh,
    aten.relu6.default: lambda x: _hard_tanh(x, 0.0, 6.0),
    aten.hardsigmoid.default: _hard_sigmoid,
    aten.hardswish.default: _hard_swish,
    aten.leaky_relu.default: _leaky_relu,
    aten.elu.default: _elu,
    aten.log_sigmoid.default: _log_sigmoid,
    aten.log_sigmoid_forward.default: lambda x: (_log_sigmoid(x), torch.zeros_like(x)),
    aten.logaddexp.default: _log_add(math.e),
    aten.logaddexp2.default: _log_add(2.0),
    aten.sinc.default: _sinc,
    aten.std.default: _deviation,
    aten.std.dim: _deviation,
    aten.std.correction: _deviation,
    aten.std_mean.correction: _deviation_and_mean,
}
