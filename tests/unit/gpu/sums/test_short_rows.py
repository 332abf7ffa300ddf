"""Threads sum numbers instead of short arrays: stacked columns, and parameters that a loop adds to beside others."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tapeless as tl
from emulated_gpu.kernels import emulated_cuda

RANDOM = np.random.default_rng(2)


@tl.function
def stacked(c, x):
    rows = np.stack((x[:, 0], x[:, 1] * x[:, 2], np.sin(x[:, 0]) * x[:, 1]), axis=1)
    return np.sum((rows @ c) ** 2)


@tl.function
def waves(p, x):
    """The reverse sweep adds to `p[0]` at once, and to `p[1:]` in a sequential loop behind it."""
    total = 0.0
    for i in range(len(x)):
        s = x[i, 0]
        for t in range(x.shape[1]):
            s = tl.sin(s + tl.dot(p[1:], x[i]) * x[i, t])
        total += s * p[0]
    return total


@pytest.mark.parametrize("function", [stacked, waves], ids=("stacked", "waves"))
def test_gradients(function: Callable[..., Any]) -> None:
    """They are those of the CPU; no thread has a copy of an array."""
    both = tl.value_and_grad(function, argnums=(0, 1))
    on_cpu = tl.jit(both)
    with emulated_cuda(seed=4) as gpu:
        on_gpu = tl.jit(both, target="cuda")
        for n in (0, 1, 300):
            c, x = RANDOM.normal(size=3 if function is stacked else 4), RANDOM.normal(size=(n, 3))
            value, gradients = on_gpu(c, x)
            wanted, others = on_cpu(c, x)
            np.testing.assert_allclose(value, wanted, rtol=1e-12)
            for one, other in zip(gradients, others, strict=True):
                np.testing.assert_allclose(one, other, rtol=1e-11, atol=1e-11)
        gpu.check_guards()


def test_stacked_columns_are_not_stored() -> None:
    """All of the value and of the gradients is made by maps of rows: few launches, none for a column."""
    x, c = RANDOM.normal(size=(300, 3)), RANDOM.normal(size=3)
    with emulated_cuda(seed=5) as gpu:
        tl.jit(tl.grad(stacked, argnums=(0, 1)), target="cuda")(c, x)
        assert len([call for call in gpu.calls if call[0] == "launch"]) <= 7
