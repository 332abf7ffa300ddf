"""Losses of machine learning: regression on classes, embeddings of words, pairs that belong together."""

from __future__ import annotations

import numpy as np

import tapeless as tl
from untuned.program import Program


def softmax_data(size, dtype, rng):
    samples, features, classes = size
    return (
        (rng.normal(size=(features, classes)) / np.sqrt(features)).astype(dtype),
        rng.normal(size=classes).astype(dtype),
        rng.normal(size=(samples, features)).astype(dtype),
        rng.integers(0, classes, samples),
    )


def softmax_loops(w, b, x, labels):
    loss = 0.0
    for n in range(len(x)):
        scores = b.copy()
        for i in range(x.shape[1]):
            for k in range(len(b)):
                scores[k] += x[n, i] * w[i, k]
        top = np.max(scores)
        total = 0.0
        for k in range(len(b)):
            total += np.exp(scores[k] - top)
        loss += np.log(total) + top - scores[labels[n]]
    return loss / len(x)


def softmax_maps(w, b, x, labels):
    def entropy(row, label):
        scores = row @ w + b
        return tl.logsumexp(scores) - scores[label]

    return np.mean(tl.map(entropy, x, labels))


def softmax_axis(w, b, x, labels):
    scores = x @ w + b
    return np.mean(tl.logsumexp(scores, axis=1) - scores[np.arange(len(labels)), labels])


def softmax_jax(jnp):
    import jax

    def loss(w, b, x, labels):
        scores = x @ w + b
        chosen = jnp.take_along_axis(scores, labels[:, None], axis=1)[:, 0]
        return jnp.mean(jax.nn.logsumexp(scores, axis=1) - chosen)

    return loss


def softmax_torch(torch):
    def loss(w, b, x, labels):
        return torch.nn.functional.cross_entropy(x @ w + b, labels)

    return loss


def softmax_numpy(w, b, x, labels):
    scores = x @ w + b
    scores -= scores.max(axis=1, keepdims=True)
    weights = np.exp(scores)
    totals = weights.sum(axis=1, keepdims=True)
    rows = np.arange(len(labels))
    loss = np.mean(np.log(totals[:, 0]) - scores[rows, labels])
    scores_bar = weights / totals
    scores_bar[rows, labels] -= 1.0
    scores_bar /= len(labels)
    return loss, (x.T @ scores_bar, scores_bar.sum(axis=0))


def word_data(size, dtype, rng):
    words, width, pairs, negatives = size
    return (
        (rng.normal(size=(words, width)) / np.sqrt(width)).astype(dtype),
        (rng.normal(size=(words, width)) / np.sqrt(width)).astype(dtype),
        rng.integers(0, words, pairs),
        rng.integers(0, words, pairs),
        rng.integers(0, words, (pairs, negatives)),
    )


def word_loops(inner, outer, centres, contexts, negatives):
    loss = 0.0
    for n in range(len(centres)):
        centre = inner[centres[n]]
        loss += tl.softplus(-np.dot(centre, outer[contexts[n]]))
        for k in range(negatives.shape[1]):
            loss += tl.softplus(np.dot(centre, outer[negatives[n, k]]))
    return loss / len(centres)


def word_maps(inner, outer, centres, contexts, negatives):
    def pair(centre, context, others):
        vector = inner[centre]
        away = tl.map(lambda other: tl.softplus(np.dot(vector, outer[other])), others)
        return tl.softplus(-np.dot(vector, outer[context])) + np.sum(away)

    return np.mean(tl.map(pair, centres, contexts, negatives))


def word_axis(inner, outer, centres, contexts, negatives):
    vectors = inner[centres]
    near = np.sum(vectors * outer[contexts], axis=1)
    far = np.sum(vectors[:, None, :] * outer[negatives], axis=2)
    return np.mean(tl.softplus(-near) + np.sum(tl.softplus(far), axis=1))


def word_jax(jnp):
    import jax

    def loss(inner, outer, centres, contexts, negatives):
        vectors = inner[centres]
        near = jnp.einsum("nd,nd->n", vectors, outer[contexts])
        far = jnp.einsum("nd,nkd->nk", vectors, outer[negatives])
        return jnp.mean(jax.nn.softplus(-near) + jnp.sum(jax.nn.softplus(far), axis=1))

    return loss


def word_torch(torch):
    def loss(inner, outer, centres, contexts, negatives):
        vectors, softplus = inner[centres], torch.nn.functional.softplus
        near = torch.sum(vectors * outer[contexts], dim=1)
        far = torch.einsum("nd,nkd->nk", vectors, outer[negatives])
        return torch.mean(softplus(-near) + torch.sum(softplus(far), dim=1))

    return loss


def contrastive_data(size, dtype, rng):
    pairs, width = size
    return tuple(rng.normal(size=(pairs, width)).astype(dtype) for _ in range(2))


def contrastive_loops(a, b):
    n = len(a)
    scores = np.zeros((n, n), dtype=a.dtype)
    for i in range(n):
        for j in range(n):
            lengths = np.sqrt(np.dot(a[i], a[i])) * np.sqrt(np.dot(b[j], b[j]))
            scores[i, j] = np.dot(a[i], b[j]) / lengths / 0.1
    loss = 0.0
    for i in range(n):
        row, column = 0.0, 0.0
        for j in range(n):
            row += np.exp(scores[i, j])
            column += np.exp(scores[j, i])
        loss += np.log(row) + np.log(column) - 2.0 * scores[i, i]
    return loss / (2 * n)


def contrastive_maps(a, b):
    a_hat = tl.map(lambda row: row / np.linalg.norm(row), a)
    b_hat = tl.map(lambda row: row / np.linalg.norm(row), b)

    def entropy(row, others, own):
        return tl.logsumexp(tl.map(lambda other: np.dot(row, other) / 0.1, others)) - np.dot(row, own) / 0.1

    forth = tl.map(lambda row, own: entropy(row, b_hat, own), a_hat, b_hat)
    back = tl.map(lambda row, own: entropy(row, a_hat, own), b_hat, a_hat)
    return (np.mean(forth) + np.mean(back)) / 2


def contrastive_axis(a, b):
    a_hat = a / np.linalg.norm(a, axis=1, keepdims=True)
    b_hat = b / np.linalg.norm(b, axis=1, keepdims=True)
    scores = a_hat @ b_hat.T / 0.1
    both = tl.logsumexp(scores, axis=0) + tl.logsumexp(scores, axis=1)
    return np.mean(both - 2.0 * np.diag(scores)) / 2


def contrastive_jax(jnp):
    import jax

    def loss(a, b):
        a_hat = a / jnp.linalg.norm(a, axis=1, keepdims=True)
        b_hat = b / jnp.linalg.norm(b, axis=1, keepdims=True)
        scores = a_hat @ b_hat.T / 0.1
        both = jax.nn.logsumexp(scores, axis=0) + jax.nn.logsumexp(scores, axis=1)
        return jnp.mean(both - 2.0 * jnp.diag(scores)) / 2

    return loss


def contrastive_torch(torch):
    def loss(a, b):
        normalize, cross_entropy = torch.nn.functional.normalize, torch.nn.functional.cross_entropy
        scores = normalize(a, dim=1) @ normalize(b, dim=1).T / 0.1
        own = torch.arange(len(a))
        return (cross_entropy(scores, own) + cross_entropy(scores.T, own)) / 2

    return loss


PROGRAMS = (
    Program(
        name="softmax regression",
        field="machine learning",
        sizes={"small": (16, 16, 4), "middle": (512, 128, 10), "large": (8192, 784, 10)},
        data=softmax_data,
        spellings={"loops": softmax_loops, "maps": softmax_maps, "axis": softmax_axis},
        jax=softmax_jax,
        torch=softmax_torch,
        numpy=softmax_numpy,
        wrt=(0, 1),
    ),
    Program(
        name="word embedding",
        field="machine learning",
        sizes={"small": (50, 16, 8, 3), "middle": (1000, 64, 256, 5), "large": (10000, 128, 8192, 10)},
        data=word_data,
        spellings={"loops": word_loops, "maps": word_maps, "axis": word_axis},
        jax=word_jax,
        torch=word_torch,
        wrt=(0, 1),
    ),
    Program(
        name="contrastive loss",
        field="machine learning",
        sizes={"small": (8, 16), "middle": (128, 64), "large": (1024, 128)},
        data=contrastive_data,
        spellings={"loops": contrastive_loops, "maps": contrastive_maps, "axis": contrastive_axis},
        jax=contrastive_jax,
        torch=contrastive_torch,
        wrt=(0, 1),
    ),
)
