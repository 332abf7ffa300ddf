"""Small data of the shapes that ADBench's files have, for tests and for machines without the files."""

from __future__ import annotations

import numpy as np
import redundant_data

from objectives import files
from objectives.programs import BONES

Arguments = files.Arguments


def gmm() -> Arguments:
    return redundant_data.gmm_random(np.random.default_rng(0), 70, 3, 4)


def lstm() -> Arguments:
    return redundant_data.lstm_random(np.random.default_rng(0), 2, 5)


def bundle() -> Arguments:
    """Cameras that differ, one of which is not turned."""
    rng, (cameras, points, count) = np.random.default_rng(0), (3, 7, 17)
    camera = np.array([0.1, 0.2, 0.3, 1.0, -1.0, 2.0, 100.0, 5.0, -5.0, 0.01, 0.001])
    given = files.repeated_bundle(
        [cameras, points, count], camera, np.array([3.0, 2.0, 10.0]), np.array([0.5]), np.array([20.0, 30.0])
    )
    floats = [each * rng.uniform(0.9, 1.1, each.shape) for each in given[:4]]
    floats[0][1, :3] = 0.0
    return *floats, *given[4:]


def _model(rng: np.random.Generator) -> files.Hand:
    """A hand whose bones are turned at random; every vertex follows three of them."""
    parents = np.array([-1, *(0 if b % 4 == 1 else b - 1 for b in range(1, BONES - 1)), 0])
    matrices = np.tile(np.eye(4), (2, BONES, 1, 1))
    matrices[:, :, :3] += 0.2 * rng.normal(size=(2, BONES, 3, 4))
    vertices = np.concatenate((rng.normal(size=(12, 3)), np.ones((12, 1))), axis=1)
    shares = np.zeros((12, BONES))
    for row in shares:
        row[rng.choice(BONES, 3, replace=False)] = rng.uniform(0.2, 0.5, 3)
    return files.Hand(parents, matrices[0], matrices[1], vertices, shares, rng.integers(0, 12, (5, 3)))


def hand(in_triangles: bool) -> Arguments:
    rng = np.random.default_rng(0)
    model, theta, seen = _model(rng), 0.4 * rng.normal(size=26), rng.normal(size=(6, 3))
    if not in_triangles:
        return theta, *model[:-1], seen, rng.integers(0, 12, 6)
    return theta, rng.uniform(size=(6, 2)), *model[:-1], seen, model.triangles, rng.integers(0, 5, 6)
