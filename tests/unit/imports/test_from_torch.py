"""`tl.from_torch`: what derivatives do not go through, structures, buffers, and what is refused."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pytest

import tapeless as tl
from tapeless.methods import IMPLEMENTED

torch = pytest.importorskip("torch")
nn = torch.nn

METHODS = sorted(IMPLEMENTED)


def _double(*shape, seed=0):
    return torch.randn(*shape, dtype=torch.float64, generator=torch.Generator().manual_seed(seed))


class Function(nn.Module):
    """A function of a parameter `w` and inputs as a module."""

    def __init__(self, function, *shape):
        super().__init__()
        self.w = nn.Parameter(_double(*shape, seed=1))
        self.function = function

    def forward(self, *inputs):
        return self.function(self.w, *inputs)


def without(w, x):
    with torch.no_grad():
        k = torch.sin(w).sum()
    return (w * x * k).sum()


def with_inside(w, x):
    with torch.no_grad():
        k = torch.sin(w)
        with torch.enable_grad():
            k = k * w
    return (w * x * k).sum()


def twice(w, x):
    first = (w * x).detach()
    second = torch.exp(first * w).detach()
    return (first * second * w).sum()


STOPPED = {
    "detach": lambda w, x: (w.detach() * w * x).sum(),
    "no_grad": without,
    "no_grad with enable_grad inside": with_inside,
    "detached twice": twice,
    "detached and returned": lambda w, x: (w * x).sum() + (w * w).detach().sum(),
    "row of padding": lambda w, x: nn.functional.embedding(
        torch.tensor([0, 2, 0, 1]), torch.outer(w, x), padding_idx=0
    ).sum(),
    "softmax of detached": lambda w, x: torch.softmax(w - w.max().detach(), 0)[0] * x.sum(),
    "relu at zero": lambda w, x: torch.relu(w - w).sum() + torch.nn.functional.relu(w * x).sum(),
    "data": lambda w, x: (w * (x * w).detach().clone()).sum(),
}


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("name", sorted(STOPPED))
def test_values_are_kept_out_of_derivatives(name, method):
    module, x = Function(STOPPED[name], 3), _double(3)
    loss = module(x)
    loss.backward()
    value, gradient = tl.value_and_grad(tl.from_torch(module, x), method=method)({"w": _array(module.w)}, x.numpy())
    np.testing.assert_allclose(value, loss.item(), rtol=1e-12)
    np.testing.assert_allclose(gradient["w"], module.w.grad.numpy(), rtol=1e-10, atol=1e-14)


def _array(tensor):
    return tensor.detach().numpy()[()]


class Pair(NamedTuple):
    """A structure of two tensors."""

    first: object
    second: object


STRUCTURES = {
    "tuple": lambda w, x: (w * x, w.sum()),
    "list": lambda w, x: [w * x, w.sum()],
    "dict": lambda w, x: {"z": w * x, "a": (w.sum(), [x])},
    "named tuple": lambda w, x: Pair(w * x, w.sum()),
}


@pytest.mark.parametrize("name", sorted(STRUCTURES))
def test_results_have_the_structure_of_the_module(name):
    module, x = Function(STRUCTURES[name], 3), _double(3)
    found = tl.from_torch(module, x)({"w": _array(module.w)}, x.numpy())
    expected = module(x)
    flat, same = torch.utils._pytree.tree_flatten(found), torch.utils._pytree.tree_flatten(expected)
    assert flat[1] == same[1]
    for one, other in zip(flat[0], same[0], strict=True):
        np.testing.assert_allclose(one, _array(other), rtol=1e-12)


def test_inputs_may_be_structures_and_arrays():
    module = Function(lambda w, batch, k: (w * batch["x"] * batch["y"][0]).sum() * k, 3)
    batch = {"x": np.ones(3), "y": (np.arange(3.0),)}
    f = tl.from_torch(module, batch, torch.tensor(2.0, dtype=torch.float64))
    np.testing.assert_allclose(f({"w": np.ones(3)}, batch, 2.0), 6.0)
    assert [each.name for each in f.source.parameters] == ["parameters", "input0", "input1"]


class Buffered(nn.Module):
    """A module with a buffer and a tied parameter."""

    def __init__(self):
        super().__init__()
        self.first, self.second = nn.Linear(3, 3), nn.Linear(3, 3)
        self.second.weight = self.first.weight
        self.register_buffer("scale", torch.tensor([1.0, 2.0, 3.0]))

    def forward(self, x):
        """A loss."""
        return (self.second(torch.tanh(self.first(x))) * self.scale).sum()


def test_buffers_are_constants_unless_they_are_asked_for():
    module, x = Buffered().double(), _double(3)
    parameters = {name: _array(each) for name, each in module.named_parameters()}
    assert sorted(parameters) == ["first.bias", "first.weight", "second.bias"]
    f, g = tl.from_torch(module, x), tl.from_torch(module, x, buffers=True)
    scale = np.array([0.5, 0.5, 0.5])
    np.testing.assert_allclose(f(parameters, x.numpy()), module(x).item())
    module.scale.copy_(torch.from_numpy(scale))
    expected = module(x)
    expected.backward()
    value, gradients = tl.value_and_grad(g)({**parameters, "scale": scale}, x.numpy())
    np.testing.assert_allclose(value, expected.item())
    np.testing.assert_allclose(gradients["first.weight"], module.first.weight.grad.numpy())
    assert gradients["scale"].shape == (3,)


def test_the_dtype_is_that_of_the_module():
    module = nn.Linear(2, 2)
    f = tl.from_torch(module, torch.zeros(2))
    parameters = {name: _array(each) for name, each in module.named_parameters()}
    assert f(parameters, np.ones(2, np.float32)).dtype == np.float32
    with pytest.raises(tl.TypeMismatch, match=r"argument 'input'.*float32"):
        f(parameters, np.ones(2))


def test_derivatives_of_higher_order_and_batches():
    module, x = Function(lambda w, x: (torch.tanh(w * x) ** 2).sum(), 3), _double(3)
    f = tl.from_torch(module, x)
    w, point = _array(module.w), x.numpy()
    expected = torch.autograd.functional.hessian(lambda v: module.function(v, x), module.w.detach())
    np.testing.assert_allclose(tl.hessian(lambda v: f({"w": v}, point))(w), expected.numpy(), rtol=1e-9)
    batch = np.stack([x.numpy(), 2.0 * x.numpy()])
    found = tl.vmap(lambda v: f({"w": w}, v))(batch)
    np.testing.assert_allclose(found, [module(torch.from_numpy(each)).item() for each in batch])


class Hundredfold(torch.autograd.Function):
    """A function whose derivative is not that of what it computes."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    def backward(ctx, gradient):
        return 100.0 * ctx.saved_tensors[0] * gradient


def looped(w, x):
    from torch._higher_order_ops.while_loop import while_loop

    return while_loop(lambda i, v: i < 5, lambda i, v: (i + 1, torch.tanh(v)), (torch.tensor(0), w * x))[1]


REFUSED = {
    "no module": (lambda: tl.from_torch(lambda x: x, _double(3)), tl.ArgumentError, "takes a torch.nn.Module"),
    "a number": (
        lambda: read(lambda w, k: w * k, 2.0),
        tl.ArgumentError,
        r"input 0 .* is a float.*torch.tensor\(2.0\)",
    ),
    "rule of its own": (lambda: read(lambda w, x: Hundredfold.apply(w * x)), tl.NoRuleError, "calls Hundredfold, a"),
    "cond": (
        lambda: read(lambda w, x: torch.cond(x.sum() > 0, lambda v: v.sin(), lambda v: v * v, (w * x,))),
        tl.ArgumentError,
        r"test_from_torch.py:\d+: the module calls torch.cond",
    ),
    "while_loop": (lambda: read(looped), tl.ArgumentError, "the module calls torch.while_loop"),
    "dropout": (
        lambda: tl.from_torch(nn.Sequential(nn.Linear(3, 3), nn.Dropout(0.5)), torch.zeros(3)),
        tl.ArgumentError,
        r"random numbers \(dropout\).*call .eval\(\)",
    ),
    "dropout between layers": (
        lambda: tl.from_torch(nn.LSTM(3, 2, 2, dropout=0.3), torch.zeros(4, 3)),
        tl.ArgumentError,
        r"random numbers \(lstm\).*call .eval\(\)",
    ),
    "dropout of attention": (
        lambda: tl.from_torch(nn.MultiheadAttention(4, 2, dropout=0.3), *[torch.zeros(3, 4)] * 3),
        tl.ArgumentError,
        r"random numbers \(.*call .eval\(\)",
    ),
    "alpha dropout": (
        lambda: tl.from_torch(nn.Sequential(nn.Linear(3, 3), nn.AlphaDropout(0.2)), torch.zeros(3)),
        tl.ArgumentError,
        r"random numbers \(alpha_dropout\).*call .eval\(\)",
    ),
    "LAPACK": (
        lambda: read(lambda w, x: torch.linalg.inv(torch.diag(w * x))),
        tl.ArgumentError,
        r"test_from_torch.py:\d+: the module calls torch.linalg.inv.*jax.numpy.linalg",
    ),
    "no translation": (
        lambda: read(lambda w, x: torch.cummax(w * x, 0)[0]),
        tl.ArgumentError,
        r"test_from_torch.py:\d+: the module calls torch.cummax, which .*with other operations",
    ),
    "no translation later": (
        lambda: read(lambda w, x: torch.cumprod(w * x, 0)),
        tl.ArgumentError,
        r"test_from_torch.py:\d+: the module calls torch.cumprod, which .*with other operations",
    ),
    "branch on values": (
        lambda: read(lambda w, x: w if bool((x > 0).any()) else x),
        tl.ArgumentError,
        "torch.export does not take the module: .*depend on values of tensors",
    ),
    "complex": (
        lambda: read(lambda w, x: torch.complex(w, x).abs()),
        tl.ArgumentError,
        r"calls torch.complex.*outside of the module",
    ),
    "random": (lambda: read(lambda w, x: w * torch.rand(3)), tl.ArgumentError, r"random numbers \(rand\)"),
    "batch norm": (
        lambda: tl.from_torch(nn.BatchNorm1d(3), torch.zeros(2, 3)),
        tl.ArgumentError,
        r"changes .*running_var.*call .eval\(\)",
    ),
    "scaled gradient": (
        lambda: tl.from_torch(nn.Embedding(3, 2, scale_grad_by_freq=True), torch.tensor([0, 0])),
        tl.NoRuleError,
        r"torch.embedding with scale_grad_by_freq=True.*scale the gradient outside",
    ),
    "dtype": (
        lambda: read(lambda w, x: w * x, _double(3).bfloat16()),
        tl.TypeMismatch,
        "input 0 has parts of torch.bfl",
    ),
    "other keys": (
        lambda: read(lambda w, x: w * x)({"v": np.ones(3)}, np.ones(3)),
        tl.TypeMismatch,
        r"argument 'parameters' is a dict with 'v'.*pass a dict with 'w'",
    ),
    "size of a parameter": (
        lambda: read(lambda w, x: w * x)({"w": np.ones(4)}, np.ones(3)),
        tl.ShapeMismatch,
        r"argument 'parameters\['w'\]' has size 4",
    ),
}


def read(function, *examples):
    return tl.from_torch(Function(function, 3), *(examples or (_double(3),)))


@pytest.mark.parametrize("name", sorted(REFUSED))
def test_what_is_refused_says_what_to_do(name):
    call, kind, message = REFUSED[name]
    with pytest.raises(kind, match=message):
        call()


def test_modules_that_do_not_train_have_no_dropout():
    module = nn.Sequential(nn.Linear(3, 2), nn.Dropout(0.5), nn.BatchNorm1d(2)).double().eval()
    parameters = {name: _array(each) for name, each in module.named_parameters()}
    x = _double(4, 3)
    np.testing.assert_allclose(tl.from_torch(module, x)(parameters, x.numpy()), _array(module(x)), rtol=1e-9)
