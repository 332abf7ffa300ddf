"""Rows, columns and slices that are updated from what they and others held: values and gradients against numpy."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tapeless as tl

SHAPE, STEP = (3, 3, 3), 1e-30


def rows_added(p, acc):
    for b in range(2):
        e = p[b] * p[b]
        acc[b] += e + e.sum(axis=1)[:, None]
    return acc


def rows_subtracted(p, acc):
    for b in range(p.shape[0]):
        e = p[b] * p[b]
        acc[b] -= e * e.sum(axis=1)[:, None]
    return acc


def columns_multiplied(p, acc):
    for b in range(2):
        e = p[b] * 0.5
        acc[:, b] *= e + e.sum(axis=1)[:, None]
    return acc


def rows_added_while(p, acc):
    b = 0
    while b < 2:
        e = p[b] * p[b]
        acc[b] += e + e.sum(axis=1)[:, None]
        b += 1
    return acc


def planes_inside(p, acc):
    for b in range(2):
        e = p[b, :, 1:] * p[b, :, 1:]
        acc[b, :, 1:] += e + e.sum(axis=1)[:, None]
    return acc


def one_element_of_a_row(p, acc):
    for b in range(2):
        m = p[b] * p[b].sum(axis=1)[:, None]
        acc[0, 0] += m[0, 0]
    return acc


def rows_swapped(p, acc):
    acc[0], acc[1] = acc[1], acc[0]
    return acc * p


def columns_swapped(p, acc):
    acc[:, 0], acc[:, 2] = acc[:, 2], acc[:, 0]
    return acc * p


def slices_swapped(p, acc):
    acc[:1], acc[1:2] = acc[1:2], acc[:1]
    return acc * p


def strided_slices_swapped(p, acc):
    acc[0, ::2], acc[1, ::2] = acc[1, ::2], acc[0, ::2]
    return acc * p


def swapped_again_and_again(p, acc):
    for k in range(2):
        acc[k], acc[k + 1] = acc[k + 1] * p[k], acc[k]
    return acc


def kept_row(p, acc):
    row = acc[0]
    acc[0] = 1.0
    acc[1] = row
    return acc * p


def three_rows_turned(p, acc):
    acc[0], acc[1], acc[2] = acc[1], acc[2], acc[0]
    return acc * p


def columns_in_turn(p, acc):
    u = acc[0]
    for j in range(1, u.shape[1]):
        u[:, j] += u[:, j - 1] * u[:, j - 1].sum()
    return u * p[0]


def head_and_last(p, acc):
    v, x = acc[0, 0], p[0, 0]
    v[:-1] -= x.cumsum()[:-1]
    v[-1] *= x.sum()
    return v


PROGRAMS = (
    rows_added,
    rows_subtracted,
    columns_multiplied,
    rows_added_while,
    planes_inside,
    one_element_of_a_row,
    rows_swapped,
    columns_swapped,
    slices_swapped,
    strided_slices_swapped,
    swapped_again_and_again,
    kept_row,
    three_rows_turned,
    columns_in_turn,
    head_and_last,
)


def in_numpy(program: Callable[..., Any], p: np.ndarray, acc: np.ndarray) -> np.ndarray:
    """The program run by Python, where what is read before a write has to be copied: numpy would see the write."""
    return program(np.copy(p), np.copy(acc).view(ValuesAreCopies))


class ValuesAreCopies(np.ndarray):
    """An array whose rows and slices are copies, as they are in the language."""

    def __getitem__(self, key: Any) -> Any:
        return np.copy(super().__getitem__(key), subok=True)

    def __setitem__(self, key: Any, value: Any) -> None:
        self.view(np.ndarray)[key] = value


def slope(program: Callable[..., Any], arrays: list[np.ndarray], number: int, at: int, weight: np.ndarray) -> float:
    """The derivative of the weighted result by one element, by a complex step."""
    moved = [np.array(array, dtype=complex) for array in arrays]
    moved[number].flat[at] += STEP * 1j
    return float(np.sum(weight * in_numpy(program, *moved)).imag / STEP)


@pytest.mark.one_in(10)
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_values_and_gradients(program: Callable[..., Any]) -> None:
    rng = np.random.default_rng(11)
    arrays = [rng.normal(size=SHAPE), rng.normal(size=SHAPE)]
    wanted = in_numpy(program, *arrays)
    weight = rng.normal(size=wanted.shape)
    found, pullback = tl.vjp(tl.function(program), *arrays)
    np.testing.assert_allclose(found, wanted, rtol=1e-12)
    for number, adjoint in enumerate(pullback(weight)):
        slopes = [slope(program, arrays, number, at, weight) for at in range(adjoint.size)]
        np.testing.assert_allclose(adjoint.ravel(), slopes, rtol=1e-11, atol=1e-12)
