"""Values of the problems in plain numpy, and derivatives by complex steps, which need no rule and lose no digits."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np

STEP = 1e-30


def complex_step(f: Callable[[np.ndarray], Any], x: Any) -> np.ndarray:
    """The derivative of an analytic function by each element of x; its elements come last."""
    x = np.asarray(x, dtype=float)
    moved = [x + 1j * STEP * direction.reshape(x.shape) for direction in np.eye(x.size)]
    columns = [np.imag(f(each)) / STEP for each in moved]
    return np.stack(columns, axis=-1).reshape(np.shape(columns[0]) + x.shape) if columns else np.zeros(x.shape)


def log_sum_exp(x: np.ndarray) -> Any:
    largest = x[np.argmax(np.real(x))]
    return largest + np.log(np.sum(np.exp(x - largest)))


def least_squares(x: np.ndarray, n: int) -> Any:
    t = -1 + 2 * np.arange(n) / (n - 1)
    return 0.5 * np.sum((np.sign(t) - np.vander(t, len(x), increasing=True) @ x) ** 2)


def determinant(a: np.ndarray, ell: int) -> float:
    return float(np.linalg.det(a.reshape(ell, ell)))


def cofactors(a: np.ndarray, ell: int) -> np.ndarray:
    return determinant(a, ell) * np.linalg.inv(a.reshape(ell, ell)).T.ravel()


def mixture(alpha: Any, mu: Any, q: Any, below: Any, x: np.ndarray, m: int, gamma: float) -> Any:
    (k, d), n = np.shape(q), len(x)
    beta = np.zeros((n, k), dtype=complex)
    for c in range(k):
        factor = np.diag(np.exp(q[c]).astype(complex))
        factor.T[np.triu_indices(d, 1)] = below[c]
        beta[:, c] = alpha[c] + np.sum(q[c]) - 0.5 * np.sum(((x - mu[c]) @ factor.T) ** 2, axis=1)
    likelihood = sum(log_sum_exp(row) for row in beta) - n * (d / 2 * math.log(2 * math.pi) + log_sum_exp(alpha))
    nu = d + m + 1
    log_gamma = d * (d - 1) / 4 * math.log(math.pi) + sum(math.lgamma(nu / 2 + (1 - j) / 2) for j in range(1, d + 1))
    constant = k * (nu * d * math.log(gamma / math.sqrt(2)) - log_gamma)
    squares = np.sum(np.exp(2 * q)) + np.sum(below**2)
    return likelihood + constant + m * np.sum(q) - gamma**2 / 2 * squares


def recurrent_loss(main: Any, extra: Any, state: np.ndarray, sequence: np.ndarray) -> Any:
    def sigma(v: Any) -> Any:
        return 1 / (1 + np.exp(-v))

    layers, b = len(main) // 2, len(sequence[0])
    state, total = state.astype(complex), 0.0
    for now, later in pairwise(sequence):
        a = now * extra[0]
        for j in range(layers):
            w, bias = main[2 * j].reshape(4, b), main[2 * j + 1].reshape(4, b)
            h, g = state[2 * j], state[2 * j + 1]
            forget, outgate = sigma(a * w[0] + bias[0]), sigma(a * w[2] + bias[2])
            state[2 * j + 1] = g * forget + sigma(h * w[1] + bias[1]) * np.tanh(h * w[3] + bias[3])
            state[2 * j] = a = outgate * np.tanh(state[2 * j + 1])
        y = a * extra[1] + extra[2]
        total += np.sum(later * (y - np.log(2 + np.sum(np.exp(y)))))
    return -total / ((len(sequence) - 1) * b)


def distances(points: np.ndarray, centroids: np.ndarray) -> np.ndarray:
    return np.sum((points[:, None] - centroids) ** 2, axis=2)


def newton_direction(points: np.ndarray, centroids: np.ndarray) -> np.ndarray:
    """What is left of a centroid without the mean of the points that are nearest to it."""
    nearest = np.argmin(distances(points, centroids), axis=1)
    return np.array([c - points[nearest == j].mean(axis=0) for j, c in enumerate(centroids)])


def chain_of_equations(x: np.ndarray, s: int) -> np.ndarray:
    def slope(y: np.ndarray) -> np.ndarray:
        return x * np.append([1.0], y[:-1])

    h, y = 2 / s, np.zeros_like(x)
    for _ in range(s):
        k1 = slope(y)
        k2 = slope(y + h / 2 * k1)
        k3 = slope(y + h / 2 * k2)
        y = y + h / 6 * (k1 + 2 * k2 + 2 * k3 + slope(y + h * k3))
    return y
