"""Dynamic programming over sequences: soft alignment, hidden Markov models, connectionist classification."""

from __future__ import annotations

import numpy as np

import tapeless as tl
from untuned.program import Program


def edit_data(size, dtype, rng):
    n, m, letters = size
    return (
        rng.uniform(0.5, 2.0, (letters, letters)).astype(dtype),
        np.array([1.0, 1.2]).astype(dtype),
        rng.integers(0, letters, n),
        rng.integers(0, letters, m),
    )


def edit_loops(swap, gaps, a, b):
    n, m = len(a), len(b)
    cost = np.zeros((n + 1, m + 1), dtype=swap.dtype)
    for i in range(n):
        cost[i + 1, 0] = cost[i, 0] + gaps[0]
    for j in range(m):
        cost[0, j + 1] = cost[0, j] + gaps[1]
    for i in range(n):
        for j in range(m):
            change = cost[i, j] + swap[a[i], b[j]]
            drop = cost[i, j + 1] + gaps[0]
            add = cost[i + 1, j] + gaps[1]
            best = min(change, drop, add)
            cost[i + 1, j + 1] = best - np.log(np.exp(best - change) + np.exp(best - drop) + np.exp(best - add))
    return cost[n, m]


def edit_rows(swap, gaps, a, b):
    m = len(b)
    above = np.arange(m + 1) * gaps[1]
    for letter in a:
        row = np.zeros_like(above)
        row[0] = above[0] + gaps[0]
        for j in range(1, m + 1):
            choices = np.stack((above[j - 1] + swap[letter, b[j - 1]], above[j] + gaps[0], row[j - 1] + gaps[1]))
            row[j] = -tl.logsumexp(-choices)
        above = row
    return above[-1]


def edit_jax(jnp):
    """Along antidiagonals, whose cells do not depend on each other."""
    import jax

    def loss(swap, gaps, a, b):
        n, m = len(a), len(b)
        i = jnp.arange(n + 1)

        def step(state, d):
            older, old = state
            j = d - i
            change = jnp.roll(older, 1) + swap[a[jnp.clip(i - 1, 0)], b[jnp.clip(j - 1, 0, m - 1)]]
            choices = jnp.stack((change, jnp.roll(old, 1) + gaps[0], old + gaps[1]))
            inner = -jax.nn.logsumexp(-choices, axis=0)
            new = jnp.where(j == 0, i * gaps[0], jnp.where(i == 0, j * gaps[1], inner))
            return (old, jnp.where((j >= 0) & (j <= m), new, 0.0)), None

        zeros = jnp.zeros(n + 1, swap.dtype)
        (_, last), _ = jax.lax.scan(step, (zeros, zeros), jnp.arange(1, n + m + 1))
        return last[n]

    return loss


def markov_data(size, dtype, rng):
    steps, states, symbols = size
    return (
        rng.normal(size=states).astype(dtype),
        rng.normal(size=(states, states)).astype(dtype),
        rng.normal(size=(states, symbols)).astype(dtype),
        rng.integers(0, symbols, steps),
    )


def forward_loops(start, move, emit, seen):
    n = len(start)
    a = move - np.max(move)
    alpha = np.zeros_like(start)
    for i in range(n):
        alpha[i] = np.exp(start[i] + emit[i, seen[0]])
    likelihood = 0.0
    for t in range(1, len(seen)):
        scale = np.sum(alpha)
        likelihood += np.log(scale)
        new = np.zeros_like(alpha)
        for j in range(n):
            total = 0.0
            for i in range(n):
                total += alpha[i] / scale * np.exp(a[i, j])
            new[j] = total * np.exp(emit[j, seen[t]])
        alpha = new
    return -likelihood - np.log(np.sum(alpha))


def forward_maps(start, move, emit, seen):
    a = move - np.max(move)
    alpha = start + emit[:, seen[0]]
    for t in range(1, len(seen)):
        alpha = tl.map(lambda column, e: tl.logsumexp(alpha + column) + e, a.T, emit[:, seen[t]])
    return -tl.logsumexp(alpha)


def forward_axis(start, move, emit, seen):
    a = move - np.max(move)
    alpha = start + emit[:, seen[0]]
    for symbol in seen[1:]:
        alpha = tl.logsumexp(alpha[:, None] + a, axis=0) + emit[:, symbol]
    return -tl.logsumexp(alpha)


def forward_jax(jnp):
    """With scaled probabilities, so that each step is a product with a matrix."""
    import jax

    def loss(start, move, emit, seen):
        a, likely = jnp.exp(move - jnp.max(move)), jnp.exp(emit).T

        def step(alpha, symbol):
            scale = jnp.sum(alpha)
            return (alpha / scale) @ a * likely[symbol], jnp.log(scale)

        alpha, logs = jax.lax.scan(step, jnp.exp(start) * likely[seen[0]], seen[1:])
        return -jnp.sum(logs) - jnp.log(jnp.sum(alpha))

    return loss


def viterbi_loops(start, move, emit, seen):
    n = len(start)
    best = start + emit[:, seen[0]]
    for t in range(1, len(seen)):
        new = np.zeros_like(best)
        for j in range(n):
            top = best[0] + move[0, j]
            for i in range(1, n):
                top = max(top, best[i] + move[i, j])
            new[j] = top + emit[j, seen[t]]
        best = new
    return np.max(best)


def viterbi_maps(start, move, emit, seen):
    best = start + emit[:, seen[0]]
    for t in range(1, len(seen)):
        best = tl.map(lambda column, e: np.max(best + column) + e, move.T, emit[:, seen[t]])
    return np.max(best)


def viterbi_axis(start, move, emit, seen):
    best = start + emit[:, seen[0]]
    for t in range(1, len(seen)):
        best = np.max(best[:, None] + move, axis=0) + emit[:, seen[t]]
    return np.max(best)


def viterbi_jax(jnp):
    from jax import lax

    def loss(start, move, emit, seen):
        def step(best, symbol):
            return jnp.max(best[:, None] + move, axis=0) + emit[:, symbol], None

        return jnp.max(lax.scan(step, start + emit[:, seen[0]], seen[1:])[0])

    return loss


def speech_data(size, dtype, rng):
    frames, symbols, letters = size
    return (rng.normal(size=(frames, symbols)).astype(dtype), rng.integers(1, symbols, letters))


def speech_loops(scores, target):
    frames = len(scores)
    length = 2 * len(target) + 1
    labels = np.zeros(length, dtype=np.int64)
    for k in range(len(target)):
        labels[2 * k + 1] = target[k]
    logits = scores - tl.logsumexp(scores, axis=1, keepdims=True)
    alpha = np.full(length, -1e5, dtype=scores.dtype)
    alpha[0] = logits[0, 0]
    alpha[1] = logits[0, labels[1]]
    for t in range(1, frames):
        new = alpha.copy()
        for s in range(length):
            stay = alpha[s]
            step = alpha[s - 1] if s > 0 else -1e5
            jumps = s > 1 and labels[s] != 0 and labels[s] != labels[max(s - 2, 0)]
            jump = alpha[max(s - 2, 0)] if jumps else -1e5
            top = max(stay, step, jump)
            total = np.exp(stay - top) + np.exp(step - top) + np.exp(jump - top)
            new[s] = top + np.log(total) + logits[t, labels[s]]
        alpha = new
    return -np.logaddexp(alpha[length - 1], alpha[length - 2])


def speech_arrays(scores, target):
    labels = np.ravel(np.stack((np.zeros_like(target), target), axis=1))
    labels = np.append(labels, 0)
    allowed = (labels[2:] != 0) & (labels[2:] != labels[:-2])
    logits = scores - tl.logsumexp(scores, axis=1, keepdims=True)
    alpha = np.where(np.arange(len(labels)) < 2, logits[0, labels], -1e5)
    for t in range(1, len(scores)):
        new = alpha.copy()
        new[1:] = np.logaddexp(new[1:], alpha[:-1])
        new[2:] = np.where(allowed, np.logaddexp(new[2:], alpha[:-2]), new[2:])
        alpha = new + logits[t, labels]
    return -np.logaddexp(alpha[-1], alpha[-2])


def speech_jax(jnp):
    import jax

    def loss(scores, target):
        labels = jnp.append(jnp.ravel(jnp.stack((jnp.zeros_like(target), target), axis=1)), 0)
        allowed = (labels[2:] != 0) & (labels[2:] != labels[:-2])
        logits = jax.nn.log_softmax(scores, axis=1)[:, labels]

        def step(alpha, likely):
            new = alpha.at[1:].set(jnp.logaddexp(alpha[1:], alpha[:-1]))
            new = new.at[2:].set(jnp.where(allowed, jnp.logaddexp(new[2:], alpha[:-2]), new[2:]))
            return new + likely, None

        first = jnp.where(jnp.arange(len(labels)) < 2, logits[0], -1e5)
        alpha, _ = jax.lax.scan(step, first, logits[1:])
        return -jnp.logaddexp(alpha[-1], alpha[-2])

    return loss


def speech_torch(torch):
    def loss(scores, target):
        chances = torch.log_softmax(scores, dim=1)[:, None]
        lengths = torch.tensor([len(scores)]), torch.tensor([len(target)])
        return torch.nn.functional.ctc_loss(chances, target[None], *lengths, reduction="sum")

    return loss


PROGRAMS = (
    Program(
        name="soft edit distance",
        field="dynamic programming",
        sizes={"small": (8, 10, 4), "middle": (80, 80, 26), "large": (600, 600, 26)},
        data=edit_data,
        spellings={"loops": edit_loops, "rows": edit_rows},
        jax=edit_jax,
        wrt=(0, 1),
    ),
    Program(
        name="forward algorithm",
        field="dynamic programming",
        sizes={"small": (10, 4, 5), "middle": (200, 16, 20), "large": (1000, 64, 50)},
        data=markov_data,
        spellings={"loops": forward_loops, "maps": forward_maps, "axis": forward_axis},
        jax=forward_jax,
        wrt=(0, 1, 2),
    ),
    Program(
        name="viterbi score",
        field="dynamic programming",
        sizes={"small": (10, 4, 5), "middle": (200, 16, 20), "large": (1000, 64, 50)},
        data=markov_data,
        spellings={"loops": viterbi_loops, "maps": viterbi_maps, "axis": viterbi_axis},
        jax=viterbi_jax,
        wrt=(0, 1, 2),
    ),
    Program(
        name="connectionist classification",
        field="dynamic programming",
        sizes={"small": (10, 5, 3), "middle": (100, 30, 20), "large": (1000, 50, 200)},
        data=speech_data,
        spellings={"loops": speech_loops, "arrays": speech_arrays},
        jax=speech_jax,
        torch=speech_torch,
    ),
)
