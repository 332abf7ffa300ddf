"""Programs that fill tables cell by cell from neighbours before, as nests of loops and by rows."""

from __future__ import annotations

from typing import Any

import numpy as np

import tapeless as tl


def scored(scores, gap, a, b):
    """A table that begins as zeros, numbers by keys, and a sum over all cells."""
    h = np.zeros((len(a) + 1, len(b) + 1), dtype=scores.dtype)
    total = 0.0
    for i in range(1, len(a) + 1):
        for j in range(1, len(b) + 1):
            match = h[i - 1, j - 1] + scores[a[i - 1], b[j - 1]]
            top = max(match, h[i - 1, j] + gap[0], h[i, j - 1] + gap[0], 0.0)
            h[i, j] = top + np.log(np.exp(match - top) + np.exp(-top))
            total += h[i, j] ** 2
    return total


def bordered(scores, gap, a, b):
    """A table whose first row and column are parameters, too, and of which one element is the result."""
    cost = np.zeros((len(a) + 1, len(b) + 1), dtype=scores.dtype)
    for i in range(len(a)):
        cost[i + 1, 0] = cost[i, 0] + gap[0]
    for j in range(len(b)):
        cost[0, j + 1] = cost[0, j] + 2.0 * gap[0]
    for i in range(len(a)):
        for j in range(len(b)):
            change, drop, add = cost[i, j] + scores[a[i], b[j]], cost[i, j + 1] + gap[0], cost[i + 1, j] + gap[0]
            best = min(change, drop, add)
            cost[i + 1, j + 1] = best - np.log(np.exp(best - change) + np.exp(best - drop) + np.exp(best - add))
    return cost[len(a), len(b)]


def relaxed(scores, gap, a, b):
    """Sweeps over a plane in place: neighbours before are new, those behind are old; the whole plane is used."""
    p = np.outer(np.cos(np.arange(len(a) + 2) * gap[0]), np.sin(np.arange(len(b) + 2) + scores[0, 1]))
    for _ in range(3):
        for i in range(1, len(a) + 1):
            for j in range(1, len(b) + 1):
                around = p[i - 1, j] + p[i + 1, j] + p[i, j - 1] + p[i, j + 1]
                p[i, j] = 0.2 * p[i, j] + 0.2 * around + scores[a[i - 1], b[j - 1]] * gap[0]
    return np.sum(p * p)


def branching(scores, gap, a, b):
    """Neighbours that are read where there are any, two rows back as well."""
    h = np.zeros((len(a), len(b)), dtype=scores.dtype)
    for i in range(len(a)):
        for j in range(len(b)):
            up = h[i - 1, j] if i > 0 else gap[0]
            far = h[i - 2, j - 1] if i > 1 and j > 0 else 0.5
            left = h[i, j - 1] if j > 0 else 1.0
            same, other = np.tanh(0.4 * up * left + scores[a[i], b[j]]), np.sin(up) + 0.3 * far - 0.2 * left
            h[i, j] = same if a[i] == b[j] else other
    return np.sum(h) + h[len(a) - 1, 0]


def summing_neighbours(scores, gap, a, b):
    """A sum over all cells of what each reads of a neighbour."""
    h = np.ones((len(a) + 1, len(b) + 1), dtype=scores.dtype)
    total = 0.0
    for i in range(1, len(a) + 1):
        for j in range(1, len(b) + 1):
            total += h[i - 1, j]
            h[i, j] = 0.5 * np.sin(h[i - 1, j] + gap[0]) + 0.3 * h[i, j - 1] * scores[a[i - 1], b[j - 1]]
    return total


def by_rows(scores, gap, a, b):
    """Rows that are made one from the other, with whole rows computed before and summed after the loop over one."""
    above = np.zeros(len(b) + 1, dtype=scores.dtype)
    total = 0.0
    for letter in a:
        matches, drops = above[:-1] + scores[letter][b], above[1:] + gap[0]
        row = np.zeros_like(above)
        for j in range(len(b)):
            row[j + 1] = np.logaddexp(np.logaddexp(matches[j], drops[j]), row[j] + gap[0])
        total += np.sum(np.exp(0.1 * row[1:])) + row[0]
        above = row
    return total


def by_rows_with_borders(scores, gap, a, b):
    """Rows whose first element comes from that of the row above, by small arrays; the last one is used."""
    above = np.arange(len(b) + 1) * gap[0]
    for letter in a:
        row = np.zeros_like(above)
        row[0] = above[0] * 0.9 + gap[0]
        for j in range(1, len(b) + 1):
            choices = np.stack((above[j - 1] + scores[letter, b[j - 1]], above[j] + gap[0], row[j - 1] * 0.8))
            row[j] = -tl.logsumexp(-choices)
        above = row
    return above[-1] + np.sum(above)


PROGRAMS = {
    function.__name__: function
    for function in (scored, bordered, relaxed, branching, summing_neighbours, by_rows, by_rows_with_borders)
}
TYPES = (tl.f64[:, :], tl.f64[:], tl.i64[:], tl.i64[:])


def arguments(rows: int, columns: int, dtype: type = np.float64) -> tuple[Any, ...]:
    rng = np.random.default_rng(rows + columns)
    letters = (rng.integers(0, 3, rows), rng.integers(0, 3, columns))
    return (rng.normal(size=(3, 3)).astype(dtype), rng.uniform(-1.0, -0.5, 1).astype(dtype), *letters)
