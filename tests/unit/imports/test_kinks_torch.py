"""Extremes and clamps of PyTorch: at ties, gradients are PyTorch's."""

from __future__ import annotations

import numpy as np
import pytest

import tapeless as tl
from tapeless.methods import IMPLEMENTED

torch = pytest.importorskip("torch")

X = [0.0, 1.0, 1.0, -1.0, 1.0, 0.0]
Y = [0.7, 1.0, 0.5, -1.0, 2.0, 3.0]


class Kinks(torch.nn.Module):
    """Each result adds to the loss with weights of its own."""

    def __init__(self) -> None:
        super().__init__()
        self.x = torch.nn.Parameter(torch.tensor(X, dtype=torch.float64))

    def forward(self, y):
        x, rows = self.x, self.x.reshape(2, 3)
        results = {
            "maximum": torch.maximum(x, y),
            "minimum": torch.minimum(x, y),
            "fmax": torch.fmax(x, y),
            "fmin": torch.fmin(y, x),
            "clamp": torch.clamp(x, -1.0, 1.0) * y,
            "clamp by arrays": torch.clamp(x, y - 1.0, y),
            "from below": torch.clamp(x, min=0.0) * y,
            "all": torch.max(x) * y,
            "least": x.min() * y,
            "amax": torch.amax(x) * y,
            "rows": torch.amax(rows, dim=1) * y[:2],
            "columns": torch.amin(rows, dim=(0,), keepdim=True).flatten() * y[:3],
            "one of a row": torch.max(rows, dim=1)[0] * y[:2],
            "cross entropy": torch.clamp(x, min=0) - x * y + torch.log1p(torch.exp(-x.abs())),
        }
        return torch.stack(
            [(torch.cos(torch.arange(r.numel(), dtype=torch.float64)) * r).sum() for r in results.values()]
        )


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("method", sorted(IMPLEMENTED))
def test_gradients_are_those_of_torch_at_ties(method):
    module, y = Kinks(), torch.tensor(Y, dtype=torch.float64)
    f = tl.from_torch(module, y)
    parameters, given = {"x": np.array(X)}, np.array(Y)
    results = module(y)
    np.testing.assert_allclose(f(parameters, given), results.detach(), rtol=1e-12)
    expected = [torch.autograd.grad(each, module.x, retain_graph=True)[0].numpy() for each in results]
    np.testing.assert_allclose(tl.jacrev(f, method=method)(parameters, given)["x"], expected, rtol=1e-11, atol=1e-13)
