"""Rows that threads add to tables, by way of shared memory, on the emulated GPU."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from unittest import mock

import numpy as np
import pytest

import tapeless as tl
from emulated_gpu.kernels import emulated_cuda
from tapeless._mlir import arith, ir
from tapeless.passes.soac.spread.guard import Limits

pytestmark = pytest.mark.one_in(2)

# Blocks of these programs have 128 or 256 threads.
COUNTS = (0, 1, 31, 127, 128, 129, 256, 257, 700)
ROWS = 900


def interpolated(table, places, x):
    """Two neighbouring rows for each number."""

    def one(place, share):
        mixed = table[place] + share * (table[place + 1] - table[place])
        return tl.sum(mixed * mixed)

    return tl.sum(tl.map(one, places, x))


def interpolated_bar(table: np.ndarray, places: np.ndarray, x: np.ndarray) -> list[np.ndarray]:
    bar, share = np.zeros(table.shape), x[:, None]
    each = 2 * (table[places] + share * (table[places + 1] - table[places]))
    np.add.at(bar, places + 1, each * share)
    np.add.at(bar, places, each - each * share)
    return [bar]


def nested(table, other, places, x):
    """Rows of several axes of one table, and rows of another one at other places."""

    def one(place, share):
        total = tl.sum(tl.map(lambda row: tl.sum(tl.sin(row * share)), table[place]))
        return total + tl.sum(other[(7 * place) % len(other)] * table[place, 1, :2])

    return tl.sum(tl.map(one, places, x))


def nested_bar(table: np.ndarray, other: np.ndarray, places: np.ndarray, x: np.ndarray) -> list[np.ndarray]:
    bar, other_bar = np.zeros(table.shape), np.zeros(other.shape)
    share, beside = x[:, None, None], (7 * places) % len(other)
    np.add.at(bar, places, share * np.cos(table[places] * share))
    np.add.at(bar[:, 1, :2], places, other[beside])
    np.add.at(other_bar, beside, table[places, 1, :2])
    return [bar, other_bar]


def sometimes(table, places, x):
    """Some iterations add to one element of a row, some to all of them, and some twice."""

    def one(place, share):
        total = 0.0
        if share > 0.0:
            total = tl.sum(table[place] * share)
            if share > 0.5:
                total += tl.sum(table[place] * table[place])
        elif share > -0.5:
            total = table[place, place % 3] * share
        return total

    return tl.sum(tl.map(one, places, x))


def sometimes_bar(table: np.ndarray, places: np.ndarray, x: np.ndarray) -> list[np.ndarray]:
    bar, share = np.zeros(table.shape), x[:, None]
    np.add.at(bar, places, np.where(share > 0, share, 0) + np.where(share > 0.5, 2 * table[places], 0))
    is_one = (x <= 0) & (x > -0.5)
    np.add.at(bar, (places, places % 3), np.where(is_one, x, 0))
    one = np.where(is_one, table[places, places % 3], 0)
    return [bar, np.where(x > 0, table[places].sum(axis=1), one)]


def walking(table, places, x):
    """One row for the whole iteration, and others in a loop."""

    def one(place, share):
        total = tl.sum(table[place])
        for step in range(3):
            total += share * tl.sum(tl.exp(table[(place + step) % len(table)] * share))
        return total

    return tl.sum(tl.map(one, places, x))


def walking_bar(table: np.ndarray, places: np.ndarray, x: np.ndarray) -> list[np.ndarray]:
    bar, share = np.zeros(table.shape), x[:, None]
    np.add.at(bar, places, np.ones((len(places), table.shape[1])))
    for step in range(3):
        place = (places + step) % len(table)
        np.add.at(bar, place, share * share * np.exp(table[place] * share))
    return [bar]


def keyed(count: int, dtype: Any, *shapes: tuple[int, ...]) -> tuple[np.ndarray, ...]:
    """Tables, places of which one comes often, and numbers of both signs."""
    random = np.random.default_rng(count)
    places = np.where(random.random(count) < 0.3, 5, random.integers(0, ROWS - 1, size=count))
    tables = [random.normal(size=(ROWS, *shape)).astype(dtype) for shape in shapes]
    return *tables, places, random.uniform(-1, 1, size=count).astype(dtype)


# A program with its adjoint, the arguments that it is by, and the rows of its tables.
Case = tuple[Callable[..., Any], Callable[..., list[np.ndarray]], tuple[int, ...], tuple[tuple[int, ...], ...]]
CASES: dict[str, Case] = {
    "interpolated": (interpolated, interpolated_bar, (0,), ((5,),)),
    "nested": (nested, nested_bar, (0, 1), ((4, 3), (2,))),
    "sometimes": (sometimes, sometimes_bar, (0, 2), ((7,),)),
    "walking": (walking, walking_bar, (0,), ((6,),)),
}


@pytest.mark.one_in(23)
@pytest.mark.parametrize("deterministic", [True, False])
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("name", CASES)
def test_gradients(name: str, dtype: Any, deterministic: bool) -> None:
    function, reference, argnums, shapes = CASES[name]
    close = 1e-12 if dtype == np.float64 else 2e-5
    with emulated_cuda(seed=len(shapes)) as gpu:
        kernel = tl.jit(tl.grad(function, argnums=argnums), target="cuda", deterministic=deterministic)
        for count in COUNTS:
            given = keyed(count, dtype, *shapes)
            wide = [each.astype(np.float64) if each.dtype == dtype else each for each in given]
            for found, wanted in zip(kernel(*given), reference(*wide), strict=True):
                scale = np.max(np.abs(wanted), initial=1e-3)
                np.testing.assert_allclose(found, wanted, rtol=close, atol=close * scale)
        gpu.check_guards()


def always(self: Limits, width: ir.Value, kept: object) -> ir.Value:
    return arith.ConstantOp(ir.IntegerType.get_signless(1), 1).result


@pytest.mark.one_in(2)
@pytest.mark.parametrize("deterministic", [True, False])
@pytest.mark.parametrize(
    "name", ["nested", *(pytest.param(each, marks=pytest.mark.thorough) for each in CASES if each != "nested")]
)
def test_several_maps_add_to_one_array(name: str, deterministic: bool) -> None:
    """Where maps are distributed over their statements, each adds to what those before have added."""
    function, reference, argnums, shapes = CASES[name]
    with mock.patch.object(Limits, "hold", always), emulated_cuda(seed=len(shapes)) as gpu:
        kernel = tl.jit(tl.grad(function, argnums=argnums), target="cuda", deterministic=deterministic)
        for count in (1, 129, 700):
            given = keyed(count, np.float64, *shapes)
            for found, wanted in zip(kernel(*given), reference(*given), strict=True):
                np.testing.assert_allclose(found, wanted, rtol=1e-12, atol=1e-12 * np.max(np.abs(wanted)))
        gpu.check_guards()


@pytest.mark.one_in(2)
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_order_does_not_matter(dtype: Any) -> None:
    """Sums have the same bits whatever the order of iterations and of threads is."""
    table, places, x = keyed(1500, dtype, (5,))
    x = (x * 10.0 ** np.random.default_rng(3).integers(-9, 9, size=len(x))).astype(dtype)
    found = []
    for seed in range(3):
        order = np.random.default_rng(seed).permutation(len(places))
        with emulated_cuda(seed=seed, keeps_kernels=True):
            kernel = tl.jit(tl.grad(interpolated), target="cuda")
            found.append(kernel(table, places[order], x[order]).tobytes())
    assert len(set(found)) == 1


@pytest.mark.one_in(2)
@pytest.mark.parametrize("deterministic", [True, False])
def test_extreme_values(deterministic: bool) -> None:
    """Infinities and NaNs stay where they were added."""
    table, places, x = keyed(300, np.float32, (5,))
    places[:2], table[100:102], x[:2] = (100, 200), ((1.0,), (np.inf,)), (0.5, np.nan)
    with emulated_cuda(seed=1), np.errstate(invalid="ignore"):
        found = tl.jit(tl.grad(interpolated), target="cuda", deterministic=deterministic)(table, places, x)
        (wanted,) = interpolated_bar(table.astype(np.float64), places, x.astype(np.float64))
    np.testing.assert_array_equal(np.isnan(found), np.isnan(wanted))
    np.testing.assert_array_equal(np.isposinf(found), np.isposinf(wanted))


def test_checks_still_fail() -> None:
    table, places, x = keyed(300, np.float64, (5,))
    places[270] = ROWS
    with emulated_cuda(seed=1):
        kernel = tl.jit(tl.grad(interpolated), target="cuda")
        with pytest.raises(tl.IndexOutOfRange, match=f"index {ROWS}"):
            kernel(table, places, x)
