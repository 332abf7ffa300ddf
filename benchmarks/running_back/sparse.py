"""Products of sparse matrices by compressed columns, as procedures and as functions of them."""

from __future__ import annotations

import numpy as np

import tapeless as tl


@tl.reversible
def add_product(y: tl.f64[:], starts: tl.In[tl.i64[:]], rows: tl.In[tl.i64[:]], values: tl.f64[:], x: tl.f64[:]):
    for j in range(len(x)):
        for k in range(starts[j], starts[j + 1]):
            y[rows[k]] += values[k] * x[j]


@tl.reversible
def add_dot(
    total: tl.f64,
    starts: tl.In[tl.i64[:]],
    rows: tl.In[tl.i64[:]],
    values: tl.f64[:],
    other_starts: tl.In[tl.i64[:]],
    other_rows: tl.In[tl.i64[:]],
    other_values: tl.f64[:],
):
    """The sum of products of entries that both matrices have."""
    for j in range(len(starts) - 1):
        for k in range(starts[j], starts[j + 1]):
            for m in range(other_starts[j], other_starts[j + 1]):
                if rows[k] == other_rows[m]:
                    total += values[k] * other_values[m]


@tl.function
def matvec(starts: tl.i64[:], rows: tl.i64[:], values: tl.f64[:], x: tl.f64[:], weights: tl.f64[:]) -> tl.f64:
    """A weighted sum of a matrix times a vector."""
    return tl.sum(weights * add_product(tl.zeros(len(weights)), starts, rows, values, x)[0])


@tl.function
def dot(
    starts: tl.i64[:],
    rows: tl.i64[:],
    values: tl.f64[:],
    other_starts: tl.i64[:],
    other_rows: tl.i64[:],
    other_values: tl.f64[:],
) -> tl.f64:
    return add_dot(0.0, starts, rows, values, other_starts, other_rows, other_values)[0]


def compressed(rng: np.random.Generator, n: int, density: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Where columns of a random matrix start, the rows of its entries, and these."""
    columns, rows = np.nonzero(rng.random((n, n)) < density)
    starts = np.concatenate([[0], np.cumsum(np.bincount(columns, minlength=n))])
    return starts.astype(np.int64), rows.astype(np.int64), rng.normal(size=len(rows))
