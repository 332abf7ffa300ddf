"""Products in maps in maps become nests of their own: the same values and derivatives as numpy."""

from __future__ import annotations

import numpy as np
import pytest

import tapeless as tl

SHAPES = ((0, 3, 20), (3, 0, 20), (1, 1, 17), (5, 7, 33))


@tl.function
def cosines(a, b):
    """Angles between the rows of two matrices, the lengths of one of them taken in each pair."""
    table = np.zeros((len(a), len(b)), dtype=a.dtype)
    for i in range(len(a)):
        for j in range(len(b)):
            table[i, j] = np.dot(a[i], b[j]) / np.sqrt(1.0 + np.dot(b[j], b[j]))
    return np.sum(table**2)


@tl.function
def layer(a, b):
    """Functions of a row times a matrix, handed out as rows."""
    return np.sum(tl.map(lambda row: np.tanh(b @ row) * tl.sum(row), a) ** 2)


def with_slopes(name: str, a: np.ndarray, b: np.ndarray) -> tuple[float, np.ndarray, np.ndarray]:
    product = a @ b.T
    if name == "cosines":
        scale = 1.0 + (b * b).sum(1)
        bar = 2.0 * product / scale
        of_scale = -(product**2).sum(0) / scale**2
        return (product**2 / scale).sum(), bar @ b, bar.T @ a + 2.0 * of_scale[:, None] * b
    total, wave = a.sum(1)[:, None], np.tanh(product)
    bar = 2.0 * wave * total**2 * (1.0 - wave**2)
    of_total = (2.0 * wave**2 * total).sum(1)[:, None]
    return ((wave * total) ** 2).sum(), bar @ b + of_total, bar.T @ a


@pytest.mark.parametrize("checks", ["on", "off"])
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("name", ["cosines", "layer"])
def test_values_and_gradients(name: str, shape: tuple[int, int, int], checks: str) -> None:
    n, m, d = shape
    rng = np.random.default_rng(n)
    a, b = rng.normal(size=(n, d)) / 4, rng.normal(size=(m, d)) / 4
    gradient = tl.value_and_grad({"cosines": cosines, "layer": layer}[name], argnums=(0, 1))
    found, (of_a, of_b) = tl.compile(gradient, (a, b), checks=checks)(a, b)
    value, *slopes = with_slopes(name, a, b)
    np.testing.assert_allclose(found, value, rtol=1e-12)
    for slope, wanted in zip((of_a, of_b), slopes, strict=True):
        np.testing.assert_allclose(slope, wanted, rtol=1e-10, atol=1e-12)


def test_rows_of_other_lengths_are_refused() -> None:
    with pytest.raises(tl.errors.ShapeMismatch):
        tl.grad(cosines)(np.ones((3, 20)), np.ones((4, 21)))
