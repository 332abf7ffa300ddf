"""Derivatives of operators that are composed of others: all methods against differences, and in batches."""

from __future__ import annotations

import numpy as np
import pytest

import tapeless as tl
from programs.names import PROGRAMS
from programs.program import Program

M = np.sin(np.arange(12.0) * 1.7 + 0.3).reshape(3, 4)
X = np.array([0.31, -1.27, 2.53, 0.74])
W = np.array([0.4, 1.3, 0.7])


# The names of the others are differentiated one by one elsewhere.
OF_THREE = [program for program in PROGRAMS if not program.name.startswith("names_from_")]


@pytest.mark.one_in(3)
@pytest.mark.parametrize("program", OF_THREE, ids=lambda program: program.name)
def test_all_methods_against_differences(program: Program) -> None:
    tl.check_grads(tl.function(program.function), (M, X, W), order=1)


@tl.function
def in_a_batch(m, x, w):
    return (
        tl.var(m, axis=0, ddof=1),
        tl.roll(x, 2),
        tl.median(x),
        tl.tile(x, 2),
        tl.diag(x),
        tl.hstack((x, w)),
        tl.einsum("ij,j->i", m, x),
        tl.interp(w, tl.sort(x), x),
        tl.average(m, axis=0, weights=w),
        tl.searchsorted(tl.sort(x), w),
    )


def test_in_batches() -> None:
    batch = (np.stack([M, M * M, M - 1.0]), np.stack([X, X[::-1], X * X]), np.stack([W, W + 1.0, W * W]))
    results = tl.vmap(in_a_batch)(*batch)
    for position in range(3):
        for result, single in zip(results, in_a_batch(*(each[position] for each in batch)), strict=True):
            np.testing.assert_allclose(result[position], single, rtol=1e-13)


@pytest.mark.parametrize("method", ["redundant", "reversible", "coarsened"])
def test_at_kinks(method: str) -> None:
    """Equal arguments of `logaddexp` share the derivative, its second one is right, and that of `relu` at 0 is 0."""

    def kinks(x):
        gradient = tl.grad(lambda a, b: tl.logaddexp(a, b), argnums=(0, 1))
        curvature = tl.grad(tl.grad(lambda a: tl.logaddexp(a, x)))
        return gradient(x, x), curvature(x), tl.grad(lambda a: tl.relu(a))(x - x), gradient(x, -tl.inf)

    shared, second, at_zero, of_one = tl.jit(kinks, method=method)(1.5)
    np.testing.assert_allclose((*shared, second, at_zero, *of_one), (0.5, 0.5, 0.25, 0.0, 1.0, 0.0), rtol=1e-14)
