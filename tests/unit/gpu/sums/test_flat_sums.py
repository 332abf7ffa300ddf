"""Nests of maps that add at places that they compute, and nests with memory for each thread, on the emulated GPU."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

import tapeless as tl
from emulated_gpu.kernels import emulated_cuda


def picked(table, places, weights):
    """Elements of a table at places of a plane, by rows of weights."""

    def row(keys, own):
        return tl.sum(tl.map(lambda k, w: np.sin(table[k] * w), keys, own))

    return tl.sum(tl.map(row, places, weights))


def between(table, places, weights):
    """Arrays of several axes, which leave results beside sums: weights have a gradient of their own."""
    near = table[places] * weights + table[(places + 1) % len(table)] * (1.0 - weights)
    return np.mean(near**2)


def taps(kernels, planes, scales):
    """Loops of three levels around taps, whose kernels have few elements."""
    loss = 0.0
    for c in range(kernels.shape[0]):
        for i in range(planes.shape[0] - 2):
            for j in range(planes.shape[1] - 1):
                value = 0.0
                for di in range(3):
                    for dj in range(2):
                        value += kernels[c, di, dj] * planes[i + di, j + dj]
                loss += scales[c] * max(value, 0.0)
    return loss


def plane(shape: tuple[int, int], dtype: Any) -> tuple[np.ndarray, ...]:
    rng = np.random.default_rng(shape)
    elements = 5000 if shape[0] > 20 else 7
    return (
        rng.normal(size=elements).astype(dtype),
        rng.integers(0, elements, shape),
        rng.uniform(0.2, 0.8, shape).astype(dtype),
    )


def image(shape: tuple[int, int], dtype: Any) -> tuple[np.ndarray, ...]:
    rng = np.random.default_rng(shape)
    return tuple(rng.normal(size=size).astype(dtype) for size in ((4, 3, 2), shape, 4))


CASES = {picked: (plane, (0, 2)), between: (plane, (0, 2)), taps: (image, (0, 2))}
SHAPES = ((1, 1), (5, 3), (33, 70))


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("function", CASES, ids=lambda function: function.__name__)
def test_gradients_are_those_of_the_cpu(function: Any, dtype: Any) -> None:
    make, wrt = CASES[function]
    gradient = tl.value_and_grad(function, argnums=wrt)
    near = 1e-11 if dtype is np.float64 else 1e-3
    with emulated_cuda(keeps_kernels=True):
        kernel, other = (tl.compile(gradient, make((4, 4), dtype), target=target) for target in ("cuda", "cpu"))
        for shape in SHAPES:
            arguments = make(shape, dtype)
            for ours, theirs in zip(kernel(*arguments)[1], other(*arguments)[1], strict=True):
                np.testing.assert_allclose(ours, theirs, rtol=near, atol=near)


def test_threads_share_the_inner_iterations() -> None:
    with emulated_cuda(keeps_kernels=True):
        kernel = tl.compile(tl.grad(between, argnums=(0, 2)), plane((4, 4), np.float64), target="cuda")
    launches = kernel.explain(tl.f64[5000], tl.i64[60, 70], tl.f64[60, 70])
    adding = [line for line in str(launches).splitlines() if re.search(r"grid .*test_flat_sums", line)]
    assert not any(" of 1 block of 60 threads" in line or " of 1 block of 64 threads" in line for line in adding)


def own_rows(x, steps):
    """A map in a map whose iterations change an array of their own, of a size that the host knows."""

    def one(a, b):
        kept = steps * b
        for i in range(1, len(kept)):
            kept[i] = 0.5 * kept[i - 1] + a * kept[i]
        for i in range(1, len(kept)):
            kept[len(kept) - 1 - i] += 0.25 * kept[len(kept) - i]
        return tl.max(kept) + kept[0]

    return tl.map(lambda a: tl.map(lambda b: one(a, b), x), x)


def expected_rows(x: np.ndarray, steps: np.ndarray) -> np.ndarray:
    out = np.empty((len(x), len(x)))
    for i, a in enumerate(x):
        for j, b in enumerate(x):
            kept = steps * b
            for k in range(1, len(kept)):
                kept[k] = 0.5 * kept[k - 1] + a * kept[k]
            for k in range(1, len(kept)):
                kept[len(kept) - 1 - k] += 0.25 * kept[len(kept) - k]
            out[i, j] = kept.max() + kept[0]
    return out


def test_nests_with_arrays_of_threads_are_one_grid() -> None:
    with emulated_cuda(keeps_kernels=True):
        kernel = tl.compile(own_rows, (tl.f64[:], tl.f64[:]), target="cuda")
        assert "7 blocks of 64 threads" in str(kernel.explain(tl.f64[20], tl.f64[9]))
        for count, length in ((1, 1), (3, 5), (20, 9)):
            rng = np.random.default_rng(count)
            x, steps = rng.normal(size=count), rng.normal(size=length)
            np.testing.assert_allclose(kernel(x, steps), expected_rows(x, steps), rtol=1e-13, atol=1e-13)
