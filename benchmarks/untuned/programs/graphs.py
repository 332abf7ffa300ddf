"""Graphs given by lists of edges: message passing, PageRank, smoothing with the Laplacian, propagation of labels."""

from __future__ import annotations

import numpy as np

import tapeless as tl
from untuned.program import Program

DAMPING = 0.85
ITERATIONS = 20


def message_data(size, dtype, rng):
    nodes, edges, width = size
    return (
        (rng.normal(size=(width, width)) / np.sqrt(width)).astype(dtype),
        (rng.normal(size=(width, width)) / np.sqrt(width)).astype(dtype),
        rng.normal(size=(nodes, width)).astype(dtype),
        rng.integers(0, nodes, edges),
        rng.integers(0, nodes, edges),
        rng.normal(size=(nodes, width)).astype(dtype),
    )


def message_loops(own, other, nodes, sources, targets, wanted):
    state = nodes
    for _ in range(2):
        received = np.zeros_like(state)
        for e in range(len(sources)):
            received[targets[e]] += np.tanh(state[sources[e]] @ other)
        state = np.tanh(state @ own + received)
    return np.mean((state - wanted) ** 2)


def message_maps(own, other, nodes, sources, targets, wanted):
    state = nodes
    for _ in range(2):
        messages = tl.map(lambda row: np.tanh(row @ other), state)
        sent = tl.map(lambda source: messages[source], sources)
        none = np.zeros_like(state)
        received = tl.hist(lambda a, b: a + b, np.zeros_like(state[0]), none, targets, sent)
        state = tl.map(lambda row, got: np.tanh(row @ own + got), state, received)
    return np.mean((state - wanted) ** 2)


def message_axis(own, other, nodes, sources, targets, wanted):
    state = nodes
    for _ in range(2):
        received = np.zeros_like(state)
        received[targets] += np.tanh(state[sources] @ other)
        state = np.tanh(state @ own + received)
    return np.mean((state - wanted) ** 2)


def message_jax(jnp):
    def loss(own, other, nodes, sources, targets, wanted):
        state = nodes
        for _ in range(2):
            received = jnp.zeros_like(state).at[targets].add(jnp.tanh(state @ other)[sources])
            state = jnp.tanh(state @ own + received)
        return jnp.mean((state - wanted) ** 2)

    return loss


def message_torch(torch):
    def loss(own, other, nodes, sources, targets, wanted):
        state = nodes
        for _ in range(2):
            received = torch.zeros_like(state).index_add(0, targets, torch.tanh(state @ other)[sources])
            state = torch.tanh(state @ own + received)
        return torch.mean((state - wanted) ** 2)

    return loss


def rank_data(size, dtype, rng):
    nodes, edges = size
    return (
        rng.normal(size=edges).astype(dtype),
        rng.integers(0, nodes, edges),
        rng.integers(0, nodes, edges),
        rng.normal(size=nodes).astype(dtype),
    )


def rank_loops(strengths, sources, targets, wanted):
    n = len(wanted)
    out = np.full_like(wanted, 1e-3)
    for e in range(len(sources)):
        out[sources[e]] += np.exp(strengths[e])
    rank = np.full_like(wanted, 1.0 / n)
    for _ in range(ITERATIONS):
        after = np.full_like(wanted, (1.0 - DAMPING) / n)
        for e in range(len(sources)):
            after[targets[e]] += DAMPING * np.exp(strengths[e]) / out[sources[e]] * rank[sources[e]]
        rank = after
    return np.sum(wanted * rank)


def rank_operators(strengths, sources, targets, wanted):
    n = len(wanted)
    weights = np.exp(strengths)
    out = np.full_like(wanted, 1e-3)
    out[sources] += weights
    shares = weights / out[sources]
    rank = np.full_like(wanted, 1.0 / n)
    for _ in range(ITERATIONS):
        after = np.full_like(wanted, (1.0 - DAMPING) / n)
        after[targets] += DAMPING * shares * rank[sources]
        rank = after
    return np.dot(wanted, rank)


def rank_jax(jnp):
    from jax import lax

    def loss(strengths, sources, targets, wanted):
        n = len(wanted)
        weights = jnp.exp(strengths)
        shares = DAMPING * weights / jnp.full_like(wanted, 1e-3).at[sources].add(weights)[sources]

        def step(rank, _):
            return jnp.full_like(wanted, (1.0 - DAMPING) / n).at[targets].add(shares * rank[sources]), None

        rank, _ = lax.scan(step, jnp.full_like(wanted, 1.0 / n), None, length=ITERATIONS)
        return wanted @ rank

    return loss


def rank_torch(torch):
    def loss(strengths, sources, targets, wanted):
        n = len(wanted)
        weights = torch.exp(strengths)
        shares = DAMPING * weights / torch.full_like(wanted, 1e-3).index_add(0, sources, weights)[sources]
        rank = torch.full_like(wanted, 1.0 / n)
        for _ in range(ITERATIONS):
            rank = torch.full_like(wanted, (1.0 - DAMPING) / n).index_add(0, targets, shares * rank[sources])
        return wanted @ rank

    return loss


def smoothing_data(size, dtype, rng):
    nodes, edges = size
    return (
        rng.normal(size=nodes).astype(dtype),
        rng.normal(size=nodes).astype(dtype),
        rng.uniform(0.5, 1.5, edges).astype(dtype),
        rng.integers(0, nodes, edges),
        rng.integers(0, nodes, edges),
    )


def smoothing_loops(f, seen, weights, a, b):
    energy = 0.0
    for i in range(len(f)):
        energy += (f[i] - seen[i]) ** 2
    for e in range(len(a)):
        energy += 3.0 * weights[e] * (f[a[e]] - f[b[e]]) ** 2
    return energy


def smoothing_maps(f, seen, weights, a, b):
    rough = tl.map(lambda w, i, j: w * (f[i] - f[j]) ** 2, weights, a, b)
    return tl.sum(tl.map(lambda u, v: (u - v) ** 2, f, seen)) + 3.0 * tl.sum(rough)


def smoothing_axis(f, seen, weights, a, b):
    return np.sum((f - seen) ** 2) + 3.0 * np.sum(weights * (f[a] - f[b]) ** 2)


def smoothing_jax(jnp):
    def loss(f, seen, weights, a, b):
        return jnp.sum((f - seen) ** 2) + 3.0 * jnp.sum(weights * (f[a] - f[b]) ** 2)

    return loss


def smoothing_numpy(f, seen, weights, a, b):
    apart = f[a] - f[b]
    pull = 6.0 * weights * apart
    gradient = 2.0 * (f - seen)
    gradient += np.bincount(a, pull, len(f)) - np.bincount(b, pull, len(f))
    return np.sum((f - seen) ** 2) + 3.0 * np.sum(weights * apart**2), (gradient,)


def labels_data(size, dtype, rng):
    points, features, classes = size
    known = np.zeros((points, classes))
    known[np.arange(points), rng.integers(0, classes, points)] = 1.0
    return (
        rng.normal(size=features).astype(dtype),
        rng.normal(size=(points, features)).astype(dtype),
        (known * (np.arange(points) < points // 2)[:, None]).astype(dtype),
        known.astype(dtype),
    )


def labels_loops(scales, points, known, truth):
    n, classes = known.shape
    near = np.zeros((n, n), dtype=points.dtype)
    for i in range(n):
        total = 0.0
        for j in range(n):
            distance = 0.0
            for k in range(len(scales)):
                distance += (np.exp(scales[k]) * (points[i, k] - points[j, k])) ** 2
            near[i, j] = np.exp(-distance)
            total += near[i, j]
        for j in range(n):
            near[i, j] /= total
    labels = known
    for _ in range(10):
        labels = 0.9 * near @ labels + 0.1 * known
    loss = 0.0
    for i in range(n):
        for c in range(classes):
            loss += (labels[i, c] - truth[i, c]) ** 2
    return loss


def labels_maps(scales, points, known, truth):
    scaled = tl.map(lambda row: row * np.exp(scales), points)

    def neighbours(row):
        return tl.softmax(tl.map(lambda other: -np.sum((row - other) ** 2), scaled))

    near = tl.map(neighbours, scaled)
    labels = known
    for _ in range(10):
        labels = 0.9 * near @ labels + 0.1 * known
    return np.sum((labels - truth) ** 2)


def labels_axis(scales, points, known, truth):
    scaled = points * np.exp(scales)
    near = tl.softmax(-np.sum((scaled[:, None, :] - scaled[None, :, :]) ** 2, axis=2), axis=1)
    labels = known
    for _ in range(10):
        labels = 0.9 * (near @ labels) + 0.1 * known
    return np.sum((labels - truth) ** 2)


def labels_jax(jnp):
    import jax

    def loss(scales, points, known, truth):
        scaled = points * jnp.exp(scales)
        squares = jnp.sum(scaled**2, axis=1)
        near = jax.nn.softmax(2.0 * scaled @ scaled.T - squares - squares[:, None], axis=1)

        def step(labels, _):
            return 0.9 * (near @ labels) + 0.1 * known, None

        labels, _ = jax.lax.scan(step, known, None, length=10)
        return jnp.sum((labels - truth) ** 2)

    return loss


def labels_torch(torch):
    def loss(scales, points, known, truth):
        scaled = points * torch.exp(scales)
        squares = torch.sum(scaled**2, dim=1)
        near = torch.softmax(2.0 * scaled @ scaled.T - squares - squares[:, None], dim=1)
        labels = known
        for _ in range(10):
            labels = 0.9 * (near @ labels) + 0.1 * known
        return torch.sum((labels - truth) ** 2)

    return loss


PROGRAMS = (
    Program(
        name="message passing",
        field="graphs",
        sizes={"small": (20, 60, 8), "middle": (500, 2500, 16), "large": (5000, 40000, 32)},
        data=message_data,
        spellings={"loops": message_loops, "maps": message_maps, "axis": message_axis},
        jax=message_jax,
        torch=message_torch,
        wrt=(0, 1),
    ),
    Program(
        name="pagerank",
        field="graphs",
        sizes={"small": (20, 60), "middle": (500, 4000), "large": (20000, 200000)},
        data=rank_data,
        spellings={"loops": rank_loops, "operators": rank_operators},
        jax=rank_jax,
        torch=rank_torch,
    ),
    Program(
        name="laplacian smoothing",
        field="graphs",
        sizes={"small": (100, 300), "middle": (10000, 40000), "large": (400000, 1600000)},
        data=smoothing_data,
        spellings={"loops": smoothing_loops, "maps": smoothing_maps, "axis": smoothing_axis},
        jax=smoothing_jax,
        torch=smoothing_jax,
        numpy=smoothing_numpy,
    ),
    Program(
        name="label propagation",
        field="graphs",
        sizes={"small": (10, 3, 2), "middle": (100, 8, 4), "large": (600, 16, 8)},
        data=labels_data,
        spellings={"loops": labels_loops, "maps": labels_maps, "axis": labels_axis},
        jax=labels_jax,
        torch=labels_torch,
    ),
)
