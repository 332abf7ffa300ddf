"""Parameters that loops read one by one, on the emulated GPU: their adjoints are reductions."""

from __future__ import annotations

import numpy as np
import pytest

import tapeless as tl
from emulated_gpu.kernels import emulated_cuda


def straight(p, x):
    """Constant places, one of them twice, beside rows that each iteration owns."""
    total = 0.0
    for i in range(x.shape[0]):
        a, b = x[i, 0], x[i, 1]
        total += (p[0] * a + p[1] * b + p[2] * a * b + p[1] - p[3]) ** 2
    return total


def branching(p, x):
    """Places in one branch, in both, and in a branch of a branch."""
    total = 0.0
    for i in range(x.shape[0]):
        a = x[i, 0]
        if a > 0.0:
            value = p[0] * a + p[1]
            if a > 0.5:
                value += p[2] * a * a
        else:
            value = p[1] * a * a
        total += value * value
    return total


def nested(p, x):
    """An inner loop adds at constant places, and at a place of the outer one."""
    total = 0.0
    for i in range(x.shape[0]):
        for j in range(x.shape[1]):
            if x[i, j] > p[0]:
                total += tl.sin(p[1] * x[i, j]) * x[i, 0]
            else:
                total += p[2] * x[i, j] + p[3]
    return total


def elsewhere(p, x):
    """An inner loop adds at places of its own, too."""
    total = 0.0
    for i in range(x.shape[0]):
        for j in range(x.shape[1]):
            total += p[0] * x[i, j] * p[j % 4] + x[0, j] * x[i, j]
    return total


def asked(p, x, place):
    """A place that is an argument, and may be none of the array where nothing is added there."""
    total = 0.0
    for i in range(x.shape[0]):
        if x[i, 0] > 100.0:
            total += p[place] * x[i, 0]
        total += p[1] * x[i, 1]
    return total


PROGRAMS = {each.__name__: each for each in (straight, branching, nested, elsewhere)}


@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_gradients_are_those_of_the_cpu(name, dtype) -> None:
    gradient = tl.value_and_grad(PROGRAMS[name], argnums=(0, 1))
    with emulated_cuda(seed=3, keeps_kernels=True) as gpu:
        on_gpu, on_cpu = tl.jit(gradient, target="cuda"), tl.jit(gradient)
        for rows, columns in ((0, 3), (1, 2), (7, 5), (300, 4)):
            random = np.random.default_rng(rows)
            p, x = random.normal(size=4).astype(dtype), random.normal(size=(rows, columns)).astype(dtype)
            (value, found), (wanted_value, wanted) = on_gpu(p, x), on_cpu(p, x)
            tolerance = 1e-11 if dtype is np.float64 else 3e-4
            for one, other in ((value, wanted_value), *zip(found, wanted, strict=True)):
                scale = np.max(np.abs(other), initial=1.0)
                np.testing.assert_allclose(one, other, rtol=tolerance, atol=tolerance * scale)
        gpu.check_guards()


@pytest.mark.parametrize("place", [2, 3, -1, 40])
def test_places_where_nothing_is_added(place) -> None:
    p, x = np.arange(4.0), np.random.default_rng(1).normal(size=(50, 2))
    with emulated_cuda(seed=4, keeps_kernels=True) as gpu:
        found = tl.jit(tl.grad(asked), target="cuda", checks="off")(p, x, place)
        gpu.check_guards()
    np.testing.assert_allclose(found, [0.0, x[:, 1].sum(), 0.0, 0.0], rtol=1e-12)


def test_iterations_fill_the_gpu() -> None:
    """Neither copies of the array nor sums by exponents are made: one sweep, blocks combined, sums added."""
    x = np.ones((100_000, 2))
    kernel = tl.compile(tl.grad(straight, argnums=(0, 1)), (np.ones(4), x), target="cuda:sm_90", checks="off")
    text = str(kernel.explain(np.ones(4), x))
    assert "98 blocks of 256 threads" in text and "5 launches" in text and " slow " not in text
