"""Gradients of functions of looked-up elements: functions in lanes, sums into the table one lane after the other."""

from __future__ import annotations

import numpy as np
import pytest

import tapeless as tl

TOLERANCES = {np.float64: 1e-12, np.float32: 1e-4}


@tl.function
def waves(table: tl.f64[:], picks: tl.i64[:, :], weights: tl.f64[:, :]) -> tl.f64:
    def wave(row, factors):
        return tl.sum(tl.map(lambda k, factor: tl.sin(factor * table[k]), row, factors))

    return tl.sum(tl.map(wave, picks, weights))


@tl.function
def single_waves(table: tl.f32[:], picks: tl.i64[:, :], weights: tl.f32[:, :]) -> tl.f32:
    def wave(row, factors):
        return tl.sum(tl.map(lambda k, factor: tl.sin(factor * table[k]), row, factors))

    return tl.sum(tl.map(wave, picks, weights))


PROGRAMS = {np.float64: waves, np.float32: single_waves}


def sample(rows: int, columns: int, entries: int, dtype: type) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    random = np.random.default_rng(rows * 100 + columns)
    table, weights = random.normal(size=entries).astype(dtype), random.normal(size=(rows, columns)).astype(dtype)
    return table, random.integers(0, entries, size=(rows, columns)), weights


def reference(table: np.ndarray, picks: np.ndarray, weights: np.ndarray) -> tuple[float, np.ndarray, np.ndarray]:
    picked = table[picks].astype(np.float64)
    gradient = np.zeros(len(table))
    np.add.at(gradient, picks, weights * np.cos(weights * picked))
    return np.sin(weights * picked).sum(), gradient, picked * np.cos(weights * picked)


@pytest.mark.one_in(23)
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("columns", [0, 1, 7, 8, 9, 16, 23, 40])
@pytest.mark.parametrize("entries", [1, 3, 500])
def test_gradients(columns: int, entries: int, dtype: type) -> None:
    arguments = sample(13, columns, entries, dtype)
    value, (table, weights) = tl.value_and_grad(PROGRAMS[dtype], argnums=(0, 2))(*arguments)
    close = {"rtol": TOLERANCES[dtype], "atol": 10 * TOLERANCES[dtype]}
    for actual, expected in zip((value, table, weights), reference(*arguments), strict=True):
        np.testing.assert_allclose(actual, expected, **close)


def test_functions_run_in_lanes() -> None:
    kernel = tl.compile(tl.value_and_grad(waves), sample(13, 16, 5, np.float64))
    assert "math.cos" in kernel.ir("lower-loops")
    assert any("math.cos" in line and "vector<" in line for line in kernel.ir("lower-vectorise").splitlines())


def test_threads_change_no_bit() -> None:
    arguments = sample(3000, 23, 40, np.float64)
    one, two = (tl.jit(tl.value_and_grad(waves), threads=threads)(*arguments) for threads in (1, 2))
    assert one[0] == two[0]
    np.testing.assert_array_equal(one[1], two[1])
