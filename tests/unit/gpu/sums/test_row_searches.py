"""Gradients of smallest and largest elements of rows, on the emulated GPU against NumPy: where there are few rows, a
team of threads searches each, with what else an iteration does before and after it."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import tapeless as tl
from emulated_gpu.kernels import emulated_cuda
from tapeless.runtime.cuda.launch_lines import surveyed

Arrays = tuple[np.ndarray, ...]
# A thread that searched a row alone would have more operations than elements.
LONG = 3000


def closest(motion, points, known):
    """Numbers before and after the search."""
    c, s = motion[2], motion[3]

    def nearest(p):
        x = c * p[0] - s * p[1] + motion[0]
        y = s * p[0] + c * p[1] + motion[1]
        return tl.min(tl.map(lambda q: (x - q[0]) ** 2 + (y - q[1]) ** 2, known))

    return tl.sum(tl.map(nearest, points))


def closest_by_numpy(motion: np.ndarray, points: np.ndarray, known: np.ndarray) -> np.ndarray:
    c, s = motion[2:]
    moved = points @ np.array([[c, s], [-s, c]]) + motion[:2]
    first = np.argmin(np.sum((moved[:, None] - known) ** 2, axis=2), axis=1)
    away = 2.0 * (moved - known[first])
    turned = points @ np.array([[0.0, 1.0], [-1.0, 0.0]])
    return np.array([*away.sum(axis=0), np.sum(away * points), np.sum(away * turned)])


def stretched(motion, points, known):
    """Rows before and after the search."""

    def furthest(p):
        place = p * motion
        return tl.max(tl.map(lambda q: np.sum((place - q) ** 2), known))

    return tl.sum(tl.map(furthest, points))


def stretched_by_numpy(motion: np.ndarray, points: np.ndarray, known: np.ndarray) -> np.ndarray:
    moved = points * motion
    last = np.argmax(np.sum((moved[:, None] - known) ** 2, axis=2), axis=1)
    return np.sum(2.0 * (moved - known[last]) * points, axis=0)


def drawn(rows: int, columns: int, width: int) -> Arrays:
    random = np.random.default_rng(rows + columns)
    # The same point twice, and whole numbers, which tie.
    known = np.round(3.0 * random.normal(size=(columns, width)))
    return random.normal(size=4 if width == 2 else width), random.normal(size=(rows, width)), known


@pytest.mark.parametrize(
    ("function", "by_numpy", "width"), [(closest, closest_by_numpy, 2), (stretched, stretched_by_numpy, 3)]
)
def test_searches_of_few_long_rows_are_those_of_numpy(
    function: Callable[..., object], by_numpy: Callable[..., np.ndarray], width: int
) -> None:
    with emulated_cuda(seed=3) as gpu:
        kernel = tl.jit(tl.grad(function), target="cuda")
        for rows, columns in ((5, 40), (3, 1100), (1, 1), (40, 7), (0, 3)):
            given = drawn(rows, columns, width)
            np.testing.assert_allclose(np.asarray(kernel(*given)), by_numpy(*given), rtol=1e-9, atol=1e-9)
        gpu.check_guards()


@pytest.mark.parametrize(("function", "width"), [(closest, 2), (stretched, 3)])
def test_teams_search_rows_where_there_are_few(function: Callable[..., object], width: int) -> None:
    given = drawn(1000, LONG, width)
    kernel = tl.compile(tl.grad(function), given, target="cuda:sm_90", checks="off")
    code = kernel._code
    done = surveyed(code, kernel.interface.flat_names, kernel.interface.origin, kernel._flat(given))
    assert max(each.work for each in done.by_work()) < LONG
