"""Modules of PyTorch that write into tensors, or that ask for values while they run: as in PyTorch, or refused."""

from __future__ import annotations

import numpy as np
import pytest

import tapeless as tl

torch = pytest.importorskip("torch")
nn, F = torch.nn, torch.nn.functional
DOUBLE = torch.float64


class Body(nn.Module):
    """A function of a matrix of weights and an input as a module."""

    def __init__(self, body):
        super().__init__()
        generator = torch.Generator().manual_seed(1)
        self.w, self.body = nn.Parameter(torch.randn(4, 6, dtype=DOUBLE, generator=generator)), body

    def forward(self, x):
        return self.body(self.w, x)


X = torch.randn(4, 6, dtype=DOUBLE, generator=torch.Generator().manual_seed(2))


def every_second(w, x):
    y = w * x
    y[::2] *= 3
    y[1:-1, 1::2] += 2.0 * w[1:-1, 1::2]
    y[:, -2:] = w[:, :2]
    return y


def through_views(w, x):
    y = torch.zeros_like(x)
    y[:, :3] = w[:, 3:]
    y.view(-1)[::5] = w.view(-1)[::5]
    y.t()[2:4] = w[:, :2].t()
    return y


def diagonals(w, x):
    y = w * x
    y.diagonal().mul_(2)
    y.diagonal(-1)[:2] = w[0, :2]
    return y


def beyond_ends(w, x):
    y = w * x
    y[..., -1:] = 0
    y[5:] = 1
    y[-9:2] *= 2
    y[3:1] = 4
    return y


def at_masks(w, x):
    y = w * 1.0
    y[x > 0.5] = 0.5
    y[x[:, 0] < 0] = w[1] * 2.0
    y.masked_fill_(y > 1, 1.0)
    y[torch.tensor([0, 2]), torch.tensor([-1, 3])] = w[1, :2]
    return y


def constants(w, x):
    return w.data.sum() * w * x.data + (w.detach() ** 2).sum()


def distributions(w, x):
    p = torch.distributions.Normal(w, torch.exp(x))
    q = torch.distributions.Categorical(logits=w)
    return (
        p.log_prob(x) + torch.distributions.kl_divergence(p, torch.distributions.Normal(0.0, 1.0)) + q.entropy().sum()
    )


def gaussian_losses(w, x):
    spread = w**2 + torch.tensor(0.1, dtype=DOUBLE)
    rows = F.gaussian_nll_loss(w, x, spread, full=True) + F.gaussian_nll_loss(w, x, spread[:, :1], reduction="sum")
    small = F.gaussian_nll_loss(w, x, w**2 * 1e-9, eps=0.5, reduction="none")
    return rows + small + F.gaussian_nll_loss(w, x, spread[:, 0])


@pytest.mark.parametrize(
    "body",
    [every_second, through_views, diagonals, beyond_ends, at_masks, constants, distributions, gaussian_losses],
    ids=lambda body: body.__name__,
)
def test_values_and_gradients_are_those_of_torch(body):
    module = Body(lambda w, x: (body(w, x) ** 3).sum())
    f = tl.from_torch(module, X)
    value, gradient = tl.value_and_grad(f)({"w": module.w.detach().numpy()}, X.numpy())
    expected = module(X)
    expected.backward()
    np.testing.assert_allclose(value, expected.item(), rtol=1e-12)
    np.testing.assert_allclose(gradient["w"], module.w.grad.numpy(), rtol=1e-10, atol=1e-12)


def _under_no_grad(w, x):
    y = w * x
    with torch.no_grad():
        y.clamp_(min=0.0)
    return y.sum()


def _detached(w, x):
    y = w * x
    y.detach()[0].mul_(2.0)
    return y.sum()


def _data(w, x):
    y = w * x
    y.data.clamp_(min=0.0)
    return y.sum()


def _other_data(w, x):
    w.data = w.data * 2.0
    return (w * x).sum()


def _argument(w, x):
    x += 1.0
    return (w * x).sum()


def _derivative_inside(w, x):
    moved = x.requires_grad_()
    (slope,) = torch.autograd.grad(torch.tanh(w * moved).sum(), moved, create_graph=True)
    return slope.sum()


def _transform_inside(w, x):
    return torch.func.grad(lambda v: (w * v**2).sum())(x).sum()


REFUSED = {
    _under_no_grad: r"test_torch_in_place.py:\d+: the module changes a tensor in place under torch.no_grad\(\)",
    _detached: r"test_torch_in_place.py:\d+: the module changes a tensor in place that was taken out of derivatives",
    _data: r"test_torch_in_place.py:\d+: the module changes a tensor in place that was taken out.*\(clamp_\)",
    _other_data: "the module gives a tensor other .data, .*with .detach",
    _argument: r"test_torch_in_place.py:\d+: the module changes an argument or a parameter in place.*\(add_\)",
    _derivative_inside: "torch.export does not take the module: .*torch.autograd.grad.*by tl.grad",
    _transform_inside: "torch.export does not take the module: .*torch.func.*by tl.grad",
}


@pytest.mark.parametrize("body", REFUSED, ids=lambda body: body.__name__)
def test_what_derivatives_go_past_is_refused(body):
    with pytest.raises(tl.ArgumentError, match=REFUSED[body]):
        tl.from_torch(Body(body), X)


def test_distributions_ask_again_afterwards():
    # PyTorch's own compiler has them stop asking, for good, once it has run.
    torch.distributions.Distribution.set_default_validate_args(True)
    tl.from_torch(Body(lambda w, x: torch.distributions.Normal(w, 1.0).log_prob(x).sum()), X)
    with pytest.raises(ValueError, match="constraint"):
        torch.distributions.Normal(0.0, -1.0)
