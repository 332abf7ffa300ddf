"""Reads where a mask holds, by numpy's rules: numpy runs the same functions."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tapeless as tl

RANDOM = np.random.default_rng(5)
METHODS = ("redundant", "reversible", "coarsened")


def vector(x: Any, m: Any) -> Any:
    return (x[x > 0.5] ** 2).sum()


def count(x: Any, m: Any) -> Any:
    large = x[x > 0.2]
    return large.sum() / len(large)


def rows(x: Any, m: Any) -> Any:
    return (m[x > 0.5] ** 3).sum()


def columns(x: Any, m: Any) -> Any:
    return (m[:, m[0] < 0.5] ** 2).sum()


def whole(x: Any, m: Any) -> Any:
    picked = m[m > 0.3]
    return (picked * picked).sum()


def beside_an_integer(x: Any, m: Any) -> Any:
    return (m[x > 0.3, 1] ** 2).sum()


def behind_an_ellipsis(x: Any, m: Any) -> Any:
    return (m[..., m[0] > 0.1] ** 2).sum()


def with_a_new_axis(x: Any, m: Any) -> Any:
    return (x[x > 0.3][:, None] * m[x > 0.3]).sum()


def places(x: Any, m: Any) -> Any:
    i, j = np.nonzero(m > 0.5)
    return (m[i, j] * x[i]).sum() + x[np.flatnonzero(x > 0.1)[0]]


def inside_a_loop(x: Any, m: Any) -> Any:
    total = 0.0
    for i in range(3):
        total += (x[x > 0.2 * i] * (i + 1)).sum()
    return total


def inside_a_branch(x: Any, m: Any) -> Any:
    kept = x[x > 0.1]
    if len(kept) > 2:
        kept = kept[kept > 0.4]
    return (kept * kept).sum()


PROGRAMS = [
    vector,
    count,
    rows,
    columns,
    whole,
    beside_an_integer,
    behind_an_ellipsis,
    with_a_new_axis,
    places,
    inside_a_loop,
    inside_a_branch,
]
COMPILED = {program: tl.function(program) for program in PROGRAMS}
X, M = RANDOM.random(6), RANDOM.random((6, 4))


def by_differences(program: Any, h: float = 1e-6) -> tuple[np.ndarray, np.ndarray]:
    def slope(k: int, place: tuple[int, ...]) -> float:
        ends = []
        for step in (h, -h):
            given = [X.copy(), M.copy()]
            given[k][place] += step
            ends.append(program(*given))
        return (ends[0] - ends[1]) / (2 * h)

    found = [np.array([slope(k, place) for place in np.ndindex(each.shape)]) for k, each in enumerate((X, M))]
    return found[0], found[1].reshape(M.shape)


@pytest.mark.one_in(7)
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_values_and_gradients(program: Any) -> None:
    function, expected = COMPILED[program], by_differences(program)
    np.testing.assert_allclose(function(X, M), program(X, M), rtol=1e-14)
    for method in METHODS:
        found = tl.grad(function, argnums=(0, 1), method=method)(X, M)
        for each, slope in zip(found, expected, strict=True):
            np.testing.assert_allclose(each, slope, atol=1e-7)


@pytest.mark.one_in(2)
@pytest.mark.parametrize("program", [vector, rows, whole, places], ids=lambda program: program.__name__)
def test_batches_have_a_size_for_each_example(program: Any) -> None:
    several = RANDOM.random((3, 6)), RANDOM.random((3, 6, 4))
    expected = [program(*each) for each in zip(*several, strict=True)]
    np.testing.assert_allclose(tl.vmap(COMPILED[program])(*several), expected, rtol=1e-13)


def test_second_derivatives() -> None:
    of_x = tl.function(lambda x: (x[x > 0.3] ** 3).sum())
    np.testing.assert_allclose(tl.hessian(of_x)(X), np.diag(np.where(X > 0.3, 6 * X, 0.0)), rtol=1e-13)


def read(x: Any, mask: Any) -> Any:
    return x[mask]


SHAPES = [(0,), (1,), (5,), (0, 3), (3, 0), (4, 3)]


@pytest.mark.one_in(3)
@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_masks_that_hold_nowhere_everywhere_and_somewhere(shape: tuple[int, ...]) -> None:
    x = RANDOM.random(shape)
    reading = tl.function(read)
    for mask in (np.zeros(shape, bool), np.ones(shape, bool), x > 0.5):
        np.testing.assert_array_equal(reading(x, mask), x[mask])
        for found, expected in zip(tl.nonzero(mask), np.nonzero(mask), strict=True):
            np.testing.assert_array_equal(found, expected)
        np.testing.assert_array_equal(tl.flatnonzero(x * mask), np.flatnonzero(x * mask))


@pytest.mark.parametrize("mask", [np.ones(4, bool), np.ones((6, 3), bool)], ids=lambda mask: str(mask.shape))
def test_masks_have_the_sizes_of_the_array(mask: np.ndarray) -> None:
    with pytest.raises(tl.ShapeMismatch, match=r"sizes \d and \d of axis \d do not match"):
        tl.function(read)(M, mask)


def test_a_mask_of_more_axes_is_refused() -> None:
    with pytest.raises(tl.TypeMismatch, match="2 indices for an array of rank 1"):
        tl.function(read)(X, M > 0.5)
