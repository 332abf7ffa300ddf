"""Reading arrays: integers, slices, new axes, gathers, negative and clamped indices."""

from __future__ import annotations

import numpy as np

import tapeless as tl
from programs.program import program


def negative_indices(x, k):
    return x[-1], x[-k], x[k - len(x)]


def rows_and_columns(a, i, j):
    return a[i], a[:, j], a[i, j:], a[-1, :j], a[i, j]


def clamped_slices(x, n):
    return x[:n], x[n:], x[-n:], x[1:-1], x[5:2], x[-100:100]


def strided_slices(x):
    return x[::2], x[1::3], x[::-1], x[6:1:-2], x[-2::-3]


def slices_of_a_matrix(a):
    return a[1:3, ::2], a[::-1, 1:], a[0, ::-1]


def new_axes(x, y):
    return x[:, None] * y, x[None, :], (x[:, None] - y[None, :]) ** 2


def parts_of_own_rows(a, t):
    rows = tl.iota(len(a))
    return (
        tl.map(lambda i: tl.sum(a[i, 1:3]), rows),
        tl.map(lambda i: a[i, ::2][1], rows),
        tl.map(lambda row, i: row[0] * a[i, 1], a, rows),
        tl.map(lambda i: tl.sum(t[i, 1, :] * t[i, 0, ::-1]), rows),
    )


def gather(x, idx):
    return x[idx], x[idx] * 2.0


def gather_rows(a, idx):
    return a[idx]


def gather_by_matrix(x, idx):
    return x[idx]


def computed_negative_index(x, k):
    total = 0.0
    for i in range(1, k + 1):
        total += x[-i] * i
    return total


def shapes(a):
    return len(a), a.shape[1], a.ndim, a.shape[0] * a.shape[1]


def diagonal(a):
    return tl.map(lambda i: a[i, i], tl.iota(a.shape[0]))


def shifted_difference(x):
    return x[1:] - x[:-1]


def slice_of_slice(a, lo, hi):
    part = a[lo:hi]
    return part[1:, 1], part[0][::2]


def broadcast(a, v, c):
    return a + v, a * c[:, None], v - 1.0, a + 0.5


PROGRAMS = (
    program(negative_indices, lambda x, k: (x[4], x[5 - k], x[k]), lambda rng: (rng.normal(size=5), 3)),
    program(
        rows_and_columns,
        lambda a, i, j: (
            a[i, :],
            np.array([r[j] for r in a]),
            a[i, j : a.shape[1]],
            a[a.shape[0] - 1, 0:j],
            a.item(i, j),
        ),
        lambda rng: (rng.normal(size=(4, 5)), 2, 3),
    ),
    program(
        clamped_slices,
        lambda x, n: (x.copy(), x[:0], x.copy(), np.delete(x, [0, len(x) - 1]), x[:0], x.copy()),
        lambda rng: (rng.normal(size=6), 9),
        "empty",
    ),
    program(
        strided_slices,
        lambda x: (
            np.take(x, [0, 2, 4, 6, 8]),
            np.take(x, [1, 4, 7]),
            np.flip(x),
            np.take(x, [6, 4, 2]),
            np.take(x, [7, 4, 1]),
        ),
        lambda rng: (rng.normal(size=9),),
    ),
    program(
        slices_of_a_matrix,
        lambda a: (a[np.ix_([1, 2], [0, 2, 4])], np.flipud(a)[:, [1, 2, 3, 4]], np.flip(a[0])),
        lambda rng: (rng.normal(size=(4, 5)),),
    ),
    program(
        new_axes,
        lambda x, y: (np.outer(x, y), x.reshape(1, -1), np.subtract.outer(x, y) ** 2),
        lambda rng: (rng.normal(size=3), rng.normal(size=4)),
    ),
    program(
        parts_of_own_rows,
        lambda a, t: (a[:, 1] + a[:, 2], a[:, 2], a[:, 0] * a[:, 1], np.array([m[1] @ np.flip(m[0]) for m in t])),
        lambda rng: (rng.normal(size=(4, 5)), rng.normal(size=(4, 2, 3))),
    ),
    program(
        gather,
        lambda x, idx: (np.take(x, idx), np.take(x, idx) * 2),
        lambda rng: (rng.normal(size=5), np.array([4, 0, 0, 2, -1])),
    ),
    program(
        gather_rows,
        lambda a, idx: np.take(a, idx, axis=0),
        lambda rng: (rng.normal(size=(4, 3)), np.array([3, 1, 1])),
    ),
    program(
        gather_by_matrix,
        lambda x, idx: np.array([[x[j] for j in row] for row in idx]),
        lambda rng: (rng.normal(size=6), rng.integers(0, 6, size=(2, 3))),
    ),
    program(
        computed_negative_index,
        lambda x, k: float(np.dot(np.flip(x)[:k], np.arange(1, k + 1))),
        lambda rng: (rng.normal(size=7), 4),
    ),
    program(shapes, lambda a: (3, 4, 2, 12), lambda rng: (rng.normal(size=(3, 4)),)),
    program(diagonal, np.diagonal, lambda rng: (rng.normal(size=(4, 4)),)),
    program(shifted_difference, np.diff, lambda rng: (rng.normal(size=8),)),
    program(
        slice_of_slice,
        lambda a, lo, hi: (np.array([a[k, 1] for k in range(lo + 1, hi)]), a[lo, 0::2]),
        lambda rng: (rng.normal(size=(6, 5)), 1, 5),
    ),
    program(
        broadcast,
        lambda a, v, c: (a + np.tile(v, (len(a), 1)), (a.T * c).T, v - 1, a + np.full(a.shape, 0.5)),
        lambda rng: (rng.normal(size=(3, 4)), rng.normal(size=4), rng.normal(size=3)),
    ),
)
