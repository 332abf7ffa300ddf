"""`tl.to_torch`: functions of the language as an operator of PyTorch, beside the same written in PyTorch."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pytest

import tapeless as tl

torch = pytest.importorskip("torch")
from tapeless.api.exports.flat import flattened  # noqa: E402
from tapeless.api.exports.names import name_of  # noqa: E402
from tapeless.api.exports.operations import Operation  # noqa: E402
from tapeless.api.exports.torch_calls import stand_in  # noqa: E402

# PyTorch deprecates parts of its own compiler.
pytestmark = pytest.mark.filterwarnings("ignore")

RNG = np.random.default_rng(7)


def matrices() -> tuple[Any, Any]:
    return tuple(torch.tensor(RNG.random(shape), requires_grad=True) for shape in ((3, 4), (4, 2)))


@tl.function
def loss(x, w):
    return tl.sum(tl.tanh(x @ w))


@tl.function
def layer(x, w):
    return tl.tanh(x @ w), x.shape[0]


def loss_of_torch(x: Any, w: Any) -> Any:
    return torch.sum(torch.tanh(x @ w))


def check(found: Any, expected: Any) -> None:
    for ours, theirs in zip(found, expected, strict=True):
        assert ours.dtype == theirs.dtype
        np.testing.assert_allclose(ours.detach(), theirs.detach(), rtol=1e-10, atol=1e-12)


OURS, ARRAYS = tl.to_torch(loss), tl.to_torch(layer)


def summed(x: Any, w: Any) -> Any:
    return torch.sum(ARRAYS(x, w)[0] ** 2)


def summed_of_torch(x: Any, w: Any) -> Any:
    return torch.sum(torch.tanh(x @ w) ** 2)


PAIRS = {"a number": (OURS, loss_of_torch), "arrays": (summed, summed_of_torch)}


@pytest.mark.parametrize("name", PAIRS)
def test_values_and_two_derivatives(name: str) -> None:
    x, w = matrices()

    def derivatives(f: Callable[..., Any]) -> list[Any]:
        value = f(x, w)
        first = torch.autograd.grad(value, (x, w), create_graph=True)
        return [value, *first, *torch.autograd.grad(sum(torch.sum(each**3) for each in first), (x, w))]

    ours, theirs = map(derivatives, PAIRS[name])
    check(ours, theirs)


def test_only_what_is_asked_for_has_a_gradient() -> None:
    x, w = matrices()
    frozen = x.detach()
    (slope,) = torch.autograd.grad(OURS(frozen, w), (w,))
    check([slope], torch.autograd.grad(loss_of_torch(frozen, w), (w,)))
    with torch.no_grad():
        assert not OURS(x, w).requires_grad


@pytest.mark.one_in(2)
@pytest.mark.parametrize("kind", ["value", "arrays", "gradient", "pulled"])
def test_the_operator_is_as_pytorch_expects(kind: str) -> None:
    x, w = matrices()
    operations = {
        "value": lambda: (Operation(flattened(loss, (x, w), stand_in).function), ()),
        "arrays": lambda: (Operation(flattened(layer, (x, w), stand_in).function), ()),
        "gradient": lambda: (Operation(flattened(loss, (x, w), stand_in).function).value_and_gradient((0, 1)), ()),
        "pulled": lambda: (
            Operation(flattened(layer, (x, w), stand_in).function).pushed((1,)).transposed(),
            (torch.ones(3, 2, dtype=torch.float64, requires_grad=True),),
        ),
    }
    operation, seeds = operations[kind]()
    found = torch.library.opcheck(torch.ops.tapeless.call.default, ([x, w, *seeds], name_of(operation)))
    assert set(found.values()) == {"SUCCESS"}


def test_compiled_as_one_graph() -> None:
    x, w = matrices()

    def derivatives(f: Callable[..., Any]) -> list[Any]:
        compiled = torch.compile(lambda x, w: 2.0 * f(x + 1.0, w), fullgraph=True, backend="aot_eager", dynamic=True)
        value = compiled(x, w)
        return [value, *torch.autograd.grad(value, (x, w)), compiled(torch.ones(7, 4, dtype=torch.float64), w)]

    check(derivatives(summed), derivatives(summed_of_torch))


def test_sizes_that_take_a_computation_are_compiled_for() -> None:
    halved = tl.to_torch(lambda x: x[::2] * 2.0)
    compiled = torch.compile(lambda x: halved(x + 1.0) + 1.0, fullgraph=True, backend="aot_eager", dynamic=True)
    shapes = []
    for size in (6, 9):
        x = torch.arange(float(size))
        check([compiled(x)], [(x + 1.0)[::2] * 2.0 + 1.0])
        with torch._subclasses.FakeTensorMode() as mode:
            shapes.append(tuple(halved(mode.from_tensor(x)).shape))
    assert shapes == [(3,), (5,)]


class Model(torch.nn.Module):
    """A module with a function of the language in it."""

    def __init__(self) -> None:
        super().__init__()
        self.w = torch.nn.Parameter(torch.ones(4, 2, dtype=torch.float64))

    def forward(self, x: Any) -> Any:
        return ARRAYS(x, self.w)[0] + 1.0


def test_exported_programs_have_the_operator() -> None:
    model, x = Model(), matrices()[0].detach()
    exported = torch.export.export(model, (x,))
    assert [str(node.target) for node in exported.graph.nodes].count("tapeless.call.default") == 1
    check([exported.module()(x)], [model(x)])
    sizes = {"x": {0: torch.export.Dim("rows")}}
    open_ = torch.export.export(model, (x,), dynamic_shapes=sizes)
    more = torch.ones(9, 4, dtype=torch.float64)
    check([open_.module()(more)], [model(more)])


def test_names_of_operations_are_those_of_other_processes() -> None:
    x, w = matrices()
    operation = Operation(flattened(loss, (x, w), stand_in).function)
    assert name_of(operation) == name_of(operation)
    assert name_of(operation).startswith("loss:")
    with pytest.raises(tl.ArgumentError, match="this process has no operation 'loss:0'"):
        torch.ops.tapeless.call([x, w], "loss:0")


def test_batches() -> None:
    xs, w = torch.rand(5, 3, 4, dtype=torch.float64), matrices()[1].detach()
    found = torch.func.vmap(lambda x: ARRAYS(x, w)[0])(xs)
    check([found], [torch.tanh(xs @ w)])
    check([torch.func.vmap(OURS, in_dims=(1, None))(xs.movedim(0, 1), w)], [torch.tanh(xs @ w).sum((1, 2))])


def test_tensors_out_of_order_and_parameters() -> None:
    x, w = matrices()
    check([OURS(x.detach().T.clone().T, torch.nn.Parameter(w.detach()))], [loss_of_torch(x, w)])
    check([OURS(x[:, ::2], w[::2])], [loss_of_torch(x[:, ::2], w[::2])])


class Dense(NamedTuple):
    """A structure of tensors."""

    w: Any
    b: Any


def test_structures_and_numbers() -> None:
    @tl.function
    def model(params, x, *, scale=2.0, mode="double"):
        y = tl.tanh(x @ params["dense"].w + params["dense"].b) * (scale if mode == "double" else 1.0)
        return {"y": y, "high": y > 0.5, "rows": x.shape[0], "none": None}

    ours, (x, w) = tl.to_torch(model), matrices()
    params = {"dense": Dense(w, w[0].detach())}
    found, expected = ours(params, x, scale=3.0), 3.0 * torch.tanh(x @ w + w[0].detach())
    check([found["y"], found["high"], found["rows"]], [expected, expected > 0.5, torch.tensor(3)])
    assert found["none"] is None
    check(torch.autograd.grad(found["y"].sum(), (x, w)), torch.autograd.grad(expected.sum(), (x, w)))
    single = x.detach().float()
    assert tl.to_torch(lambda x, s: x * s)(single, 0.1).dtype == torch.float32
    factor = torch.tensor(0.5, requires_grad=True)
    (slope,) = torch.autograd.grad(tl.to_torch(lambda x, s: x * s)(single, factor).sum(), (factor,))
    np.testing.assert_allclose(slope, single.sum(), rtol=1e-6)


@pytest.mark.parametrize("dtype", ["float64", "float32", "int64", "int32", "uint32", "bool"])
def test_types_of_numbers(dtype: str) -> None:
    x = torch.tensor([[1, 0], [1, 1]]).to(getattr(torch, dtype))
    same = tl.to_torch(lambda x, n: (x, n, x[0]))
    found = same(x, x[0, 0])
    check(found, (x, x[0, 0], x[0]))
    assert found[0].data_ptr() != x.data_ptr()


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
def test_halves_are_kept_in_16_bits(dtype: str) -> None:
    if dtype == "bfloat16":
        pytest.importorskip("ml_dtypes")
    x = torch.tensor([1.0, 2.0, 3.5], dtype=getattr(torch, dtype), requires_grad=True)
    value = tl.to_torch(lambda x: tl.sum(x * x))(x)
    assert value.dtype == torch.float32
    (slope,) = torch.autograd.grad(value, (x,))
    assert slope.dtype == x.dtype
    check([slope.float()], [2.0 * x.float()])


@pytest.mark.parametrize("dtype", ["complex64", "int8", "int16"])
def test_other_types_are_refused_by_name(dtype: str) -> None:
    with pytest.raises(tl.TypeMismatch, match=f"argument 'x': dtype torch.{dtype} is not supported"):
        tl.to_torch(lambda x: x)(torch.zeros(2, dtype=getattr(torch, dtype)))


def test_refusals() -> None:
    with pytest.raises(tl.TypeMismatch, match=r"layout torch.sparse_coo; pass x.to_dense"):
        tl.to_torch(lambda x: x)(torch.eye(2).to_sparse())
    with pytest.raises(tl.ArgumentError, match="the size of a result is found while it is computed"):
        tl.to_torch(lambda x: x[x > 0.5])(torch.ones(3))
    with pytest.raises(tl.ArgumentError, match="the size of a result depends on 'n'"):
        tl.to_torch(lambda x, n: tl.zeros(n) + x)(torch.ones(()), torch.tensor(3))
    assert tl.to_torch(lambda x, n: tl.zeros(n) + x)(torch.ones(()), 3).shape == (3,)


def test_a_failed_check_is_the_error_of_the_function() -> None:
    @tl.function
    def picked(x: tl.f64[:], i: tl.i64):
        return x[i]

    with pytest.raises(tl.IndexOutOfRange, match=r"test_to_torch.py:\d+: index 7 is out of range"):
        tl.to_torch(picked)(torch.ones(3, dtype=torch.float64), 7)
