"""Writes into tensors at a mask or on a diagonal, as choices and as writes at indices that are known."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import torch
from torch import Tensor

aten = torch.ops.aten


def _put_at_mask(x: Tensor, indices: Sequence[Tensor | None], values: Tensor, accumulate: bool = False) -> Any:
    """What is written at a mask over leading axes has the same shape wherever this is true."""
    given = [each for each in indices if each is not None]
    if len(given) != 1 or indices[0] is None or given[0].dtype != torch.bool:
        return NotImplemented
    mask = given[0]
    inner = x.shape[mask.ndim :]
    is_repeated = values.ndim == len(inner) + 1 and isinstance(values.shape[0], int) and values.shape[0] == 1
    if values.ndim > len(inner) and not is_repeated:
        return NotImplemented  # there are as many as places that hold, which values of the mask tell
    where = mask.reshape((*mask.shape, *[1] * len(inner)))
    wanted = values.squeeze(0) if is_repeated else values
    return torch.where(where, x + wanted if accumulate else wanted.to(x.dtype), x)


def _diagonal_scatter(x: Tensor, source: Tensor, offset: int = 0, dim1: int = 0, dim2: int = 1) -> Tensor:
    numbers = torch.arange(source.shape[-1])
    rows, columns = numbers + max(-offset, 0), numbers + max(offset, 0)
    first = torch.movedim(x, (dim1, dim2), (0, 1))
    changed = aten.index_put(first, [rows, columns], torch.movedim(source, -1, 0))
    return torch.movedim(changed, (0, 1), (dim1, dim2))


WRITTEN: Mapping[Any, Callable[..., Any]] = {
    aten.index_put.default: _put_at_mask,
    aten.diagonal_scatter.default: _diagonal_scatter,
}
"""Functions that return `NotImplemented` leave an operation as it is."""
