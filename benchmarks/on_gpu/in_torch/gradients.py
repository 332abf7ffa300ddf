"""Gradients and adjoints by PyTorch as functions of all arguments."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor


def followed(arguments: tuple[Any, ...], positions: tuple[int, ...]) -> list[Any]:
    """Arguments of which some are differentiated by."""
    return [
        argument.detach().requires_grad_() if position in positions else argument
        for position, argument in enumerate(arguments)
    ]


def gradient(function: Callable[..., Tensor], *positions: int) -> Callable[..., tuple[Tensor, ...]]:
    def call(*arguments: Any) -> tuple[Tensor, ...]:
        given = followed(arguments, positions)
        return torch.autograd.grad(function(*given), [given[position] for position in positions])

    return call


def adjoint(function: Callable[..., Tensor], position: int) -> Callable[..., Tensor]:
    """The adjoint of one argument, given arguments and a cotangent."""

    def call(*arguments: Any) -> Tensor:
        given = followed(arguments[:-1], (position,))
        return torch.autograd.grad(function(*given), given[position], arguments[-1])[0]

    return call
