"""Clusters, mixtures and a recurrent network."""

from __future__ import annotations

import jax
import jax.numpy as jnp
from jax import Array, lax
from redundant_jax import gmm, kmeans


def newton(points: Array, centres: Array) -> tuple[Array, Array]:
    """The gradient and the diagonal of the Hessian, which has no other elements."""
    gradient = jax.grad(kmeans, argnums=1)
    return jax.jvp(lambda centres: gradient(points, centres), (centres,), (jnp.ones_like(centres),))


def lstm(x: Array, from_input: Array, from_hidden: Array, bias: Array) -> Array:
    start = jnp.zeros((x.shape[1], len(from_hidden)), x.dtype)

    def step(state: tuple[Array, Array], now: Array) -> tuple[tuple[Array, Array], Array]:
        hidden, cell = state
        gates = now @ from_input + hidden @ from_hidden + bias
        ingate, forget, change, outgate = jnp.split(gates, 4, axis=1)
        cell = jax.nn.sigmoid(forget) * cell + jax.nn.sigmoid(ingate) * jnp.tanh(change)
        hidden = jax.nn.sigmoid(outgate) * jnp.tanh(cell)
        return (hidden, cell), hidden

    return jnp.sum(lax.scan(step, (start, start), x)[1])


FUNCTIONS = {
    "k-means": kmeans,
    "k-means gradient": jax.grad(kmeans, argnums=1),
    "k-means newton": newton,
    "gmm": gmm,
    "gmm gradient": jax.grad(gmm, argnums=(0, 1, 2)),
    "lstm": lstm,
    "lstm gradient": jax.grad(lstm, argnums=(1, 2, 3)),
}
