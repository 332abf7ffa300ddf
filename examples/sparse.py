"""Sparse matrices by compressed columns: products that run backwards, and gradients with the matrix's pattern."""

from __future__ import annotations

import numpy as np

import tapeless as tl


@tl.reversible
def times_vector(
    y: tl.f64[:], starts: tl.In[tl.i64[:]], rows: tl.In[tl.i64[:]], values: tl.f64[:], x: tl.f64[:]
) -> None:
    for j in range(len(x)):
        for k in range(starts[j], starts[j + 1]):
            y[rows[k]] += values[k] * x[j]


@tl.reversible
def dot(
    total: tl.f64, starts: tl.In[tl.i64[:]], rows: tl.In[tl.i64[:]], values: tl.f64[:],
    other_starts: tl.In[tl.i64[:]], other_rows: tl.In[tl.i64[:]], other_values: tl.f64[:],
) -> None:  # fmt: skip
    """The sum of products of entries that both matrices have; rows of a column are in order."""
    for j in range(len(starts) - 1):
        for k in range(starts[j], starts[j + 1]):
            for m in range(other_starts[j], other_starts[j + 1]):
                if rows[k] == other_rows[m]:
                    total += values[k] * other_values[m]


def compressed(dense: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Where columns start, rows, values."""
    columns, rows = np.nonzero(dense.T)
    starts = np.concatenate([[0], np.cumsum(np.bincount(columns, minlength=dense.shape[1]))])
    return starts.astype(np.int64), rows.astype(np.int64), dense[rows, columns]


def random_sparse(random: np.random.Generator, n: int, density: float) -> np.ndarray:
    return np.where(random.random((n, n)) < density, random.normal(size=(n, n)), 0.0)


def main() -> None:
    random, n = np.random.default_rng(0), 1_000
    a, b, x = random_sparse(random, n, 0.05), random_sparse(random, n, 0.05), random.normal(size=n)
    starts, rows, values = compressed(a)

    y, *_ = times_vector(np.zeros(n), starts, rows, values, x)
    print(f"matrix times vector: off by {np.abs(y - a @ x).max():.1e}")
    weights = random.normal(size=n)
    zeros = (0 * starts, 0 * rows, 0 * values, 0 * x)
    *_, values_bar, x_bar = tl.vjp(times_vector, np.zeros(n), starts, rows, values, x)[1]((weights, *zeros))
    columns = np.repeat(np.arange(n), np.diff(starts))
    print(f"  its gradient:      off by {np.abs(x_bar - a.T @ weights).max():.1e} in x, "
          f"{np.abs(values_bar - weights[rows] * x[columns]).max():.1e} in the entries")  # fmt: skip

    total = dot(0.0, starts, rows, values, *compressed(b))[0]
    print(f"sum of products:     off by {abs(total - np.sum(a * b)):.1e}")
    gradient = tl.grad(dot, loss="total", argnums="values")(0.0, starts, rows, values, *compressed(b))
    print(f"  its gradient:      off by {np.abs(gradient - b[rows, columns]).max():.1e}")
    assert np.allclose(y, a @ x) and np.allclose(x_bar, a.T @ weights) and np.allclose(gradient, b[rows, columns])


if __name__ == "__main__":
    main()
