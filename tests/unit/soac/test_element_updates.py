"""Adjoints of rows of which single elements are read: added element by element, and the same by all methods."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import tapeless as tl

METHODS = ("redundant", "reversible", "coarsened")
RNG = np.random.default_rng(5)
PLACES = RNG.integers(-3, 3, size=(7, 4))


def one_of_each_row(w, places):
    return tl.sum(tl.map(lambda p: tl.exp(tl.sum(tl.map(lambda row, k: row[k], w, p))), places))


def by_loops(w, places):
    total = 0.0
    for n in range(len(places)):
        score = 0.0
        for k in range(len(w)):
            score += w[k, places[n, k]]
        total += np.exp(score)
    return total


def twice_the_same(w, places):
    def scores(p):
        return tl.sum(tl.map(lambda row, k: row[k] * row[0] + row[k], w, p))

    return tl.sum(tl.map(lambda p: scores(p) ** 2, places))


def in_a_branch(w, places):
    def scores(p):
        return tl.sum(tl.map(lambda row, k: row[k] ** 2 if k >= 0 else 2.0 * row[1], w, p))

    return tl.sum(tl.map(lambda p: tl.sin(scores(p)), places))


def chosen(w: np.ndarray) -> np.ndarray:
    return w[np.arange(len(w)), PLACES]


def numpy_one_of_each_row(w):
    return np.sum(np.exp(np.sum(chosen(w), axis=1)))


def numpy_twice_the_same(w):
    return np.sum(np.sum(chosen(w) * w[:, 0] + chosen(w), axis=1) ** 2)


def numpy_in_a_branch(w):
    return np.sum(np.sin(np.sum(np.where(PLACES >= 0, chosen(w) ** 2, 2.0 * w[:, 1]), axis=1)))


PROGRAMS: dict[Callable, Callable] = {
    one_of_each_row: numpy_one_of_each_row,
    by_loops: numpy_one_of_each_row,
    twice_the_same: numpy_twice_the_same,
    in_a_branch: numpy_in_a_branch,
}


def differences(function: Callable, w: np.ndarray) -> np.ndarray:
    found = np.zeros_like(w)
    for place in np.ndindex(w.shape):
        step = np.zeros_like(w)
        step[place] = 1e-6
        found[place] = (function(w + step) - function(w - step)) / 2e-6
    return found


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda each: each.__name__)
def test_gradients_are_those_of_differences(program, method):
    w = RNG.normal(size=(4, 3))
    gradient = tl.grad(tl.function(program), method=method)(w, PLACES)
    np.testing.assert_allclose(gradient, differences(PROGRAMS[program], w), rtol=1e-6, atol=1e-7)


@pytest.mark.parametrize("program", [one_of_each_row, by_loops], ids=lambda each: each.__name__)
def test_no_row_of_zeros_is_added(program):
    kernel = tl.compile(tl.grad(tl.function(program)), (tl.f64[:, :], tl.i64[:, :]), checks="off")
    updates = [line for line in kernel.ir("fuse").splitlines() if "soac.update" in line]
    assert updates and all("index, index, f64)" in line for line in updates)
