"""Sums at places that are data on the emulated GPU: the same bits in every order of threads, and right."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tapeless as tl
from emulated_gpu.kernels import emulated_cuda


def table_adjoint(table, keys, x):
    """What a table gets that is read at keys, in a loop and beside it, and an adjoint for each value."""

    def loss(t, v):
        def one(k, w):
            total = t[k, 0] * w
            for j in range(3):
                total += t[(k + j) % len(t), 1] * w * w
            return total

        return tl.sum(tl.map(one, keys, v))

    return tl.grad(loss, argnums=(0, 1))(table, x)


def reference(table: np.ndarray, keys: np.ndarray, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    bar, value_bar = np.zeros(table.shape), table[keys, 0].astype(float)
    np.add.at(bar[:, 0], keys, x)
    for j in range(3):
        place = (keys + j) % len(table)
        np.add.at(bar[:, 1], place, x * x)
        value_bar += 2 * x * table[place, 1]
    return bar, value_bar


def given_for(count: int, rows: int, dtype: Any) -> tuple[np.ndarray, ...]:
    random = np.random.default_rng(count)
    x = random.normal(size=count) * 10.0 ** random.integers(-6, 6, size=count)
    return random.normal(size=(rows, 2)).astype(dtype), random.integers(0, rows, size=count), x.astype(dtype)


@pytest.mark.one_in(4)
@pytest.mark.parametrize("deterministic", [True, False])
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("rows", [50, 2100])
def test_adjoints_of_tables(rows: int, dtype: Any, deterministic: bool) -> None:
    close = 1e-12 if dtype == np.float64 else 3e-5
    with emulated_cuda(seed=rows, keeps_kernels=True) as gpu:
        kernel = tl.jit(table_adjoint, target="cuda", deterministic=deterministic)
        for count in (0, 1, 255, 257, 1500):
            given = given_for(count, rows, dtype)
            for found, wanted in zip(kernel(*given), reference(*given), strict=True):
                np.testing.assert_allclose(found, wanted, rtol=close, atol=close * np.max(np.abs(wanted), initial=0))
        gpu.check_guards()


def counted(bins, keys, x):
    return tl.hist(lambda a, b: a + b, 0, bins, keys, x)


MANY = 4000


@pytest.mark.one_in(2)
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_order_does_not_matter(dtype: Any) -> None:
    random = np.random.default_rng(3)
    x = (random.normal(size=3000) * 10.0 ** random.integers(-9, 9, size=3000)).astype(dtype)
    keys = random.integers(0, 20, size=3000)
    found = []
    for seed in range(3):
        order = np.random.default_rng(seed).permutation(3000)
        with emulated_cuda(seed=seed, keeps_kernels=True):
            found.append(tl.jit(counted, target="cuda")(np.zeros(MANY, dtype), keys[order], x[order]))
    wanted = np.zeros(MANY, np.longdouble)
    np.add.at(wanted, keys, x.astype(np.longdouble))
    assert len({each.tobytes() for each in found}) == 1
    close = 1e-15 if dtype == np.float64 else 1e-7
    np.testing.assert_allclose(found[0], wanted.astype(float), rtol=close, atol=close * np.max(np.abs(x)))


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_extreme_values(dtype: Any) -> None:
    """Infinities, NaNs, the largest and the smallest numbers, zeros, each in a bin of its own."""
    info, inf, nan = np.finfo(dtype), np.inf, np.nan
    tiny = float(info.smallest_subnormal)
    groups = [
        [inf, 1.0, inf],
        [-inf, 2.0],
        [inf, -inf],
        [nan, 1.0],
        [nan, -inf],
        [float(info.max), -float(info.max), 1.0],
        [float(info.max), float(info.max)],
        [tiny, tiny, -3 * tiny],
        [0.0, -0.0],
        [1.0, 2.0 ** -(info.nmant + 3)],
        [-1.5, -2.5, float(info.tiny)],
        [],
    ]
    keys = np.concatenate([np.full(len(group), number) for number, group in enumerate(groups)])
    x = np.array([value for group in groups for value in group], dtype)
    with np.errstate(all="ignore"):
        wanted = np.array([np.array(group, dtype).astype(np.longdouble).sum() for group in groups]).astype(dtype)
    with emulated_cuda(seed=2, keeps_kernels=True):
        found = tl.jit(counted, target="cuda")(np.zeros(MANY, dtype), keys, x)
    np.testing.assert_array_equal(found[: len(groups)][wanted != 1], wanted[wanted != 1])
    assert abs(found[9] - 1) <= info.eps


def test_integers() -> None:
    keys, x = np.arange(500) % 3, np.arange(500)
    with emulated_cuda(seed=2, keeps_kernels=True):
        found = tl.jit(counted, target="cuda")(np.ones(MANY, np.int64), keys, x)
    np.testing.assert_array_equal(found[:4], [1 + x[keys == key].sum() for key in range(4)])
