"""Sums of f32 by levels of exponents on the emulated GPU: right, and the same bits in every order."""

from __future__ import annotations

from collections.abc import Iterator
from unittest import mock

import numpy as np
import pytest

import tapeless as tl
from emulated_gpu.kernels import emulated_cuda
from tapeless.passes.lower.grid.exact import sums

MANY = 5000
INFO = np.finfo(np.float32)


@pytest.fixture(autouse=True)
def always() -> Iterator[None]:
    """However few iterations there are."""
    with mock.patch.object(sums, "ITERATIONS_PER_ELEMENT", 0):
        yield


def counted(bins, keys, x):
    return tl.hist(lambda a, b: a + b, 0, bins, keys, x)


def looked_up(table, places, x):
    """Rows of two axes, at a place and beside it, and an adjoint for each number."""

    def one(place, share):
        return tl.sum(table[place] * share) + table[place + 1, 1, 0] * share * share

    return tl.sum(tl.map(one, places, x))


def test_extreme_values() -> None:
    """Infinities, NaNs, the largest and the smallest numbers, zeros, each in a bin of its own."""
    inf, nan, largest, tiny = np.inf, np.nan, float(INFO.max), float(INFO.smallest_subnormal)
    groups = [
        [inf, 1.0, inf],
        [-inf, 2.0],
        [inf, -inf],
        [nan, 1.0],
        [nan, -inf],
        [largest, -largest, 1.0],
        [largest, largest],
        [tiny, tiny, -3 * tiny],
        [float(INFO.tiny), tiny],
        [0.0, -0.0],
        [1.0, 2.0**-24, 2.0**-24],
        [1e30, 1e-30, -1e30],
        [2.0**power for power in range(-20, 4)],
        [],
    ]
    keys = np.concatenate([np.full(len(group), number) for number, group in enumerate(groups)])
    x = np.array([value for group in groups for value in group], np.float32)
    with np.errstate(all="ignore"):
        wanted = np.array([np.array(group, np.longdouble).sum() for group in groups])
        wanted[11] = np.float32(1e-30)
        wanted = wanted.astype(np.float32)
    with emulated_cuda(seed=2) as gpu:
        found = tl.jit(counted, target="cuda")(np.zeros(MANY, np.float32), keys, x)
        gpu.check_guards()
    np.testing.assert_array_equal(found[: len(groups)], wanted)
    assert not found[len(groups) :].any()


def test_rows_in_any_order() -> None:
    random = np.random.default_rng(3)
    table = random.normal(size=(901, 3, 2)).astype(np.float32)
    for count in (0, 1, 600):
        places = random.integers(0, 900, size=count)
        x = (random.normal(size=count) * 10.0 ** random.integers(-9, 9, size=count)).astype(np.float32)
        wide, found = x.astype(np.float64), []
        bar = np.zeros(table.shape)
        np.add.at(bar, places, wide[:, None, None])
        np.add.at(bar[:, 1, 0], places + 1, (x * x).astype(np.float64))
        x_bar = table[places].sum(axis=(1, 2), dtype=np.float64) + 2 * wide * table[places + 1, 1, 0]
        for seed in range(2):
            order = np.random.default_rng(seed).permutation(count)
            with emulated_cuda(seed=seed, keeps_kernels=True) as gpu:
                kernel = tl.jit(tl.grad(looked_up, argnums=(0, 2)), target="cuda")
                sums_found, own = kernel(table, places[order], x[order])
                gpu.check_guards()
            found.append(sums_found.tobytes())
            np.testing.assert_allclose(sums_found, bar, rtol=1e-6, atol=1e-6 * np.max(np.abs(bar), initial=0))
            np.testing.assert_allclose(own, x_bar[order], rtol=1e-5, atol=1e-5 * np.max(np.abs(x_bar), initial=0))
        assert len(set(found)) == 1
