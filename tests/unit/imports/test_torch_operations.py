"""Operations of PyTorch, many in a module: values, and gradients by every method, are those of PyTorch."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

import tapeless as tl
from tapeless.methods import IMPLEMENTED

torch = pytest.importorskip("torch")

from unit.imports.torch_operations import OPERATIONS  # noqa: E402


class All(torch.nn.Module):
    """All programs of a table, by name, or the sum of their weighed results."""

    def __init__(self, table, *, is_weighed=False):
        super().__init__()
        self.table, self.is_weighed = table, is_weighed
        self.scale = torch.nn.Parameter(torch.ones((), dtype=torch.float64))

    def forward(self, x):
        results = {name: program(self.scale * x) for name, program in self.table.items()}
        return sum(map(_weighed, torch.utils._pytree.tree_leaves(results))) if self.is_weighed else results


def _weighed(result):
    if not result.is_floating_point():
        return 0.0
    weights = torch.cos(1.0 + torch.arange(result.numel(), dtype=torch.float64)).reshape(result.shape)
    return (weights * result).sum()


@pytest.mark.parametrize("name", OPERATIONS)
def test_values_are_those_of_torch(name):
    table, x = OPERATIONS[name]
    found = tl.from_torch(All(table), x)({"scale": 1.0}, x.numpy())
    with torch.no_grad():
        expected = All(table)(x)
    for program, result in expected.items():
        ours, theirs = (torch.utils._pytree.tree_leaves(each) for each in (found[program], result))
        for one, other in zip(ours, theirs, strict=True):
            np.testing.assert_allclose(one, other.numpy(), rtol=1e-9, atol=1e-12, err_msg=program)


@cache
def _slopes(name):
    table, x = OPERATIONS[name]
    module, given = All(table, is_weighed=True), x.clone().requires_grad_()
    module(given).backward()
    return tl.from_torch(module, x), module.scale.grad.item(), given.grad.numpy()


@pytest.mark.one_in(3)
@pytest.mark.parametrize("method", sorted(IMPLEMENTED))
@pytest.mark.parametrize("name", OPERATIONS)
def test_gradients_are_those_of_torch(name, method):
    function, by_scale, by_x = _slopes(name)
    found = tl.grad(function, argnums=(0, 1), method=method)({"scale": 1.0}, OPERATIONS[name][1].numpy())
    np.testing.assert_allclose(found[0]["scale"], by_scale, rtol=1e-8)
    np.testing.assert_allclose(found[1], by_x, rtol=1e-8, atol=1e-10)
