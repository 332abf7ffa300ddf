"""Rows of tables that look-ups scale and add up: scales are summed first, on the emulated GPU."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tapeless as tl
from emulated_gpu.kernels import emulated_cuda

COUNTS = (0, 1, 257)


def interpolated(table, places, x):
    """The squares of numbers between those of neighbouring rows."""

    def one(place, share):
        mixed = table[place] + share * (table[place + 1] - table[place])
        return tl.sum(mixed * mixed)

    return tl.sum(tl.map(one, places, x))


def interpolated_bar(table: np.ndarray, places: np.ndarray, x: np.ndarray) -> np.ndarray:
    bar, share = np.zeros(table.shape), x[:, None]
    each = 2 * (table[places] + share * (table[places + 1] - table[places]))
    np.add.at(bar, places + 1, each * share)
    np.add.at(bar, places, each - each * share)
    return bar


def layered(table, layers, places, x):
    """The same in a layer of a larger table for each of several layers, which counts as much as it is far up."""

    def one(place, share):
        def of_layer(layer):
            mixed = table[layer, place] + share * (table[layer, place + 1] - table[layer, place])
            return (2.0 + layer) * tl.sum(mixed * mixed)

        return tl.sum(tl.map(of_layer, layers))

    return tl.sum(tl.map(one, places, x))


def layered_bar(table: np.ndarray, layers: np.ndarray, places: np.ndarray, x: np.ndarray) -> np.ndarray:
    bar, share = np.zeros(table.shape), x[:, None]
    for layer in layers:
        each = 2 * (2.0 + layer) * (table[layer, places] + share * (table[layer, places + 1] - table[layer, places]))
        np.add.at(bar[layer], places + 1, each * share)
        np.add.at(bar[layer], places, each - each * share)
    return bar


def arguments(count: int, rows: int, dtype: Any) -> tuple[np.ndarray, ...]:
    """Places from the end as well: they are negative."""
    random = np.random.default_rng(count + rows)
    places = random.integers(-rows, rows - 1, count)
    return random.normal(size=(rows, 5)).astype(dtype), places, random.random(count).astype(dtype)


def check(found: np.ndarray, wanted: np.ndarray, dtype: Any) -> None:
    close = 1e-12 if dtype == np.float64 else 1e-5
    np.testing.assert_allclose(found, wanted, rtol=close, atol=close * np.max(np.abs(wanted), initial=1))


@pytest.mark.one_in(4)
@pytest.mark.parametrize("deterministic", [True, False])
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_rows_are_scaled_once(dtype: Any, deterministic: bool) -> None:
    with emulated_cuda(seed=1, keeps_kernels=True) as gpu:
        kernel = tl.jit(tl.grad(interpolated), target="cuda", deterministic=deterministic)
        for count in COUNTS:
            for rows in (2, 31):
                given = arguments(count, rows, dtype)
                check(kernel(*given), interpolated_bar(*given), dtype)
        gpu.check_guards()


@pytest.mark.parametrize("deterministic", [True, False])
def test_large_tables(deterministic: bool) -> None:
    """So many rows that sums are made in place, and more look-ups than rows, many of the same ones."""
    with emulated_cuda(seed=2, keeps_kernels=True) as gpu:
        kernel = tl.jit(tl.grad(interpolated), target="cuda", deterministic=deterministic)
        table, places, x = arguments(8000, 900, np.float32)
        places[:500] = 898
        check(kernel(table, places, x), interpolated_bar(table, places, x), np.float32)
        gpu.check_guards()


@pytest.mark.one_in(4)
@pytest.mark.parametrize("deterministic", [True, False])
def test_rows_of_layers(deterministic: bool) -> None:
    with emulated_cuda(seed=3, keeps_kernels=True) as gpu:
        kernel = tl.jit(tl.grad(layered), target="cuda", deterministic=deterministic)
        for count in COUNTS:
            table, places, x = arguments(count, 9, np.float64)
            tables, layers = np.stack([table, 2 * table, table - 1]), np.array([2, 0, -1, 1])
            check(kernel(tables, layers, places, x), layered_bar(tables, layers, places, x), np.float64)
        gpu.check_guards()


def test_same_bits_for_every_order() -> None:
    given = arguments(8000, 900, np.float32)
    found = []
    for seed in (5, 6):
        with emulated_cuda(seed=seed, keeps_kernels=True):
            found.append(tl.jit(tl.grad(interpolated), target="cuda")(*given))
    assert all(np.array_equal(found[0], other) for other in found[1:])


def test_rows_that_nothing_reads_do_not_count() -> None:
    """They may hold anything; rows that are read and hold no number have no number as their sum, and neighbours."""
    table, places, x = arguments(400, 40, np.float64)
    places = np.abs(places) % 20 + 3
    table[[0, 30, 39]], table[1] = np.nan, np.inf
    with emulated_cuda(seed=4, keeps_kernels=True):
        kernel = tl.jit(tl.grad(interpolated), target="cuda")
        check(kernel(table, places, x), interpolated_bar(table, places, x), np.float64)
        table[10, 2] = np.nan
        found = kernel(table, places, x)
    wrong = np.zeros(table.shape, bool)
    wrong[9:12, 2] = True
    assert np.array_equal(np.isnan(found), wrong)
