"""Sums over the columns of products with lower triangles: what is above the diagonal is left out if it adds nothing."""

from __future__ import annotations

import numpy as np
import pytest

import tapeless as tl
from emulated_gpu.kernels import emulated_cuda
from tapeless.passes.recipes.resident import column_products

# Rows of the factor and steps: few columns, several tiles of them, more rows than steps, and triangles that end inside
# of a small matrix or of a tile.
SIZES = [(32, 32), (24, 24), (29, 31), (64, 64), (128, 128), (61, 64), (48, 48), (130, 70)]


@tl.function
def norms(factors, points):
    """The squared lengths of products of factors with points of their own."""
    return tl.map(lambda f, own: tl.map(lambda p: tl.sum((f @ p) ** 2), own), factors, points)


def drawn(size: tuple[int, int], count: int, batches: int = 2, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    return np.tril(rng.standard_normal((batches, *size))), rng.standard_normal((batches, count, size[1]))


def signature() -> tuple[object, ...]:
    return tl.f64[:, :, :], tl.f64[:, :, :]


def reference(factors: np.ndarray, points: np.ndarray) -> np.ndarray:
    with np.errstate(invalid="ignore"):
        return ((factors[:, None] @ points[..., None])[..., 0] ** 2).sum(-1)


def agree(found: np.ndarray, expected: np.ndarray) -> None:
    np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-12)


def test_triangles() -> None:
    with emulated_cuda(seed=3, keeps_kernels=True) as gpu:
        kernel = tl.compile(norms, signature(), target="cuda")
        for number, size in enumerate(SIZES):
            factors, points = drawn(size, 17 + 23 * (number % 3), batches=(5, 1, 4)[number % 3])
            agree(kernel(factors, points), reference(factors, points))
        gpu.check_guards()


@pytest.mark.parametrize("size", [(32, 32), (128, 128)])
def test_numbers_without_end_meet_zeros(size: tuple[int, int]) -> None:
    """Zeros times infinity are no numbers, also above the diagonal; rows of other warps do not see them."""
    factors, points = drawn(size, 150)
    factors[0, :, 9] = 0.0  # Nothing but zeros meets step 9 here.
    points[:, 3, 9], points[:, 40, -1], points[:, 41, 0], points[:, 42] = np.inf, -np.inf, np.nan, 1e200
    with emulated_cuda(keeps_kernels=True), np.errstate(over="ignore"):
        found = tl.compile(norms, signature(), target="cuda")(factors, points)
        np.testing.assert_allclose(found, reference(factors, points), rtol=1e-12)
    assert np.isnan(found[:, [3, 40, 41]]).all()
    assert np.isinf(found[:, 42]).all()


@pytest.mark.one_in(2)
@pytest.mark.parametrize("size", [(32, 32), (64, 64)])
def test_which_factors_are_triangles(size: tuple[int, int], monkeypatch: pytest.MonkeyPatch) -> None:
    """With all of a triangle left out, only other factors have products."""
    monkeypatch.setattr(column_products, "has_products", lambda column, step: False)
    factors, points = drawn(size, 40, batches=5)
    factors[[1, 3], 7, 8] = 1e-300
    expected = reference(factors, points)
    expected[[0, 2, 4]] = 0.0
    with emulated_cuda():
        agree(tl.compile(norms, signature(), target="cuda")(factors, points), expected)


@pytest.mark.thorough
def test_gradients_of_triangles() -> None:
    factors, points = drawn((32, 32), 40)

    def total(factors, points):
        return tl.sum(norms(factors, points))

    with emulated_cuda(seed=5):
        of_factors, of_points = tl.compile(tl.grad(total, argnums=(0, 1)), signature(), target="cuda")(factors, points)
    products = np.einsum("kij,knj->kni", factors, points)
    agree(of_factors, 2.0 * np.einsum("kni,knj->kij", products, points))
    agree(of_points, 2.0 * np.einsum("kni,kij->knj", products, factors))
