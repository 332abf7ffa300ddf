"""Patterns of all kinds as arrays of bools, and a function that has each of them as the pattern of its Jacobian."""

from __future__ import annotations

import numpy as np

import tapeless as tl

RANDOM = np.random.default_rng(7)


def _arrow(size: int, at: int) -> np.ndarray:
    found = np.eye(size, dtype=bool)
    found[at] = found[:, at] = True
    return found


def _with_gaps() -> np.ndarray:
    found = RANDOM.random((20, 30)) < 0.2
    found[[0, 7, 19]] = False
    found[:, [0, 5, 29]] = False
    return found


PATTERNS: dict[str, np.ndarray] = {
    "dense": np.ones((6, 5), bool),
    "dense, larger than the first blocks": np.ones((70, 90), bool),
    "empty": np.zeros((4, 5), bool),
    "one entry": np.arange(12).reshape(3, 4) == 6,
    "one row": np.ones((1, 90), bool),
    "one column": np.ones((90, 1), bool),
    "diagonal": np.eye(90, dtype=bool),
    "banded": np.abs(np.subtract.outer(np.arange(80), np.arange(80))) <= 2,
    "arrow": _arrow(90, 0),
    "arrow in the middle": _arrow(90, 40),
    "full rows and columns": _arrow(90, 0) | _arrow(90, 51),
    "random": RANDOM.random((80, 80)) < 0.05,
    "wide": RANDOM.random((7, 300)) < 0.1,
    "tall": RANDOM.random((300, 7)) < 0.1,
    "rows and columns of zeros": _with_gaps(),
    "blocks": np.kron(np.eye(20, dtype=bool), np.ones((3, 4), bool)),
}


@tl.function
def scattered(x, rows, columns, height):
    """A sum of terms for each row; the lists of rows and columns are its pattern."""
    y = x[columns]
    return tl.hist(tl.add, 0.0, tl.zeros(height), rows, y * tl.sin(y) + y)


def arguments(pattern: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, int]:
    """Arguments of `scattered` for a pattern; one element is zero, where the derivative of `y * sin(y)` is."""
    x = np.linspace(-1.0, 2.0, pattern.shape[1])
    x[: pattern.shape[1] // 2] = 0.0
    return x, *np.nonzero(pattern), pattern.shape[0]
