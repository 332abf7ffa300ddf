"""Sparse algebra: a loss of a product, Jacobi's iterations, and values scattered by coordinates."""

from __future__ import annotations

import numpy as np

import tapeless as tl
from untuned.program import Program

SWEEPS = 20


def rows_of(rows, per_row, columns, rng):
    """Starts and column indices of a matrix with about `per_row` entries in each row."""
    counts = rng.integers(1, 2 * per_row, rows)
    starts = np.concatenate(([0], np.cumsum(counts)))
    return starts, rng.integers(0, columns, starts[-1])


def product_data(size, dtype, rng):
    rows, columns, per_row = size
    starts, indices = rows_of(rows, per_row, columns, rng)
    return (
        rng.normal(size=columns).astype(dtype),
        rng.normal(size=len(indices)).astype(dtype),
        indices,
        starts,
        rng.normal(size=rows).astype(dtype),
    )


def product_loops(x, values, indices, starts, y):
    loss = 0.0
    for i in range(len(y)):
        total = 0.0
        for k in range(starts[i], starts[i + 1]):
            total += values[k] * x[indices[k]]
        loss += (total - y[i]) ** 2
    return loss


def product_maps(x, values, indices, starts, y):
    def row(start, stop, wanted):
        total = 0.0
        for k in range(start, stop):
            total += values[k] * x[indices[k]]
        return (total - wanted) ** 2

    return tl.sum(tl.map(row, starts[:-1], starts[1:], y))


def product_slices(x, values, indices, starts, y):
    product = np.zeros_like(y)
    for i in range(len(y)):
        lo, hi = starts[i], starts[i + 1]
        product[i] = np.dot(values[lo:hi], x[indices[lo:hi]])
    return np.sum((product - y) ** 2)


def product_jax(jnp):
    import jax

    def loss(x, values, indices, starts, y):
        rows = jnp.repeat(jnp.arange(len(y)), jnp.diff(starts), total_repeat_length=len(values))
        product = jax.ops.segment_sum(values * x[indices], rows, len(y), indices_are_sorted=True)
        return jnp.sum((product - y) ** 2)

    return loss


def product_torch(torch):
    def loss(x, values, indices, starts, y):
        rows = torch.repeat_interleave(torch.arange(len(y)), torch.diff(starts))
        product = torch.zeros_like(y).index_add(0, rows, values * x[indices])
        return torch.sum((product - y) ** 2)

    return loss


def jacobi_data(size, dtype, rng):
    rows, per_row = size
    starts, indices = rows_of(rows, per_row, rows, rng)
    return (
        rng.normal(size=rows).astype(dtype),
        (rng.normal(size=len(indices)) / (4 * per_row)).astype(dtype),
        indices,
        starts,
        rng.uniform(1.0, 2.0, rows).astype(dtype),
        rng.normal(size=rows).astype(dtype),
    )


def jacobi_loops(b, values, indices, starts, diagonal, wanted):
    n = len(b)
    x = np.zeros_like(b)
    for _ in range(SWEEPS):
        new = np.zeros_like(b)
        for i in range(n):
            rest = b[i]
            for k in range(starts[i], starts[i + 1]):
                rest -= values[k] * x[indices[k]]
            new[i] = rest / diagonal[i]
        x = new
    loss = 0.0
    for i in range(n):
        loss += (x[i] - wanted[i]) ** 2
    return loss


def jacobi_maps(b, values, indices, starts, diagonal, wanted):
    x = np.zeros_like(b)
    for _ in range(SWEEPS):

        def solved(right, start, stop, pivot):
            rest = right
            for k in range(start, stop):
                rest -= values[k] * x[indices[k]]
            return rest / pivot

        x = tl.map(solved, b, starts[:-1], starts[1:], diagonal)
    return np.sum((x - wanted) ** 2)


def jacobi_jax(jnp):
    import jax

    def loss(b, values, indices, starts, diagonal, wanted):
        n = len(b)
        rows = jnp.repeat(jnp.arange(n), jnp.diff(starts), total_repeat_length=len(values))

        def sweep(x, _):
            product = jax.ops.segment_sum(values * x[indices], rows, n, indices_are_sorted=True)
            return (b - product) / diagonal, None

        x, _ = jax.lax.scan(sweep, jnp.zeros_like(b), None, length=SWEEPS)
        return jnp.sum((x - wanted) ** 2)

    return loss


def jacobi_torch(torch):
    def loss(b, values, indices, starts, diagonal, wanted):
        rows = torch.repeat_interleave(torch.arange(len(b)), torch.diff(starts))
        x = torch.zeros_like(b)
        for _ in range(SWEEPS):
            x = (b - torch.zeros_like(b).index_add(0, rows, values * x[indices])) / diagonal
        return torch.sum((x - wanted) ** 2)

    return loss


def scatter_data(size, dtype, rng):
    rows, columns, entries = size
    return (
        rng.normal(size=entries).astype(dtype),
        rng.integers(0, rows, entries),
        rng.integers(0, columns, entries),
        rng.normal(size=(rows, columns)).astype(dtype),
    )


def scatter_loops(values, rows, columns, wanted):
    dense = np.zeros_like(wanted)
    for k in range(len(values)):
        dense[rows[k], columns[k]] += values[k]
    return np.sum(np.tanh(dense - wanted) ** 2)


def scatter_maps(values, rows, columns, wanted):
    flat = np.zeros_like(wanted.ravel())
    keys = tl.map(lambda i, j: i * wanted.shape[1] + j, rows, columns)
    sums = tl.hist(lambda a, b: a + b, 0.0, flat, keys, values)
    return tl.sum(tl.map(lambda s, w: tl.tanh(s - w) ** 2, sums, wanted.ravel()))


def scatter_at(values, rows, columns, wanted):
    dense = np.zeros_like(wanted)
    dense[rows, columns] += values
    return np.sum(np.tanh(dense - wanted) ** 2)


def scatter_jax(jnp):
    def loss(values, rows, columns, wanted):
        dense = jnp.zeros_like(wanted).at[rows, columns].add(values)
        return jnp.sum(jnp.tanh(dense - wanted) ** 2)

    return loss


def scatter_torch(torch):
    def loss(values, rows, columns, wanted):
        dense = torch.zeros_like(wanted).index_put((rows, columns), values, accumulate=True)
        return torch.sum(torch.tanh(dense - wanted) ** 2)

    return loss


PROGRAMS = (
    Program(
        name="product of a matrix in rows",
        field="sparse algebra",
        sizes={"small": (50, 50, 4), "middle": (5000, 5000, 10), "large": (100000, 100000, 10)},
        data=product_data,
        spellings={"loops": product_loops, "maps": product_maps, "slices": product_slices},
        jax=product_jax,
        torch=product_torch,
        wrt=(0, 1),
    ),
    Program(
        name="iterations of Jacobi",
        field="sparse algebra",
        sizes={"small": (30, 3), "middle": (1000, 5), "large": (20000, 10)},
        data=jacobi_data,
        spellings={"loops": jacobi_loops, "maps": jacobi_maps},
        jax=jacobi_jax,
        torch=jacobi_torch,
        wrt=(0, 1),
    ),
    Program(
        name="scatter by coordinates",
        field="sparse algebra",
        sizes={"small": (10, 10, 60), "middle": (100, 100, 10000), "large": (1000, 1000, 500000)},
        data=scatter_data,
        spellings={"loops": scatter_loops, "maps": scatter_maps, "at": scatter_at},
        jax=scatter_jax,
        torch=scatter_torch,
    ),
)
