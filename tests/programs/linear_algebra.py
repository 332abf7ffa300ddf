"""Systems of equations, determinants and Cholesky factors."""

from __future__ import annotations

import numpy as np

import tapeless as tl
from programs.program import program


def solved_systems(a, b):
    return tl.linalg.solve(a, b[0]), tl.linalg.solve(a, b.T)


def inverse_and_determinants(a, b):
    sign, logarithm = tl.linalg.slogdet(a)
    return tl.linalg.inv(a) @ b[0], tl.linalg.det(a) * b, sign * logarithm


def cholesky_factors(a, b):
    return tl.linalg.cholesky(a @ a.T + tl.eye(3)), tl.linalg.norm(b, axis=1), tl.linalg.norm(a, 1)


def numbers(rng: np.random.Generator) -> tuple[np.ndarray, ...]:
    """A matrix whose rows are exchanged by pivoting, and right-hand sides."""
    return rng.normal(size=(3, 3)) + 2.0 * np.eye(3)[[1, 2, 0]], rng.normal(size=(2, 3))


def by_numpy_systems(a, b):
    return np.linalg.solve(a, b[0]), np.linalg.solve(a, b.T)


def by_numpy_determinants(a, b):
    sign, logarithm = np.linalg.slogdet(a)
    return np.linalg.inv(a) @ b[0], np.linalg.det(a) * b, sign * logarithm


def by_numpy_factors(a, b):
    return np.linalg.cholesky(a @ a.T + np.eye(3)), np.linalg.norm(b, axis=1), np.linalg.norm(a, 1)


PROGRAMS = [
    program(solved_systems, by_numpy_systems, numbers),
    program(inverse_and_determinants, by_numpy_determinants, numbers),
    program(cholesky_factors, by_numpy_factors, numbers, "f64"),
]
