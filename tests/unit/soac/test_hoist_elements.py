"""What inner maps make of a vector alone is computed once: the same values and derivatives as numpy."""

from __future__ import annotations

import numpy as np
import pytest

import tapeless as tl

SHAPES = ((0, 3), (1, 1), (7, 5), (40, 33))
METHODS = ("redundant", "reversible", "coarsened")


@tl.function
def standardised(x, v, w):
    """Columns by their roots, and waves of a vector."""
    return np.sum((x / np.sqrt(v + 0.5) + np.sin(v)) * w)


def slopes(x, v, w):
    root = np.sqrt(v + 0.5)
    return w / root, (w * (np.cos(v) - 0.5 * x / root**3)).sum(0)


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("shape", SHAPES)
def test_a_vector_that_meets_a_matrix(shape: tuple[int, int], dtype: type) -> None:
    rng = np.random.default_rng(shape[0])
    x, w, v = rng.normal(size=shape).astype(dtype), rng.normal(size=shape).astype(dtype), rng.random(shape[1])
    v = v.astype(dtype)
    within = 1e-11 if dtype is np.float64 else 1e-3
    expected = ((x / np.sqrt(v + 0.5) + np.sin(v)) * w).sum(dtype=np.float64)
    np.testing.assert_allclose(standardised(x, v, w), expected, rtol=within, atol=within)
    for method in METHODS:
        found = tl.grad(standardised, argnums=(0, 1), method=method)(x, v, w)
        for slope, wanted in zip(found, slopes(x, v, w), strict=True):
            np.testing.assert_allclose(slope, wanted, rtol=within, atol=within)


@tl.function
def stepped(u, c, steps):
    """Steps whose coefficients are functions of a vector that stays."""
    for _ in range(steps):
        u = u - 0.1 * np.sqrt(c) * np.sin(u) / (1.0 + c)
    return np.sum(u * u)


@pytest.mark.parametrize("n", [1, 4, 33])
def test_coefficients_of_steps(n: int) -> None:
    rng = np.random.default_rng(n)
    u, c = rng.normal(size=n), rng.random(n) + 0.1

    def total(u, c):
        for _ in range(6):
            u = u - 0.1 * np.sqrt(c) * np.sin(u) / (1.0 + c)
        return u * u

    np.testing.assert_allclose(stepped(u, c, 6), total(u, c).sum(), rtol=1e-12)
    step = 1e-6
    of_u = (total(u + step, c) - total(u - step, c)) / (2 * step)
    of_c = (total(u, c + step) - total(u, c - step)) / (2 * step)
    for method in METHODS:
        found = tl.grad(stepped, argnums=(0, 1), method=method)(u, c, 6)
        np.testing.assert_allclose(found[0], of_u, rtol=1e-6, atol=1e-8)
        np.testing.assert_allclose(found[1], of_c, rtol=1e-6, atol=1e-8)


def test_the_root_of_a_column_is_taken_once() -> None:
    text = tl.compile(standardised, (np.ones((4, 3)), np.ones(3), np.ones((4, 3)))).ir("soac-hoist-elements")
    roots = [line for line in text.splitlines() if "math.sqrt" in line or "math.sin" in line]
    assert roots, text
    assert all(len(line) - len(line.lstrip()) == len(roots[0]) - len(roots[0].lstrip()) for line in roots)
    assert text.index("math.sqrt") < text.index("arith.divf")


@tl.function
def distances(x, means, scales):
    """Distances of points from means by scales of their own, an axis for each of them."""
    z = (x[:, None, :] - means) * np.exp(-scales)
    return np.sum(np.exp(-0.1 * np.sum(z**2 + scales, axis=2)))


def distances_by_numpy(x, means, scales):
    z = (x[:, None, :] - means) * np.exp(-scales)
    return np.sum(np.exp(-0.1 * np.sum(z**2 + scales, axis=2)))


@pytest.mark.parametrize("sizes", [(0, 2, 3), (1, 1, 1), (7, 3, 5), (20, 9, 8)])
def test_a_matrix_that_meets_an_axis_more(sizes: tuple[int, int, int]) -> None:
    rng = np.random.default_rng(sizes[0])
    n, m, d = sizes
    x, means, scales = rng.normal(size=(n, d)), rng.normal(size=(m, d)), 0.3 * rng.normal(size=(m, d))
    np.testing.assert_allclose(distances(x, means, scales), distances_by_numpy(x, means, scales), rtol=1e-12)
    direction, step = rng.normal(size=(m, d)), 1e-6
    ends = [distances_by_numpy(x, means, scales + sign * step * direction) for sign in (1, -1)]
    for method in METHODS:
        found = tl.grad(distances, argnums=2, method=method)(x, means, scales)
        assert found.shape == scales.shape
        np.testing.assert_allclose(np.sum(found * direction), (ends[0] - ends[1]) / (2 * step), rtol=1e-6, atol=1e-7)
