"""Mixtures of Gaussians and bundle adjustment written as procedures, as ADBench defines them."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

import tapeless as tl

sys.path.append(str(Path(__file__).parents[4] / "benchmarks"))

from running_back import procedures

CAMERA = np.array([0.1, 0.2, 0.3, 1.0, -1.0, 2.0, 100.0, 5.0, -5.0, 0.01, 0.001])
OBSERVATION = (np.array([3.0, 2.0, 10.0]), 0.5, np.array([20.0, 30.0]))
ERRORS = (9.824691342647618, 1.1691708446542037)
# Of the first error by camera, point and weight.
ROW = (3.8029510194076783, 55.197850439926114, -21.424410648922876, -6.418674874518332, 2.086170530605143,
       0.8223547696526544, 0.1732469134264762, 0.5, 0.0, 4.459774377685672, 1.1510882386247363,
       6.418674874518332, -2.086170530605143, -0.8223547696526544, 19.649382685295237)  # fmt: skip


def test_errors_of_reprojection_and_their_inverse() -> None:
    cells = (np.zeros(2), CAMERA, *OBSERVATION)
    after = procedures.reprojection(*cells)
    np.testing.assert_allclose(after[0], ERRORS, rtol=1e-13)
    np.testing.assert_allclose((~procedures.reprojection)(*after)[0], 0.0, atol=1e-13)


@pytest.mark.thorough
def test_jacobian_of_bundle_adjustment() -> None:
    point, weight, feature = OBSERVATION
    given = (np.tile(CAMERA, (2, 1)), point[None], np.full(3, weight), np.tile(feature, (3, 1)))
    blocks = tl.jit(procedures.ba)(*given, np.array([0, 1, 0]), np.zeros(3, dtype=np.int64))
    rows = np.concatenate([blocks[0], blocks[1], blocks[2][..., None]], axis=2)
    np.testing.assert_allclose(rows[:, 0], [ROW] * 3, rtol=1e-12, atol=1e-14)


def test_gradient_of_a_mixture() -> None:
    rng = np.random.default_rng(0)
    point, offsets, means = rng.normal(size=3), rng.normal(size=2), rng.normal(size=(2, 3))
    factors = np.tril(rng.normal(size=(2, 3, 3)))
    cells = (0.5, point, offsets, means, factors)
    total, adjoints = tl.value_and_grad(procedures.log_density, loss=0, argnums=(2, 3, 4))(*cells)
    away = np.einsum("kij,kj->ki", factors, point - means)
    terms = offsets - 0.5 * np.sum(away**2, axis=1)
    shares = np.exp(terms - terms.max()) / np.exp(terms - terms.max()).sum()
    np.testing.assert_allclose(total, 0.5 + np.log(np.exp(terms).sum()), rtol=1e-13)
    np.testing.assert_allclose(adjoints[0], shares, rtol=1e-12)
    by_mean = np.einsum("k,kij,ki->kj", shares, factors, away)
    np.testing.assert_allclose(adjoints[1], by_mean, rtol=1e-12)
    by_factor = -np.einsum("k,ki,kj->kij", shares, away, point - means)
    np.testing.assert_allclose(adjoints[2], by_factor, rtol=1e-12)
