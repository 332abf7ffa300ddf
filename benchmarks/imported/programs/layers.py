"""Layers of networks: products, a transformer layer, attention on graphs, gated recurrence."""

from __future__ import annotations

import numpy as np
from untuned.program import FROM_JAX, Program

import tapeless as tl

EPSILON = 1e-5
HEADS = 4


def product_data(size, dtype, rng):
    n, k, m = size
    return (
        (rng.normal(size=(k, m)) / np.sqrt(k)).astype(dtype),
        rng.normal(size=(n, k)).astype(dtype),
        rng.normal(size=(n, m)).astype(dtype),
    )


def product_by_hand(w, x, y):
    return np.sum((x @ w) * y)


def product_jax(jnp):
    def loss(w, x, y):
        return jnp.sum((x @ w) * y)

    return loss


def transformer_data(size, dtype, rng):
    tokens, width = size

    def matrix(rows, columns):
        return (rng.normal(size=(rows, columns)) / np.sqrt(rows)).astype(dtype)

    scales = [(1.0 + 0.1 * rng.normal(size=width)).astype(dtype) for _ in range(2)]
    return (
        *scales,
        matrix(width, 3 * width),
        matrix(width, width),
        matrix(width, 4 * width),
        matrix(4 * width, width),
        rng.normal(size=(tokens, width)).astype(dtype),
        rng.normal(size=(tokens, width)).astype(dtype),
    )


def transformer_jax(jnp):
    """A layer with causal attention by several heads, normalisation before each half, and GELU."""
    import jax

    def normed(x, scale):
        centred = x - x.mean(axis=-1, keepdims=True)
        return scale * centred / jnp.sqrt(jnp.mean(centred**2, axis=-1, keepdims=True) + EPSILON)

    def loss(first, second, qkv, out, up, down, x, y):
        tokens, width = x.shape
        parts = (normed(x, first) @ qkv).reshape(tokens, 3, HEADS, width // HEADS)
        q, k, v = (parts[:, place].transpose(1, 0, 2) for place in range(3))
        scores = jnp.einsum("hqd,hkd->hqk", q, k) / np.sqrt(width // HEADS)
        causal = jnp.tril(jnp.ones((tokens, tokens), bool))
        weights = jax.nn.softmax(jnp.where(causal, scores, -1e9), axis=-1)
        x = x + jnp.einsum("hqk,hkd->qhd", weights, v).reshape(tokens, width) @ out
        x = x + jax.nn.gelu(normed(x, second) @ up) @ down
        return jnp.mean((x - y) ** 2)

    return loss


def graph_data(size, dtype, rng):
    nodes, edges, width = size
    return (
        (rng.normal(size=(width, width)) / np.sqrt(width)).astype(dtype),
        rng.normal(size=width).astype(dtype),
        rng.normal(size=width).astype(dtype),
        rng.normal(size=(nodes, width)).astype(dtype),
        rng.integers(0, nodes, edges),
        rng.integers(0, nodes, edges),
    )


def graph_attention_jax(jnp):
    """Sums over edges, weighted by a softmax over the edges of each node."""
    import jax

    def loss(w, a, b, nodes, sources, targets):
        h = nodes @ w
        scores = jnp.exp(jax.nn.leaky_relu((h @ a)[sources] + (h @ b)[targets]))
        total = jax.ops.segment_sum(scores, targets, num_segments=len(nodes))
        out = jax.ops.segment_sum((scores / total[targets])[:, None] * h[sources], targets, num_segments=len(nodes))
        return jnp.mean(jax.nn.elu(out) ** 2)

    return loss


def gates_data(size, dtype, rng):
    steps, batch, inputs, hidden = size
    shape = (inputs + hidden, hidden)
    return (
        *((rng.normal(size=shape) / np.sqrt(inputs + hidden)).astype(dtype) for _ in range(3)),
        rng.normal(size=(steps, batch, inputs)).astype(dtype),
        rng.normal(size=(batch, hidden)).astype(dtype),
    )


def gates_by_hand(update, reset, new, x, y):
    h = np.zeros_like(y)
    for inputs in x:
        both = np.concatenate([inputs, h], axis=1)
        z, r = tl.sigmoid(both @ update), tl.sigmoid(both @ reset)
        h = (1.0 - z) * h + z * np.tanh(np.concatenate([inputs, r * h], axis=1) @ new)
    return np.mean((h - y) ** 2)


def gates_jax(jnp):
    import jax

    def loss(update, reset, new, x, y):
        def step(h, inputs):
            both = jnp.concatenate([inputs, h], axis=1)
            z, r = jax.nn.sigmoid(both @ update), jax.nn.sigmoid(both @ reset)
            return (1.0 - z) * h + z * jnp.tanh(jnp.concatenate([inputs, r * h], axis=1) @ new), None

        h, _ = jax.lax.scan(step, jnp.zeros_like(y), x)
        return jnp.mean((h - y) ** 2)

    return loss


PROGRAMS = (
    Program(
        name="product of matrices",
        field="",
        sizes={"small": (16, 16, 16), "middle": (256, 256, 256), "large": (2048, 1024, 1024)},
        data=product_data,
        spellings={"imported": FROM_JAX, "by hand": product_by_hand},
        jax=product_jax,
        wrt=(0, 1),
    ),
    Program(
        name="transformer layer",
        field="",
        sizes={"small": (8, 16), "middle": (64, 64), "large": (512, 256)},
        data=transformer_data,
        spellings={"imported": FROM_JAX},
        jax=transformer_jax,
        wrt=(0, 1, 2, 3, 4, 5),
    ),
    Program(
        name="graph attention",
        field="",
        sizes={"small": (20, 60, 8), "middle": (500, 2500, 16), "large": (5000, 40000, 32)},
        data=graph_data,
        spellings={"imported": FROM_JAX},
        jax=graph_attention_jax,
        wrt=(0, 1, 2),
    ),
    Program(
        name="gated recurrent network",
        field="",
        sizes={"small": (5, 2, 4, 8), "middle": (30, 8, 16, 32), "large": (100, 32, 64, 128)},
        data=gates_data,
        spellings={"imported": FROM_JAX, "by hand": gates_by_hand},
        jax=gates_jax,
        wrt=(0, 1, 2),
    ),
)
