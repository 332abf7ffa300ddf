"""Histograms whose values are rows, on the emulated GPU: all elements of all rows at once, no launch for each row."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tapeless as tl
from emulated_gpu.kernels import emulated_cuda

# Numbers of values, bins and columns: none of each, few and many bins, rows longer than blocks.
SIZES = ((0, 5, 3), (7, 1, 1), (40, 6, 0), (300, 9, 5), (500, 40, 33), (60, 2000, 7), (20, 3, 300))


def added(bins, keys, rows):
    return tl.hist(lambda a, b: a + b, np.zeros_like(bins[0]), bins, keys, rows)


def largest(bins, keys, rows):
    return tl.hist(lambda a, b: np.maximum(a, b), np.full_like(bins[0], -1000.0), bins, keys, rows)


def multiplied(bins, keys, rows):
    return tl.hist(lambda a, b: a * b, np.ones_like(bins[0]), bins, keys, rows)


def numpy_style(bins, keys, rows):
    kept = bins + 0.0
    kept[np.abs(keys)] += np.sin(rows)
    return kept


def pairs(bins, keys, rows):
    """Two components by two operators."""
    zeros, low = np.zeros_like(bins[0]), np.full_like(bins[0], -1000.0)
    combine = lambda a, c, b, d: (a + b, np.maximum(c, d))  # noqa: E731
    sums, most = tl.hist(combine, (zeros, low), (bins, bins), keys, (rows, rows))
    return sums * most


def in_order(operator: Callable[[Any, Any], Any]) -> Callable[..., np.ndarray]:
    def reference(bins: np.ndarray, keys: np.ndarray, rows: np.ndarray) -> np.ndarray:
        result = bins.copy()
        for key, row in zip(keys.tolist(), rows, strict=True):
            if 0 <= key < len(bins):
                result[key] = operator(result[key], row)
        return result

    return reference


def styled(bins: np.ndarray, keys: np.ndarray, rows: np.ndarray) -> np.ndarray:
    return in_order(np.add)(bins, np.abs(keys), np.sin(rows))


REFERENCES: dict[Callable[..., Any], Callable[..., np.ndarray]] = {
    added: in_order(np.add),
    largest: in_order(np.maximum),
    multiplied: in_order(np.multiply),
    numpy_style: styled,
    pairs: lambda *given: in_order(np.add)(*given) * in_order(np.maximum)(*given),
}


def arguments(function: Any, count: int, bins: int, columns: int, dtype: Any = np.float64) -> tuple[np.ndarray, ...]:
    random = np.random.default_rng(count + bins + columns)
    low, high = (0, bins) if function is numpy_style else (-2, bins + 2)
    keys = random.integers(low, high, size=count)
    return random.normal(size=(bins, columns)).astype(dtype), keys, random.normal(size=(count, columns)).astype(dtype)


@pytest.mark.one_in(3)
@pytest.mark.parametrize("function", REFERENCES, ids=lambda function: function.__name__)
def test_elements_of_rows_are_combined_by_key(function: Any) -> None:
    with emulated_cuda(keeps_kernels=True):
        kernel = tl.compile(function, (tl.f64[:, :], tl.i64[:], tl.f64[:, :]), target="cuda")
        for sizes in SIZES:
            given = arguments(function, *sizes)
            assert np.allclose(kernel(*given), REFERENCES[function](*given), rtol=1e-13, atol=1e-13), sizes


def loss(function: Any) -> Any:
    def weighted(bins, keys, rows):
        out = function(bins, keys, rows)
        return np.sum(out * out)

    return weighted


@pytest.mark.one_in(3)
@pytest.mark.parametrize("function", [added, largest, numpy_style], ids=lambda function: function.__name__)
def test_gradients_are_those_of_the_cpu(function: Any) -> None:
    gradient, types = tl.grad(loss(function), argnums=(0, 2)), (tl.f64[:, :], tl.i64[:], tl.f64[:, :])
    with emulated_cuda(keeps_kernels=True):
        kernel, other = tl.compile(gradient, types, target="cuda"), tl.compile(gradient, types)
        for sizes in ((30, 7, 4), (100, 300, 3)):
            given = arguments(function, *sizes)
            for found, wanted in zip(kernel(*given), other(*given), strict=True):
                assert np.allclose(found, wanted, rtol=1e-12, atol=1e-12)


def added_planes(bins, keys, planes):
    return tl.hist(lambda a, b: a + b, np.zeros_like(bins[0]), bins, keys, planes)


def test_rows_may_have_several_axes_and_other_types() -> None:
    random = np.random.default_rng(3)
    keys = random.integers(-1, 7, size=50)
    with emulated_cuda(keeps_kernels=True):
        kernel = tl.compile(added_planes, (tl.f32[:, :, :], tl.i64[:], tl.f32[:, :, :]), target="cuda")
        bins, planes = (random.normal(size=(count, 3, 4)).astype(np.float32) for count in (6, 50))
        assert np.allclose(kernel(bins, keys, planes), in_order(np.add)(bins, keys, planes), rtol=1e-5, atol=1e-5)
        kernel = tl.compile(added, (tl.i64[:, :], tl.i64[:], tl.i64[:, :]), target="cuda")
        counts, numbers = random.integers(-9, 9, size=(6, 5)), random.integers(-9, 9, size=(50, 5))
        assert np.array_equal(kernel(counts, keys, numbers), in_order(np.add)(counts, keys, numbers))


@pytest.mark.one_in(3)
@pytest.mark.parametrize("function", REFERENCES, ids=lambda function: function.__name__)
def test_the_number_of_launches_does_not_grow_with_that_of_rows(function: Any) -> None:
    with emulated_cuda(keeps_kernels=True):
        kernel = tl.compile(function, (tl.f64[:, :], tl.i64[:], tl.f64[:, :]), target="cuda")
        said = [kernel.explain(tl.f64[2000, 8], tl.i64[n], tl.f64[n, 8]).splitlines() for n in (1000, 100_000)]
        few, many = (next(line for line in lines if "launches of" in line) for lines in said)
        assert int(many.split()[1]) <= int(few.split()[1]) + 2
        assert "for" not in [step["do"] for step in json.loads(kernel._code.image.plan)["steps"]]
