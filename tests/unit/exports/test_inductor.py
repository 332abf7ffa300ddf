"""Functions of `tl.to_torch` in programs that PyTorch's own code generator compiles, forward and backward."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tapeless as tl

torch = pytest.importorskip("torch")

pytestmark = [
    # PyTorch deprecates parts of its own compiler.
    pytest.mark.filterwarnings("ignore"),
    pytest.mark.skipif(
        not any(map(shutil.which, ("c++", "g++", "clang++"))), reason="PyTorch compiles with a C++ compiler"
    ),
]


# Code without vectors is compiled in a tenth of the time; which vectors there are would be found by compiling as well.
SHORT = {
    "compile_threads": 1,
    "force_disable_caches": True,
    "cpp_cache_precompile_headers": False,
    "cpp.simdlen": 1,
    "cpp.vec_isa_ok": False,
}


@pytest.fixture(autouse=True)
def _own_cache(tmp_path, monkeypatch):
    """Nothing of earlier runs, and no processes that outlive the test."""
    monkeypatch.setenv("TORCHINDUCTOR_CACHE_DIR", str(tmp_path))
    with torch._inductor.config.patch(SHORT):
        yield
    torch._dynamo.reset()


@tl.function
def loss(x, w, gain):
    return gain * tl.sum(tl.tanh(x @ w))


@tl.function
def layer(x, w, places):
    out = x @ w
    return {"rows": out[places], "columns": out.T, "count": places.shape[0]}


@tl.function
def same(x):
    return x


LOSS, LAYER, SAME = map(tl.to_torch, (loss, layer, same))
OF_TORCH: tuple[Callable[..., Any], ...] = (
    lambda x, w, gain: gain * torch.sum(torch.tanh(x @ w)),
    lambda x, w, places: {"rows": (x @ w)[places], "columns": (x @ w).T.contiguous(), "count": len(places)},
    torch.clone,
)


def program(loss: Any, layer: Any, same: Any) -> Callable[..., Any]:
    """Operators between what PyTorch fuses: operands in other orders, numbers, integers, results used twice."""

    def run(x: Any, w: Any, gain: Any, places: Any) -> Any:
        turned = torch.sin(x.T).T
        value = loss(turned + 1.0, w, gain)
        parts = layer(x * 2.0, w[:, ::2], places)
        kept = same(turned)
        kept = kept.add(1.0)
        return value * torch.sum(parts["columns"].T[0] ** 2) + torch.sum(parts["rows"]) * parts["count"] + kept.sum()

    return run


def test_a_number_and_its_gradient_within_one_graph() -> None:
    x = torch.tensor([[0.5, 1.0]], dtype=torch.float64, requires_grad=True)
    w, gain = torch.ones(2, 2, dtype=torch.float64), torch.tensor(2.0, dtype=torch.float64)
    results = []
    for function in (torch.compile(lambda x: 2.0 * LOSS(x + 1.0, w, gain), fullgraph=True), None):
        value = function(x) if function else 2.0 * OF_TORCH[0](x + 1.0, w, gain)
        results.append([value, *torch.autograd.grad(value, x)])
    for found, expected in zip(*results, strict=True):
        np.testing.assert_allclose(found.detach(), expected.detach(), rtol=1e-10)


@pytest.mark.thorough
@pytest.mark.parametrize("dynamic", [False, True])
def test_one_graph_has_values_and_gradients_of_the_same_in_pytorch(dynamic: bool) -> None:
    rng = np.random.default_rng(3)
    places = torch.tensor([2, 0, 2])
    ours = torch.compile(program(LOSS, LAYER, SAME), fullgraph=True, dynamic=dynamic)
    for rows in (5, 7) if dynamic else (5,):
        x, w = (torch.tensor(rng.random(shape), requires_grad=True) for shape in ((rows, 4), (4, 6)))
        gain = torch.tensor(1.5, dtype=torch.float64, requires_grad=True)
        before = [each.detach().clone() for each in (x, w, gain)]
        results = []
        for function in (ours, program(*OF_TORCH)):
            value = function(x, w, gain, places)
            results.append([value, *torch.autograd.grad(value, (x, w, gain))])
        for found, expected in zip(*results, strict=True):
            np.testing.assert_allclose(found.detach(), expected.detach(), rtol=1e-10)
        assert all(torch.equal(each, old) for each, old in zip((x, w, gain), before, strict=True))


def test_results_have_the_strides_that_were_promised() -> None:
    compiled = torch.compile(lambda x: LAYER(x.T, x, torch.tensor([1])), fullgraph=True)
    x = torch.tensor(np.random.default_rng(4).random((3, 4)), dtype=torch.float32)
    found = compiled(x)
    np.testing.assert_allclose(found["columns"], (x.T @ x).T, rtol=1e-5)
    assert found["columns"].stride() == (4, 1) and found["rows"].stride() == (4, 1)
