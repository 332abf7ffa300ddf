"""Optimal transport and its kin: Sinkhorn's iterations, soft dynamic time warping, distances of sorted samples."""

from __future__ import annotations

import numpy as np

import tapeless as tl
from untuned.program import Program

ROUNDS = 20
BLUR = 0.5


def sinkhorn_data(size, dtype, rng):
    n, m = size
    return (rng.normal(size=(n, 2)).astype(dtype), rng.normal(size=(m, 2)).astype(dtype))


def sinkhorn_loops(x, y):
    n, m = len(x), len(y)
    cost = np.zeros((n, m), dtype=x.dtype)
    for i in range(n):
        for j in range(m):
            cost[i, j] = (x[i, 0] - y[j, 0]) ** 2 + (x[i, 1] - y[j, 1]) ** 2
    kernel = np.exp(-cost / BLUR)
    u, v = np.ones(n, dtype=x.dtype), np.ones(m, dtype=x.dtype)
    for _ in range(ROUNDS):
        for i in range(n):
            total = 0.0
            for j in range(m):
                total += kernel[i, j] * v[j]
            u[i] = 1.0 / (n * total)
        for j in range(m):
            total = 0.0
            for i in range(n):
                total += kernel[i, j] * u[i]
            v[j] = 1.0 / (m * total)
    distance = 0.0
    for i in range(n):
        for j in range(m):
            distance += u[i] * kernel[i, j] * v[j] * cost[i, j]
    return distance


def sinkhorn_maps(x, y):
    n, m = len(x), len(y)
    cost = tl.map(lambda p: tl.map(lambda q: tl.sum((p - q) ** 2), y), x)
    kernel = tl.exp(-cost / BLUR)
    v = tl.ones(m, dtype=x.dtype)
    u = tl.ones(n, dtype=x.dtype)
    for _ in range(ROUNDS):
        u = tl.map(lambda row: 1.0 / (n * tl.dot(row, v)), kernel)
        v = tl.map(lambda column: 1.0 / (m * tl.dot(column, u)), kernel.T)
    return tl.sum(tl.map(lambda a, row, costs: a * tl.sum(row * v * costs), u, kernel, cost))


def sinkhorn_axis(x, y):
    cost = np.sum((x[:, None, :] - y[None, :, :]) ** 2, axis=2)
    kernel = np.exp(-cost / BLUR)
    u = np.ones_like(x[:, 0])
    v = np.ones_like(y[:, 0])
    for _ in range(ROUNDS):
        u = 1.0 / (len(x) * (kernel @ v))
        v = 1.0 / (len(y) * (kernel.T @ u))
    return np.sum(u[:, None] * kernel * v * cost)


def sinkhorn_jax(jnp):
    from jax import lax

    def loss(x, y):
        cost = jnp.sum((x[:, None] - y) ** 2, axis=2)
        kernel = jnp.exp(-cost / BLUR)

        def step(scales, _):
            u = 1.0 / (len(x) * (kernel @ scales[1]))
            return (u, 1.0 / (len(y) * (u @ kernel))), None

        (u, v), _ = lax.scan(step, (jnp.ones_like(x[:, 0]), jnp.ones_like(y[:, 0])), None, length=ROUNDS)
        return u @ (kernel * cost) @ v

    return loss


def sinkhorn_torch(torch):
    def loss(x, y):
        cost = torch.sum((x[:, None] - y) ** 2, dim=2)
        kernel = torch.exp(-cost / BLUR)
        v = torch.ones_like(y[:, 0])
        for _ in range(ROUNDS):
            u = 1.0 / (len(x) * (kernel @ v))
            v = 1.0 / (len(y) * (u @ kernel))
        return u @ (kernel * cost) @ v

    return loss


def warping_data(size, dtype, rng):
    n, m = size
    return (rng.normal(size=n).astype(dtype), rng.normal(size=m).astype(dtype))


def warping_loops(x, y):
    n, m = len(x), len(y)
    table = np.full((n + 1, m + 1), 1e8, dtype=x.dtype)
    table[0, 0] = 0.0
    for i in range(n):
        for j in range(m):
            a, b, c = -table[i, j], -table[i, j + 1], -table[i + 1, j]
            top = max(a, b, c)
            soft = top + np.log(np.exp(a - top) + np.exp(b - top) + np.exp(c - top))
            table[i + 1, j + 1] = (x[i] - y[j]) ** 2 - soft
    return table[n, m]


def warping_rows(x, y):
    m = len(y)
    above = np.full(m + 1, 1e8, dtype=x.dtype)
    above[0] = 0.0
    for value in x:
        row = np.full(m + 1, 1e8, dtype=x.dtype)
        for j in range(m):
            choices = np.array([above[j], above[j + 1], row[j]])
            row[j + 1] = (value - y[j]) ** 2 - tl.logsumexp(-choices)
        above = row
    return above[m]


def warping_jax(jnp):
    """Along antidiagonals, whose cells do not depend on each other."""
    import jax

    def loss(x, y):
        n, m = len(x), len(y)
        i = jnp.arange(n + 1)

        def step(state, d):
            older, old = state
            j = d - i
            cost = (x[jnp.clip(i - 1, 0, n - 1)] - y[jnp.clip(j - 1, 0, m - 1)]) ** 2
            choices = jnp.stack([jnp.roll(older, 1), jnp.roll(old, 1), old])
            new = jnp.where((i >= 1) & (j >= 1) & (j <= m), cost - jax.nn.logsumexp(-choices, axis=0), 1e8)
            return (old, new), None

        far = jnp.full(n + 1, 1e8, x.dtype)
        (_, last), _ = jax.lax.scan(step, (far.at[0].set(0.0), far), jnp.arange(2, n + m + 1))
        return last[n]

    return loss


def wasserstein_data(size, dtype, rng):
    return (rng.normal(size=size).astype(dtype), rng.normal(size=size).astype(dtype))


def wasserstein_loops(x, y):
    a, b = np.sort(x), np.sort(y)
    total = 0.0
    for i in range(len(a)):
        total += abs(a[i] - b[i])
    return total / len(a)


def wasserstein_maps(x, y):
    return tl.mean(tl.map(lambda a, b: tl.abs(a - b), tl.sort(x), tl.sort(y)))


def wasserstein_order(x, y):
    return np.mean(np.abs(x[np.argsort(x)] - y[np.argsort(y)]))


def wasserstein_jax(jnp):
    def loss(x, y):
        return jnp.mean(jnp.abs(jnp.sort(x) - jnp.sort(y)))

    return loss


def wasserstein_torch(torch):
    def loss(x, y):
        return torch.mean(torch.abs(torch.sort(x).values - torch.sort(y).values))

    return loss


def wasserstein_numpy(x, y):
    order, other = np.argsort(x), np.argsort(y)
    apart = x[order] - y[other]
    gradient = np.empty_like(x)
    gradient[order] = np.sign(apart) / len(x)
    return np.mean(np.abs(apart)), (gradient,)


PROGRAMS = (
    Program(
        name="sinkhorn",
        field="optimal transport",
        sizes={"small": (10, 10), "middle": (100, 100), "large": (700, 700)},
        data=sinkhorn_data,
        spellings={"loops": sinkhorn_loops, "maps": sinkhorn_maps, "axis": sinkhorn_axis},
        jax=sinkhorn_jax,
        torch=sinkhorn_torch,
    ),
    Program(
        name="soft time warping",
        field="optimal transport",
        sizes={"small": (12, 10), "middle": (80, 80), "large": (600, 600)},
        data=warping_data,
        spellings={"loops": warping_loops, "rows": warping_rows},
        jax=warping_jax,
    ),
    Program(
        name="distance of sorted samples",
        field="optimal transport",
        sizes={"small": 100, "middle": 10000, "large": 300000},
        data=wasserstein_data,
        spellings={"loops": wasserstein_loops, "maps": wasserstein_maps, "order": wasserstein_order},
        jax=wasserstein_jax,
        torch=wasserstein_torch,
        numpy=wasserstein_numpy,
    ),
)
