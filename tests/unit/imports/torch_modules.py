"""Modules as users of PyTorch write them: each gives a loss, with inputs to call it on."""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import nn


class Perceptron(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(6, 8), nn.ReLU(), nn.Linear(8, 8), nn.ReLU(), nn.Linear(8, 3))

    def forward(self, x, y):
        return F.cross_entropy(self.layers(x), y)


class Regression(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(4, 1)

    def forward(self, x, y):
        return F.mse_loss(self.linear(x)[:, 0], y)


class Logistic(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(4))

    def forward(self, x, y):
        return F.binary_cross_entropy_with_logits(x @ self.weight, y)


class Activations(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(4, 4)

    def forward(self, x):
        for act in (F.gelu, F.silu, F.elu, torch.tanh, torch.sigmoid, F.softplus, F.leaky_relu):
            x = x + act(self.linear(x))
        return x.mean()


class Normalised(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm, self.linear = nn.LayerNorm(6), nn.Linear(6, 6)

    def forward(self, x):
        return (self.linear(self.norm(x)) ** 2).mean()


class GroupNormalised(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = nn.GroupNorm(2, 4)

    def forward(self, x):
        return torch.sin(self.norm(x)).sum()


class RootMeanSquares(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(5))

    def forward(self, x):
        return (x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-6) * self.weight).exp().sum()


class BatchNormalised(nn.Module):
    """In evaluation, with its running statistics as constants."""

    def __init__(self):
        super().__init__()
        self.norm = nn.BatchNorm1d(4)
        self.norm.running_mean += torch.randn(4)
        self.norm.running_var *= 1.5

    def forward(self, x):
        return torch.tanh(self.norm(x)).sum()


class Embedded(nn.Module):
    def __init__(self):
        super().__init__()
        self.table, self.out = nn.Embedding(9, 4), nn.Linear(4, 9)
        self.out.weight = self.table.weight

    def forward(self, tokens):
        x = self.table(tokens)
        return F.cross_entropy(self.out(x[:, :-1]).reshape(-1, 9), tokens[:, 1:].reshape(-1))


class Cell(nn.Module):
    def __init__(self):
        super().__init__()
        self.cell = nn.LSTMCell(3, 4)

    def forward(self, xs):
        h = c = torch.zeros(2, 4, dtype=xs.dtype)
        for x in xs:
            h, c = self.cell(x, (h, c))
        return (h**2).sum() + c.sum()


class Gated(nn.Module):
    def __init__(self):
        super().__init__()
        self.cell = nn.GRUCell(3, 4)

    def forward(self, xs, h):
        for x in xs:
            h = self.cell(x, h)
        return h.sum()


class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.qkv, self.out = nn.Linear(6, 18, bias=False), nn.Linear(6, 6)

    def forward(self, x):
        q, k, v = self.qkv(x).chunk(3, dim=-1)
        weights = torch.softmax(q @ k.transpose(-1, -2) / 6**0.5, dim=-1)
        return ((x + self.out(weights @ v)) ** 2).mean()


class Masked(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(4, 4)
        self.register_buffer("mask", torch.tril(torch.ones(5, 5)).bool())

    def forward(self, x):
        scores = (self.linear(x) @ x.T).masked_fill(~self.mask, float("-inf"))
        return (torch.softmax(scores, -1) @ x).pow(2).sum()


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.TransformerEncoderLayer(8, 2, 16, dropout=0.0, batch_first=True)

    def forward(self, x):
        return self.layer(x).sin().mean()


class Residual(nn.Module):
    def __init__(self):
        super().__init__()
        self.blocks = nn.ModuleList(nn.Linear(5, 5) for _ in range(3))
        self.scale = nn.Parameter(torch.tensor(0.5))

    def forward(self, x):
        for block in self.blocks:
            x = x + self.scale * torch.tanh(block(x))
        return x.pow(2).mean()


class Autoencoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.encode, self.decode = nn.Linear(6, 2), nn.Linear(2, 6)

    def forward(self, x):
        return F.smooth_l1_loss(self.decode(torch.sigmoid(self.encode(x))), x)


class Variational(nn.Module):
    """The noise is an argument."""

    def __init__(self):
        super().__init__()
        self.encode, self.decode = nn.Linear(5, 4), nn.Linear(2, 5)

    def forward(self, x, noise):
        mean, log = self.encode(x).chunk(2, dim=-1)
        code = mean + noise * torch.exp(0.5 * log)
        divergence = -0.5 * (1 + log - mean.pow(2) - log.exp()).sum()
        return F.mse_loss(self.decode(code), x, reduction="sum") + divergence


class TemporalDifference(nn.Module):
    """A target that is detached."""

    def __init__(self):
        super().__init__()
        self.value = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 1))

    def forward(self, state, reward, following):
        target = reward + 0.9 * self.value(following)[:, 0].detach()
        return (self.value(state)[:, 0] - target).pow(2).mean()


class Momentum(nn.Module):
    """A teacher that runs without gradients."""

    def __init__(self):
        super().__init__()
        self.student, self.teacher = nn.Linear(4, 4), nn.Linear(4, 4)

    def forward(self, x):
        with torch.no_grad():
            target = torch.softmax(self.teacher(x) * self.student.bias.sum(), -1)
        return -(target * torch.log_softmax(self.student(x), -1)).sum(-1).mean()


class Potential(nn.Module):
    def __init__(self):
        super().__init__()
        self.depth, self.width = nn.Parameter(torch.tensor(1.2)), nn.Parameter(torch.tensor(0.8))

    def forward(self, x):
        offsets = x[:, None] - x[None, :]
        squares = offsets.pow(2).sum(-1) + torch.eye(len(x), dtype=x.dtype)
        inverse = (self.width**2 / squares) ** 3
        return (self.depth * (inverse**2 - inverse)).sum()


class Mixture(nn.Module):
    def __init__(self):
        super().__init__()
        self.logits, self.means = nn.Parameter(torch.randn(3)), nn.Parameter(torch.randn(3, 2))

    def forward(self, x):
        squares = (x[:, None] - self.means).pow(2).sum(-1)
        return -torch.logsumexp(torch.log_softmax(self.logits, 0) - 0.5 * squares, dim=1).mean()


class Bilinear(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(3, 4, 5))

    def forward(self, x, y):
        return torch.einsum("bi,oij,bj->bo", x, self.weight.permute(0, 1, 2), y).pow(2).mean()


class Convolutional(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv, self.linear = nn.Conv2d(2, 4, 3, padding=1), nn.Linear(4, 3)

    def forward(self, x, y):
        x = F.max_pool2d(torch.relu(self.conv(x)), 2)
        return F.cross_entropy(self.linear(x.mean((2, 3))), y)


class Graph(nn.Module):
    def __init__(self):
        super().__init__()
        self.message, self.own = nn.Linear(3, 3), nn.Linear(3, 3)

    def forward(self, x, sources, targets):
        for _ in range(2):
            summed = torch.zeros_like(x).index_add(0, targets, torch.relu(self.message(x[sources])))
            x = torch.tanh(summed + self.own(x))
        return x.pow(2).mean()


class Cumulative(nn.Module):
    def __init__(self):
        super().__init__()
        self.rate = nn.Parameter(torch.randn(6))

    def forward(self, x):
        return torch.cumsum(torch.exp(self.rate) * x, 0).pow(2).sum()


class Hinge(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(4, 3)

    def forward(self, x, y):
        scores = self.linear(x)
        right = scores.gather(1, y[:, None])
        return torch.clamp(scores - right + 1.0, min=0.0).sum(1).mean()


def _labels(count, classes):
    return torch.arange(count) * 7 % classes


def _double(*shape):
    return torch.randn(*shape, dtype=torch.float64)


def modules():
    """Every module by name, with its inputs; the same in every run."""
    torch.manual_seed(0)
    made = {
        "perceptron": (Perceptron(), (_double(5, 6), _labels(5, 3))),
        "regression": (Regression(), (_double(7, 4), _double(7))),
        "logistic": (Logistic(), (_double(7, 4), (_labels(7, 2) == 1).double())),
        "activations": (Activations(), (_double(3, 4),)),
        "normalised": (Normalised(), (_double(4, 6),)),
        "group_normalised": (GroupNormalised(), (_double(2, 4, 3),)),
        "root_mean_squares": (RootMeanSquares(), (_double(4, 5),)),
        "batch_normalised": (BatchNormalised().eval(), (_double(5, 4),)),
        "embedded": (Embedded(), (_labels(12, 9).reshape(3, 4),)),
        "cell": (Cell(), (_double(3, 2, 3),)),
        "gated": (Gated(), (_double(3, 2, 3), _double(2, 4))),
        "attention": (Attention(), (_double(5, 6),)),
        "masked": (Masked(), (_double(5, 4),)),
        "encoder": (Encoder().eval(), (_double(2, 4, 8),)),
        "residual": (Residual(), (_double(4, 5),)),
        "autoencoder": (Autoencoder(), (_double(5, 6),)),
        "variational": (Variational(), (_double(4, 5), _double(4, 2))),
        "temporal_difference": (TemporalDifference(), (_double(5, 4), _double(5), _double(5, 4))),
        "momentum": (Momentum(), (_double(5, 4),)),
        "potential": (Potential(), (_double(5, 3),)),
        "mixture": (Mixture(), (_double(8, 2),)),
        "bilinear": (Bilinear(), (_double(3, 4), _double(3, 5))),
        "convolutional": (Convolutional(), (_double(2, 2, 6, 6), _labels(2, 3))),
        "graph": (Graph(), (_double(5, 3), _labels(8, 5), _labels(8, 4))),
        "cumulative": (Cumulative(), (_double(6),)),
        "hinge": (Hinge(), (_double(5, 4), _labels(5, 3))),
    }
    return {name: (module.double(), inputs) for name, (module, inputs) in made.items()}
