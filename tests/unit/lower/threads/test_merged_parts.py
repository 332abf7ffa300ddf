"""Products of matrices of unknown sizes share their code: how much of it there is, and what it computes."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

import tapeless as tl

RANDOM = np.random.default_rng(3)
# Rows, columns and the axis that is summed differ, and none is a multiple of a vector.
A, B, C = (RANDOM.standard_normal(shape) for shape in ((5, 7), (7, 3), (5, 3)))


@tl.function
def products(a: tl.f64[:, :], b: tl.f64[:, :], c: tl.f64[:, :]):
    """Each kind of product several times, with the arguments in different roles."""
    ab = a @ b
    plain = ab @ (b.T @ (a.T @ c))
    left = a.T @ (ab - c)
    return plain, left.T @ (b + left), c @ (b.T @ left)


@tl.function
def weighted(a: tl.f64[:, :], b: tl.f64[:, :]):
    """The second product is of squares, whose sides are one number."""
    scores = np.sin(a) @ a.T
    return scores @ np.cos(scores), a @ b


@tl.function
def chain(f: tl.f64[:, :], p: tl.f64[:, :], steps: tl.i64):
    for _ in range(steps):
        p = f @ p @ f.T + p
    return tl.sum(p * p)


def parts(kernel: tl.Kernel, stage: str) -> list[str]:
    return re.findall(r"func\.func private @(\w+_part\d+)", kernel.ir(stage))


def by_numpy(a: Any, b: Any, c: Any) -> tuple[Any, ...]:
    ab = a @ b
    left = a.T @ (ab - c)
    return ab @ (b.T @ (a.T @ c)), left.T @ (b + left), c @ (b.T @ left)


def test_products_of_a_kind_are_one_function() -> None:
    kernel = products.lower(A, B, C)
    assert len(parts(kernel, "lower-loops")) >= 8
    assert len(parts(kernel, "lower-merge-functions")) <= 4


def test_a_product_with_equal_sides_is_one_of_any_sides() -> None:
    a, b = RANDOM.standard_normal((37, 21)), RANDOM.standard_normal((21, 29))
    scores = np.sin(a) @ a.T
    kernel = weighted.lower(a, b)
    assert len(parts(kernel, "lower-loops")) == 3
    assert len(parts(kernel, "lower-merge-functions")) == 2
    for found, wanted in zip(weighted(a, b), (scores @ np.cos(scores), a @ b), strict=True):
        np.testing.assert_allclose(found, wanted, rtol=1e-12, atol=1e-12)


@pytest.mark.one_in(3)
@pytest.mark.parametrize("threads", [1, 2, 4])
def test_products_are_those_of_numpy(threads: int) -> None:
    f = tl.jit(products, threads=threads)
    for found, wanted in zip(f(A, B, C), by_numpy(A, B, C), strict=True):
        np.testing.assert_allclose(found, wanted, rtol=1e-12, atol=1e-12)
    assert all(np.array_equal(one, other) for one, other in zip(f(A, B, C), products(A, B, C), strict=True))


def test_large_products_are_the_same_bits_on_threads() -> None:
    a, b, c = (RANDOM.standard_normal(shape) for shape in ((301, 203), (203, 157), (301, 157)))
    once = products(a, b, c)
    for found, wanted in zip(once, by_numpy(a, b, c), strict=True):
        np.testing.assert_allclose(found, wanted, rtol=1e-9, atol=1e-7)
    assert all(np.array_equal(x, y) for x, y in zip(tl.jit(products, threads=4)(a, b, c), once, strict=True))


@pytest.mark.thorough
@pytest.mark.parametrize("threads", [1, 3])
def test_gradients_of_merged_products(threads: int) -> None:
    f, p, direction = (0.3 * RANDOM.standard_normal((6, 6)) for _ in range(3))
    gradient = tl.jit(tl.grad(chain), threads=threads)
    kernel = gradient.lower(f, p, 4)
    assert len(parts(kernel, "lower-merge-functions")) < len(parts(kernel, "lower-loops"))
    moved = [chain(f + step * direction, p, 4) for step in (1e-6, -1e-6)]
    np.testing.assert_allclose(np.sum(gradient(f, p, 4) * direction), (moved[0] - moved[1]) / 2e-6, rtol=1e-6)
    assert np.array_equal(gradient(f, p, 4), tl.grad(chain)(f, p, 4))
