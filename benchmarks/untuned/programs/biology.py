"""Bioinformatics: likelihood of a tree, soft local alignment, and matrices of position weights."""

from __future__ import annotations

import numpy as np

import tapeless as tl
from untuned.program import Program


def tree_data(size, dtype, rng):
    leaves, sites = size
    inner = leaves - 1
    open_nodes, left, right = list(range(leaves)), [], []
    for node in range(leaves, leaves + inner):
        for side in (left, right):
            side.append(open_nodes.pop(rng.integers(0, len(open_nodes))))
        open_nodes.append(node)
    return (
        rng.uniform(0.05, 0.5, leaves + inner).astype(dtype),
        rng.normal(size=4).astype(dtype),
        np.array(left),
        np.array(right),
        rng.integers(0, 4, (leaves, sites)),
    )


def tree_loops(lengths, frequencies, left, right, letters):
    leaves, sites = letters.shape
    inner = len(left)
    total = np.sum(np.exp(frequencies))
    pi = np.exp(frequencies) / total
    result = 0.0
    for s in range(sites):
        partial = np.zeros((leaves + inner, 4), dtype=lengths.dtype)
        for k in range(leaves):
            partial[k, letters[k, s]] = 1.0
        for n in range(inner):
            a, b = left[n], right[n]
            stay_a, stay_b = np.exp(-lengths[a]), np.exp(-lengths[b])
            mean_a, mean_b = 0.0, 0.0
            for x in range(4):
                mean_a += pi[x] * partial[a, x]
                mean_b += pi[x] * partial[b, x]
            for x in range(4):
                from_a = stay_a * partial[a, x] + (1.0 - stay_a) * mean_a
                from_b = stay_b * partial[b, x] + (1.0 - stay_b) * mean_b
                partial[leaves + n, x] = from_a * from_b
        likelihood = 0.0
        for x in range(4):
            likelihood += pi[x] * partial[leaves + inner - 1, x]
        result -= np.log(likelihood)
    return result


def tree_maps(lengths, frequencies, left, right, letters):
    pi = tl.softmax(frequencies)
    leaves = len(letters)

    def site(column):
        partial = np.zeros((2 * leaves - 1, 4), dtype=lengths.dtype)
        for k in range(leaves):
            partial[k, column[k]] = 1.0

        for n in range(leaves - 1):
            a, b = partial[left[n]], partial[right[n]]
            stay_a, stay_b = np.exp(-lengths[left[n]]), np.exp(-lengths[right[n]])
            from_a = stay_a * a + (1.0 - stay_a) * np.dot(pi, a)
            from_b = stay_b * b + (1.0 - stay_b) * np.dot(pi, b)
            partial[leaves + n] = from_a * from_b
        return -np.log(np.dot(pi, partial[-1]))

    return np.sum(tl.map(site, letters.T))


def tree_axis(lengths, frequencies, left, right, letters):
    pi = tl.softmax(frequencies)
    leaves, sites = letters.shape
    partial = np.zeros((2 * leaves - 1, sites, 4), dtype=lengths.dtype)
    for k in range(leaves):
        partial[k] = np.where(letters[k][:, None] == np.arange(4), 1.0, 0.0)
    for n in range(leaves - 1):
        i, j = left[n], right[n]
        mean_i, mean_j = partial[i] @ pi, partial[j] @ pi
        stay_i, stay_j = np.exp(-lengths[i]), np.exp(-lengths[j])
        from_i = stay_i * partial[i] + (1.0 - stay_i) * mean_i[:, None]
        partial[leaves + n] = from_i * (stay_j * partial[j] + (1.0 - stay_j) * mean_j[:, None])
    return -np.sum(np.log(partial[2 * leaves - 2] @ pi))


def tree_jax(jnp):
    import jax

    def loss(lengths, frequencies, left, right, letters):
        pi = jax.nn.softmax(frequencies)
        leaves, sites = letters.shape
        known = jax.nn.one_hot(letters, 4, dtype=lengths.dtype)
        partial = jnp.concatenate((known, jnp.zeros((leaves - 1, sites, 4), lengths.dtype)))

        def below(partial, node):
            stay = jnp.exp(-lengths[node])
            return stay * partial[node] + (1.0 - stay) * (partial[node] @ pi)[:, None]

        def join(partial, nodes):
            node, a, b = nodes
            return partial.at[node].set(below(partial, a) * below(partial, b)), None

        partial, _ = jax.lax.scan(join, partial, (jnp.arange(leaves, 2 * leaves - 1), left, right))
        return -jnp.sum(jnp.log(partial[-1] @ pi))

    return loss


def local_data(size, dtype, rng):
    n, m = size
    return (
        rng.normal(size=(4, 4)).astype(dtype),
        np.array([-1.0]).astype(dtype),
        rng.integers(0, 4, n),
        rng.integers(0, 4, m),
    )


def local_loops(scores, gap, a, b):
    n, m = len(a), len(b)
    h = np.zeros((n + 1, m + 1), dtype=scores.dtype)
    total = 0.0
    for i in range(1, n + 1):
        for j in range(1, m + 1):
            match = h[i - 1, j - 1] + scores[a[i - 1], b[j - 1]]
            drop = h[i - 1, j] + gap[0]
            add = h[i, j - 1] + gap[0]
            top = max(match, drop, add, 0.0)
            rest = np.exp(match - top) + np.exp(drop - top) + np.exp(add - top) + np.exp(-top)
            h[i, j] = top + np.log(rest)
            total += np.exp(0.1 * h[i, j])
    return 10.0 * np.log(total)


def local_rows(scores, gap, a, b):
    m = len(b)
    above = np.zeros(m + 1, dtype=scores.dtype)
    total = 0.0
    for letter in a:
        matches = above[:-1] + scores[letter][b]
        drops = above[1:] + gap[0]
        row = np.zeros_like(above)
        for j in range(m):
            add = row[j] + gap[0]
            row[j + 1] = np.logaddexp(np.logaddexp(matches[j], drops[j]), np.logaddexp(add, 0.0))
        total += np.sum(np.exp(0.1 * row[1:]))
        above = row
    return 10.0 * np.log(total)


def local_jax(jnp):
    """Along antidiagonals, whose cells do not depend on each other."""
    import jax

    def loss(scores, gap, a, b):
        n, m = len(a), len(b)
        i = jnp.arange(n + 1)

        def step(state, d):
            older, old = state
            j = d - i
            match = jnp.roll(older, 1) + scores[a[jnp.clip(i - 1, 0)], b[jnp.clip(j - 1, 0, m - 1)]]
            choices = jnp.stack((match, jnp.roll(old, 1) + gap[0], old + gap[0], jnp.zeros_like(old)))
            inside = (i >= 1) & (j >= 1) & (j <= m)
            new = jnp.where(inside, jax.nn.logsumexp(choices, axis=0), 0.0)
            return (old, new), jnp.sum(jnp.where(inside, jnp.exp(0.1 * new), 0.0))

        zeros = jnp.zeros(n + 1, scores.dtype)
        _, totals = jax.lax.scan(step, (zeros, zeros), jnp.arange(2, n + m + 1))
        return 10.0 * jnp.log(jnp.sum(totals))

    return loss


def motif_data(size, dtype, rng):
    sequences, length, width = size
    return (
        rng.normal(size=(width, 4)).astype(dtype),
        rng.integers(0, 4, (sequences, length)),
        rng.normal(size=sequences).astype(dtype),
    )


def motif_loops(weights, letters, activity):
    width = len(weights)
    loss = 0.0
    for n in range(len(letters)):
        total = 0.0
        for start in range(letters.shape[1] - width + 1):
            score = 0.0
            for k in range(width):
                score += weights[k, letters[n, start + k]]
            total += np.exp(score)
        loss += (np.log(total) - activity[n]) ** 2
    return loss / len(letters)


def motif_maps(weights, letters, activity):
    width = len(weights)
    places = letters.shape[1] - width + 1

    def error(sequence, wanted):
        def score(start):
            return tl.sum(tl.map(lambda k: weights[k, sequence[start + k]], tl.iota(width)))

        return (tl.logsumexp(tl.map(score, tl.iota(places))) - wanted) ** 2

    return tl.mean(tl.map(error, letters, activity))


def motif_axis(weights, letters, activity):
    width = len(weights)
    places = letters.shape[1] - width + 1
    scores = np.zeros((len(letters), places), dtype=weights.dtype)
    for k in range(width):
        scores += weights[k][letters[:, k : k + places]]
    return np.mean((tl.logsumexp(scores, axis=1) - activity) ** 2)


def motif_jax(jnp):
    import jax

    def loss(weights, letters, activity):
        hot = jax.nn.one_hot(letters, 4, dtype=weights.dtype, axis=1)
        scores = jax.lax.conv(hot, weights.T[None], (1,), "VALID")[:, 0]
        return jnp.mean((jax.nn.logsumexp(scores, axis=1) - activity) ** 2)

    return loss


def motif_torch(torch):
    def loss(weights, letters, activity):
        hot = torch.nn.functional.one_hot(letters, 4).to(weights.dtype).transpose(1, 2)
        scores = torch.nn.functional.conv1d(hot, weights.T[None])[:, 0]
        return torch.mean((torch.logsumexp(scores, dim=1) - activity) ** 2)

    return loss


PROGRAMS = (
    Program(
        name="pruning of a tree",
        field="bioinformatics",
        sizes={"small": (5, 4), "middle": (20, 300), "large": (30, 10000)},
        data=tree_data,
        spellings={"loops": tree_loops, "maps": tree_maps, "axis": tree_axis},
        jax=tree_jax,
        wrt=(0, 1),
    ),
    Program(
        name="soft local alignment",
        field="bioinformatics",
        sizes={"small": (8, 10), "middle": (80, 80), "large": (600, 600)},
        data=local_data,
        spellings={"loops": local_loops, "rows": local_rows},
        jax=local_jax,
        wrt=(0, 1),
        dtypes=("f64",),
    ),
    Program(
        name="position weights",
        field="bioinformatics",
        sizes={"small": (3, 30, 6), "middle": (50, 200, 8), "large": (1000, 500, 12)},
        data=motif_data,
        spellings={"loops": motif_loops, "maps": motif_maps, "axis": motif_axis},
        jax=motif_jax,
        torch=motif_torch,
    ),
)
