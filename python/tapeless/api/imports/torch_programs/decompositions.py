"""Operations of PyTorch as others, where torch-mlir has no translation to StableHLO, or another value.

| why | operations |
| --- | --- |
| the remainder has the sign of the dividend | `remainder`; quotients that are rounded down |
| windows beyond the end have another place | pooling with `ceil_mode` |
| no translation | all others |

What has no entry here and no translation is refused by name.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from tapeless.api.imports.torch_programs.kinks import root

aten = torch.ops.aten


def _alike(x: Any, y: Any) -> tuple[Tensor, Tensor]:
    """Two operands as tensors of their common dtype."""
    dtype = torch.result_type(x, y)
    first, second = (each if torch.is_tensor(each) else torch.full((), each, dtype=dtype) for each in (x, y))
    return first.to(dtype), second.to(dtype)


def _remainder(x: Any, y: Any) -> Tensor:
    """The remainder with the sign of the divisor."""
    first, second = _alike(x, y)
    rest = aten.fmod.Tensor(first, second)
    return torch.where((rest != 0) & ((rest < 0) != (second < 0)), rest + second, rest)


def _floor_divide(x: Any, y: Any) -> Tensor:
    first, second = _alike(x, y)
    if first.is_floating_point():
        return torch.floor(first / second)
    quotient = aten.div.Tensor_mode(first, second, rounding_mode="trunc")
    return quotient - ((quotient * second != first) & ((first < 0) != (second < 0))).to(first.dtype)


def _divide(x: Any, y: Any, *, rounding_mode: str | None) -> Any:
    return _floor_divide(x, y) if rounding_mode == "floor" else NotImplemented


def _pairs(value: Any, count: int, otherwise: Any = None) -> list[int]:
    found = list(otherwise if value in (None, []) else value) if not isinstance(value, int) else [value]
    return found * count if len(found) == 1 else found


def _beyond(size: int, kernel: int, stride: int, padding: int, dilation: int) -> int:
    """How far the last window of a pooling with `ceil_mode` reaches behind what is padded, 0 or more."""
    reach = dilation * (kernel - 1) + 1
    count = -(-(size + 2 * padding - reach) // stride) + 1
    if (count - 1) * stride >= size + padding:  # it would begin behind the end
        count -= 1
    return max(0, (count - 1) * stride + reach - size - 2 * padding)


def _max_pool(axes: int) -> Callable[..., Any]:
    pool = {1: torch.max_pool1d, 2: torch.max_pool2d, 3: torch.max_pool3d}[axes]

    def pooled(
        x: Tensor, kernel: Any, stride: Any = (), padding: Any = 0, dilation: Any = 1, ceil_mode: bool = False
    ) -> Any:
        if not ceil_mode:
            return NotImplemented
        sizes = _pairs(kernel, axes)
        steps, sides, holes = _pairs(list(stride) or sizes, axes), _pairs(padding, axes), _pairs(dilation, axes)
        amounts: list[int] = []
        for axis in range(-1, -axes - 1, -1):
            more = _beyond(x.shape[axis], sizes[axis], steps[axis], sides[axis], holes[axis])
            amounts += [sides[axis], sides[axis] + more]
        return pool(aten.constant_pad_nd(x, amounts, -math.inf), sizes, steps, 0, holes, False)

    return pooled


def _average_pool2d(
    x: Tensor,
    kernel: Any,
    stride: Any = (),
    padding: Any = 0,
    ceil_mode: bool = False,
    count_include_pad: bool = True,
    divisor_override: int | None = None,
) -> Any:
    if not ceil_mode:
        return NotImplemented
    sizes = _pairs(kernel, 2)
    steps, sides = _pairs(list(stride) or sizes, 2), _pairs(padding, 2)
    inside: list[int] = []
    outside: list[int] = []
    for axis in (-1, -2):
        inside += [sides[axis], sides[axis]]
        outside += [0, _beyond(x.shape[axis], sizes[axis], steps[axis], sides[axis], 1)]
    amount = float(divisor_override or sizes[0] * sizes[1])
    total = aten.avg_pool2d(
        aten.constant_pad_nd(x, [a + b for a, b in zip(inside, outside, strict=True)]), sizes, steps
    )
    if divisor_override:
        return total * (sizes[0] * sizes[1] / amount)
    counted = torch.ones(x.shape[-2:], dtype=x.dtype)[None, None]
    counted = aten.constant_pad_nd(aten.constant_pad_nd(counted, inside, 1.0 if count_include_pad else 0.0), outside)
    return total / aten.avg_pool2d(counted, sizes, steps)[(0,) if x.dim() == 3 else ()]


def _diagonal(x: Tensor, offset: int = 0, dim1: int = 0, dim2: int = 1) -> Tensor:
    rows, columns = x.shape[dim1], x.shape[dim2]
    count = max(0, min(rows, columns - offset) if offset >= 0 else min(rows + offset, columns))
    flat = x.movedim((dim1, dim2), (-2, -1)).flatten(-2)
    first = offset if offset >= 0 else -offset * columns
    return flat[..., first : first + max(0, count - 1) * (columns + 1) + min(1, count) : columns + 1]


def _unfold(x: Tensor, dimension: int, size: int, step: int) -> Tensor:
    if not x.dim():
        return x.reshape(1)
    count = (x.shape[dimension] - size) // step + 1
    parts = [x.narrow(dimension, k, (count - 1) * step + 1) for k in range(size)]
    every = [slice(None)] * (dimension % x.dim())
    return torch.stack([part[(*every, slice(None, None, step))] for part in parts], -1)


def _median(x: Tensor) -> Tensor:
    flat = x.flatten()
    middle = torch.sort(flat)[0][(flat.shape[0] - 1) // 2]
    return torch.where(torch.isnan(flat).any(), torch.full_like(middle, math.nan), middle)


def _kth_value(x: Tensor, k: int, dim: int = -1, keepdim: bool = False) -> tuple[Tensor, Tensor]:
    values, places = torch.sort(x, dim)
    found = (values.narrow(dim, k - 1, 1), places.narrow(dim, k - 1, 1))
    return found if keepdim else (found[0].squeeze(dim), found[1].squeeze(dim))


def _median_of_rows(x: Tensor, dim: int = -1, keepdim: bool = False) -> tuple[Tensor, Tensor]:
    values, places = _kth_value(x, (x.shape[dim] + 1) // 2, dim, True)
    _, last = _kth_value(x, x.shape[dim], dim, True)
    is_lost = torch.isnan(x).any(dim, keepdim=True)  # NaN are sorted to the end
    values, places = torch.where(is_lost, torch.full_like(values, math.nan), values), torch.where(is_lost, last, places)
    return (values, places) if keepdim else (values.squeeze(dim), places.squeeze(dim))


def _length(difference: Tensor, p: float) -> Tensor:
    """The norm along the last axis; that of zeros has the derivative 0."""
    if p == 0:
        return (difference != 0).to(difference.dtype).sum(-1)
    if p == 1:
        return difference.abs().sum(-1)
    if p == math.inf:
        return difference.abs().amax(-1)
    if p == 2:
        return root((difference * difference).sum(-1))
    powers = (difference.abs() ** p).sum(-1)
    is_zero = powers == 0
    safe = torch.where(is_zero, torch.ones_like(powers), powers)
    return torch.where(is_zero, torch.zeros_like(powers), safe ** (1.0 / p))


def _distances(x: Tensor, y: Tensor, p: float = 2.0, compute_mode: int | None = None) -> Tensor:
    return _length(x.unsqueeze(-2) - y.unsqueeze(-3), p)


def _distances_within(x: Tensor, p: float = 2.0) -> Tensor:
    """The distances of each row from those behind it."""
    return torch.cat([_length(x[k] - x[k + 1 :], p) for k in range(len(x))])


def _dist(x: Tensor, y: Tensor, p: float = 2) -> Tensor:
    return _length((x - y).flatten(), float(p))


def _scatter_reduce(x: Tensor, dim: int, index: Tensor, src: Tensor, reduce: str, *, include_self: bool = True) -> Any:
    if reduce not in ("sum", "mean"):
        return NotImplemented
    kept = torch.ones_like(x)
    if not include_self:
        kept = kept.scatter(dim, index, 0.0)
    total = (x * kept).scatter_add(dim, index, src)
    if reduce == "sum":
        return total
    return total / kept.scatter_add(dim, index, torch.ones_like(src)).clamp(min=1)


def _search_sorted(
    sequence: Tensor, x: Tensor, *, out_int32: bool = False, right: bool = False, side: Any = None, sorter: Any = None
) -> Any:
    if sorter is not None:
        return NotImplemented
    row, each = sequence.unsqueeze(-2) if sequence.dim() > 1 else sequence, x.unsqueeze(-1)
    is_before = row <= each if right or side == "right" else row < each
    return is_before.sum(-1).to(torch.int32 if out_int32 else torch.int64)


def _is_close(x: Tensor, y: Tensor, rtol: float = 1e-5, atol: float = 1e-8, equal_nan: bool = False) -> Tensor:
    found = (x == y) | (torch.isfinite(y) & ((x - y).abs() <= atol + rtol * y.abs()))
    return found | (torch.isnan(x) & torch.isnan(y)) if equal_nan else found


def _nearest(x: Tensor, output_size: Any, scale_factors: Any = None, *factors: Any) -> Tensor:
    """Pixels repeated: those at places that are rounded down, in the precision in which PyTorch finds them."""
    scales = (scale_factors, *factors) if isinstance(scale_factors, float) else scale_factors
    for place, axis in enumerate((-2, -1)):
        count, scale = x.shape[axis], scales[place] if scales else None
        size = int(count * scale) if output_size is None else output_size[place]
        step = 1.0 / scale if scale else count / size
        places = (torch.arange(size, dtype=torch.float32) * step).to(torch.int64).clamp(max=count - 1)
        x = x.index_select(axis, places)
    return x


def _norm(x: Tensor, order: Any = None, dim: Any = None, keepdim: bool = False, *, dtype: Any = None) -> Any:
    is_of_vectors = (dim is not None and len(_pairs(dim, 1)) == 1) or (dim is None and (order is None or x.dim() == 1))
    if not is_of_vectors and order is not None:
        return NotImplemented
    return torch.linalg.vector_norm(x, 2 if order is None else order, dim, keepdim, dtype=dtype)


def _root_mean_square(x: Tensor, shape: Any, weight: Tensor | None = None, eps: float | None = None) -> Any:
    """Without a number to add, PyTorch adds the spacing of floats at 1."""
    return aten.rms_norm(x, shape, weight, torch.finfo(x.dtype).eps) if eps is None else NotImplemented


def _bags(
    table: Tensor,
    places: Tensor,
    offsets: Tensor,
    scale_grad_by_freq: bool = False,
    mode: int = 0,
    sparse: bool = False,
    per_sample_weights: Tensor | None = None,
    include_last_offset: bool = False,
    padding_idx: int | None = None,
) -> Any:
    """Sums and means of rows, where those at `padding_idx` do not count."""
    if mode > 1:
        return NotImplemented
    begins = offsets[:-1] if include_last_offset else offsets
    bag = (begins.unsqueeze(0) <= torch.arange(places.shape[0]).unsqueeze(1)).sum(1) - 1
    counts = torch.ones(places.shape[0], dtype=table.dtype)
    if padding_idx is not None and padding_idx >= 0:
        counts = torch.where(places == padding_idx, torch.zeros_like(counts), counts)
    rows = aten.embedding(table, places)
    weights = counts if per_sample_weights is None else counts * per_sample_weights
    sums = torch.zeros(begins.shape[0], table.shape[1], dtype=table.dtype).index_add(
        0, bag, weights.unsqueeze(1) * rows
    )
    if mode == 1:
        sums = sums / torch.zeros_like(sums[:, :1]).index_add(0, bag, counts.unsqueeze(1)).clamp(min=1)
    return sums, bag, counts, counts  # the others are for derivatives alone


def _circular(x: Tensor, pad: Any) -> Tensor:
    for axis, (before, after) in enumerate(zip(pad[::2], pad[1::2], strict=True), start=1):
        size = x.shape[-axis]
        parts = (x.narrow(-axis, size - max(0, before), max(0, before)), x, x.narrow(-axis, 0, max(0, after)))
        x = torch.cat(parts, -axis)
        x = x.narrow(-axis, max(0, -before), x.shape[-axis] - max(0, -before) - max(0, -after))
    return x


DECOMPOSED: dict[Any, Callable[..., Any]] = {
    aten.remainder.Tensor: _remainder,
    aten.remainder.Scalar: _remainder,
    aten.remainder.Scalar_Tensor: _remainder,
    aten.fmod.Scalar: lambda x, y: aten.fmod.Tensor(*_alike(x, y)),
    aten.floor_divide.default: _floor_divide,
    aten.floor_divide.Scalar: _floor_divide,
    aten.div.Tensor_mode: _divide,
    aten.div.Scalar_mode: _divide,
    aten.max_pool1d.default: _max_pool(1),
    aten.max_pool2d.default: _max_pool(2),
    aten.max_pool3d.default: _max_pool(3),
    aten.avg_pool2d.default: _average_pool2d,
    aten.diagonal.default: _diagonal,
    aten.trace.default: lambda x: _diagonal(x).sum(),
    aten.unfold.default: _unfold,
    aten.hypot.default: lambda x, y: torch.sqrt(x * x + y * y),
    aten.median.default: _median,
    aten.median.dim: _median_of_rows,
    aten.kthvalue.default: _kth_value,
    aten._cdist_forward.default: _distances,
    aten._pdist_forward.default: _distances_within,
    aten.dist.default: _dist,
    aten.linalg_norm.default: _norm,
    aten.rms_norm.default: _root_mean_square,
    aten.embedding_bag.padding_idx: _bags,
    aten.embedding_bag.default: _bags,
    aten._embedding_bag.default: _bags,
    aten._embedding_bag_forward_only.default: _bags,
    aten.scatter_reduce.two: _scatter_reduce,
    aten.searchsorted.Tensor: _search_sorted,
    aten.isclose.default: _is_close,
    aten.upsample_nearest2d.vec: _nearest,
    aten.upsample_nearest2d.default: _nearest,
    aten._pad_circular.default: _circular,
    aten.__lshift__.Scalar: lambda x, y: aten.bitwise_left_shift.Tensor(*_alike(x, y)),
    aten.__rshift__.Scalar: lambda x, y: aten.bitwise_right_shift.Tensor(*_alike(x, y)),
    aten.bitwise_left_shift.Tensor_Scalar: lambda x, y: aten.bitwise_left_shift.Tensor(*_alike(x, y)),
    aten.bitwise_right_shift.Tensor_Scalar: lambda x, y: aten.bitwise_right_shift.Tensor(*_alike(x, y)),
    aten.rrelu.default: lambda x, lower=0.125, upper=1.0 / 3.0, *_: aten.leaky_relu(x, (lower + upper) / 2.0),
}
"""Functions that return `NotImplemented` leave an operation as it is."""
