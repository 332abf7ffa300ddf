"""Modules of PyTorch: imported, differentiated by every method and trained, equal to PyTorch's."""

from __future__ import annotations

import copy
from functools import cache

import numpy as np
import pytest

import tapeless as tl
from tapeless.methods import IMPLEMENTED

torch = pytest.importorskip("torch")

from unit.imports.torch_modules import modules  # noqa: E402

MODULES = modules()
STEPS, RATE = 3, 0.05


@cache
def imported(name):
    module, inputs = MODULES[name]
    return tl.from_torch(module, *inputs)


@cache
def trained_by_torch(name):
    module, inputs = copy.deepcopy(MODULES[name][0]), MODULES[name][1]
    optimiser, losses = torch.optim.SGD(module.parameters(), lr=RATE), []
    for _ in range(STEPS):
        optimiser.zero_grad()
        loss = module(*inputs)
        loss.backward()
        optimiser.step()
        losses.append(loss.item())
    return losses, {key: each.detach().numpy() for key, each in module.named_parameters()}


@pytest.mark.parametrize("method", sorted(IMPLEMENTED))
@pytest.mark.parametrize("name", sorted(MODULES))
def test_training_is_that_of_torch(name, method):
    module, inputs = MODULES[name]
    arguments = [each.numpy() for each in inputs]
    parameters = {key: each.detach().numpy()[()] for key, each in module.named_parameters()}
    step, losses = tl.value_and_grad(imported(name), method=method), []
    for _ in range(STEPS):
        loss, gradients = step(parameters, *arguments)
        parameters = {key: each - RATE * gradients[key] for key, each in parameters.items()}
        losses.append(loss)
    expected = trained_by_torch(name)
    np.testing.assert_allclose(losses, expected[0], rtol=1e-9)
    for key, each in expected[1].items():
        np.testing.assert_allclose(parameters[key], each, rtol=1e-7, atol=1e-10)
