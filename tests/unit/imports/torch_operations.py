"""Programs of few operations of PyTorch, by their inputs: those that torch-mlir translates in part, or wrongly."""

from __future__ import annotations

import torch
from torch.nn import functional as F

D = torch.float64


def _full(value, dtype=torch.int64):
    return torch.full((4,), value, dtype=dtype)


MATRICES = {
    "remainder by a number": lambda x: x.remainder(0.7),
    "remainder by a negative number": lambda x: x % -0.7,
    "remainder": lambda x: torch.remainder(x, x * x + 0.1),
    "remainder of integers": lambda x: x * ((5 * x).long() % 3),
    "fmod": lambda x: (torch.fmod(x, 0.7), torch.fmod(x, x * x + 0.1)),
    "floor_divide": lambda x: (x * ((5 * x).long() // 2), x * ((5 * x).long() // -3)),
    "div rounded": lambda x: x * torch.div((9 * x).long(), 4, rounding_mode="floor"),
    "diagonal": lambda x: (x.diagonal(1), x.diagonal(-1), x.diagonal(), x.trace() if x.dim() == 2 else x),
    "diag": lambda x: (x.diag(), torch.diag_embed(x)),
    "einsum of a diagonal": lambda x: torch.einsum("ii->i", x[:3, :3]),
    "unfold": lambda x: (x.unfold(1, 2, 1), x.unfold(0, 2, 1)),
    "hypot": lambda x: torch.hypot(x, x + 1.0),
    "erfc": lambda x: (torch.erfc(x), torch.erfc(torch.erfc(x))),
    "lgamma": lambda x: (torch.lgamma(x.abs() + 0.5), torch.digamma(x.abs() + 0.5)),
    "erfinv": lambda x: torch.erfinv(0.3 * x),
    "scatter_reduce": lambda x: tuple(
        torch.scatter_reduce(x, 1, torch.tensor([[0, 0, 2, 1]] * 3), x * x, kind) for kind in ("sum", "mean")
    ),
    "searchsorted": lambda x: x * torch.searchsorted(torch.linspace(-1.0, 1.0, 5, dtype=D), x),
    "isclose": lambda x: torch.where(torch.isclose(x, torch.zeros_like(x), atol=0.5), x, -x),
    "block_diag": lambda x: torch.block_diag(x, x),
    "shifts": lambda x: x * ((5 * x).long() << 2) + x * ((50 * x).long() >> 1),
    "rrelu in evaluation": lambda x: F.rrelu(x),
    "index by a constant": lambda x: (x[:, torch.tensor([2, 0])], x[torch.tensor([[0], [1]]), torch.tensor([1, 3])]),
    "index_put at constants": lambda x: x.index_put((torch.tensor([0, 0]),), x[:2], accumulate=True),
    "negative indices": lambda x: (
        x[torch.tensor([-1, 0, -3])],
        x[:, torch.tensor([-4, 3])],
        x[torch.tensor([2, -1]), torch.tensor([-2, 1])],
        torch.take(x, torch.tensor([-1, 5, -12])),
    ),
    "negative indices that are computed": lambda x: x[(5 * x[0]).long().clamp(-3, 2)],
    "index_put at negative indices": lambda x: (
        x.index_put((torch.tensor([-1, -1]),), x[:2], accumulate=True),
        x.index_put((torch.tensor([1, -1]), torch.tensor([-1, 0])), x[0, :2]),
    ),
    "hinge": lambda x: F.hinge_embedding_loss(x, torch.ones_like(x)),
    "cosine embedding": lambda x: F.cosine_embedding_loss(x, x + 1.0, torch.ones(3)),
    "structures of PyTorch": lambda x: (x.max(1), x.sort(0), x.topk(2)),
}

DISTANCES = {
    "median": lambda x: (x.median(), x.median(1)[0], x.median(0, keepdim=True)[0]),
    "kthvalue": lambda x: x.kthvalue(2, 1)[0],
    "cdist": lambda x: (torch.cdist(x, x + 1.0), torch.cdist(x, x[:2]), torch.cdist(x, x + 1.0, p=1.0)),
    "pdist": lambda x: torch.pdist(x),
    "dist": lambda x: (torch.dist(x, x * x), torch.linalg.norm(x), torch.linalg.norm(x, dim=1), x.norm()),
}

CONSTANTS = {
    "constant equal to a number": lambda x: torch.where(torch.ones_like(x) == 1, x, 2.0 * x),
    "constant above a number": lambda x: torch.where(_full(2.0, D) >= 2, x, -x),
    "constant of f32": lambda x: torch.where(torch.ones(4) == 1, x, -x),
    "constant bools": lambda x: torch.where(torch.ones(4, dtype=torch.bool) == True, x, -x),  # noqa: E712
    "constant quotients": lambda x: [
        x * each for each in (_full(-3) // 2, _full(-3) % 2, 7 // _full(-2), _full(3) / 2)
    ],
    "constants that are computed": lambda x: (x * _full(2.0, D).sqrt(), x * torch.ones(3, dtype=D).sum(), x * _full(5)),
    "constant steps": lambda x: (x * torch.arange(1, 9, 2), x * torch.ones(4).cumsum(0)),
    "constant triangles": lambda x: (x * torch.tril(torch.ones(3, 4)), x * torch.triu(torch.ones(3, 4), 1)),
    "constant that is written to": lambda x: torch.zeros(2, 4, dtype=D).index_fill_(0, torch.tensor([1]), 1) @ x.t(),
    "rows of a constant": lambda x: _rows_written(x),
}

BAGS = {
    "embedding_bag": lambda x: [
        F.embedding_bag(torch.tensor([[0, 2, 1], [1, 0, 1]]), x, mode=mode, padding_idx=0) for mode in ("sum", "mean")
    ],
    "embedding_bag with places and weights": lambda x: F.embedding_bag(
        torch.tensor([0, 2, 1, 1]), x, torch.tensor([0, 1, 1]), mode="sum", per_sample_weights=x[0]
    ),
}


def _rows_written(x):
    out = torch.zeros(3, 4, dtype=D)
    out[1] = x[0]
    out[:, 2] += x[:, 1]
    return out


IMAGES = {
    "max_pool2d with more windows": lambda x: F.max_pool2d(x, 3, 2, ceil_mode=True),
    "max_pool2d with padding": lambda x: F.max_pool2d(x, (3, 2), 2, padding=1, ceil_mode=True),
    "max_pool1d": lambda x: F.max_pool1d(x[0], 3, 2, ceil_mode=True),
    "avg_pool2d with more windows": lambda x: F.avg_pool2d(x, 3, 2, ceil_mode=True),
    "avg_pool2d with padding": lambda x: F.avg_pool2d(x, 3, 2, padding=1, ceil_mode=True),
    "avg_pool2d of what is inside": lambda x: F.avg_pool2d(x, 3, 2, 1, ceil_mode=True, count_include_pad=False),
    "interpolate": lambda x: (F.interpolate(x, size=(3, 5)), F.interpolate(x, scale_factor=2.0)),
    "circular": lambda x: (F.pad(x, (1, 2, 1, 0), mode="circular"), F.pad(x[0], (2, 1), mode="circular")),
}

ACTIVATIONS = {
    **{
        name: getattr(F, name)
        for name in (
            *("hardtanh", "relu6", "hardsigmoid", "hardswish", "leaky_relu", "elu", "celu", "selu", "logsigmoid"),
            *("softshrink", "hardshrink", "softplus", "mish"),
        )
    },
    "exponentials of large numbers": lambda x: F.elu(1e3 * x),
    "in place": lambda x: (F.leaky_relu_(1.0 * x), F.hardtanh_(1.0 * x)),
}

KINKS = {
    "clamp": lambda x: (x.clamp(0, 1), x.clamp_min(0.5), x.clamp_max(3.0)),
    "cross entropy of logits": lambda x: F.binary_cross_entropy_with_logits(x, torch.full_like(x, 0.3)),
    "logaddexp": lambda x: (torch.logaddexp(x, x.flip(1)), torch.logaddexp2(x, x.flip(1))),
    "logaddexp of infinities": lambda x: torch.logaddexp(torch.where(x > 2, -torch.inf, x), torch.tensor(-torch.inf)),
    "sinc": torch.sinc,
    "asinh": lambda x: torch.asinh(x) + torch.asinh(1e5 * x),
    "angles": lambda x: torch.atan2(x, 2.0 * x),
    "deviations": lambda x: (x.std(1), x.std(), torch.std_mean(x, 1, correction=0)),
    "lengths": lambda x: (x.norm(dim=1), F.normalize(x, dim=1), torch.hypot(x, 2.0 * x), torch.dist(x, x + 0.0)),
    "rms_norm": lambda x: (F.rms_norm(x[1:], (4,)), F.rms_norm(x, (4,), eps=1e-3)),
    "losses": lambda x: [
        each(x, torch.zeros_like(x)) for each in (F.l1_loss, F.smooth_l1_loss, F.huber_loss, F.soft_margin_loss)
    ],
}

AT_KINKS = torch.tensor([[0.0] * 4, [1.0, -1.0, 0.0, 6.0], [3.0, -3.0, 0.5, -0.5]], dtype=D)
"""Where pieces of functions meet, and PyTorch chooses a derivative."""

OPERATIONS = {
    "matrices": (MATRICES, torch.randn(3, 4, generator=torch.Generator().manual_seed(7), dtype=D)),
    "constants": (CONSTANTS, torch.randn(3, 4, generator=torch.Generator().manual_seed(7), dtype=D)),
    "bags": (BAGS, torch.randn(3, 4, generator=torch.Generator().manual_seed(7), dtype=D)),
    "distances": (DISTANCES, torch.randn(3, 4, generator=torch.Generator().manual_seed(7), dtype=D)),
    "activations": (ACTIVATIONS, AT_KINKS),
    "kinks": (KINKS, AT_KINKS),
    "images": (IMAGES, torch.randn(2, 3, 8, 7, generator=torch.Generator().manual_seed(8), dtype=D)),
}
