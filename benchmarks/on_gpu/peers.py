"""The same functions in JAX."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import redundant_jax
from jax import Array, lax


def kmeans(points: Array, centres: Array) -> Array:
    squares = jnp.sum(points**2, axis=1)[:, None] + jnp.sum(centres**2, axis=1)
    return jnp.sum(jnp.min(squares - 2.0 * points @ centres.T, axis=1))


def histogram(bins: Array, keys: Array, x: Array) -> Array:
    return bins.at[keys].add(x)


def minima(x: Array) -> Array:
    return lax.associative_scan(jnp.minimum, x)


def adjoint(function: Callable[..., Array], position: int) -> Callable[..., Array]:
    """The adjoint of one argument, given arguments and a cotangent."""
    return lambda *arguments: jax.vjp(function, *arguments[:-1])[1](arguments[-1])[position]


def wave(u: Array, before: Array, speed: float, steps: int) -> Array:
    def step(_: Any, levels: tuple[Array, Array]) -> tuple[Array, Array]:
        u, before = levels
        c = (slice(1, -1),) * 3
        around = sum(jnp.roll(u, shift, axis)[c] for axis in range(3) for shift in (1, -1))
        return before.at[c].set(2 * u[c] - before[c] + speed * (around - 6 * u[c])), u

    return jnp.sum(lax.fori_loop(0, steps, step, (u, before))[0] ** 2)


PEERS: dict[str, Callable[..., Any]] = {
    "sum": jnp.sum,
    "sum gradient": jax.grad(jnp.sum),
    "product": jnp.prod,
    "product gradient": jax.grad(jnp.prod),
    "minimum": jnp.min,
    "minimum gradient": jax.grad(jnp.min),
    "cumsum": jnp.cumsum,
    "cumsum gradient": adjoint(jnp.cumsum, 0),
    "cumprod": jnp.cumprod,
    "cumprod gradient": adjoint(jnp.cumprod, 0),
    "scan min": minima,
    "scan min gradient": adjoint(minima, 0),
    "histogram": histogram,
    "histogram gradient": adjoint(histogram, 2),
    "k-means": kmeans,
    "k-means gradient": jax.grad(kmeans, argnums=1),
    "gmm": redundant_jax.gmm,
    "gmm gradient": jax.grad(redundant_jax.gmm, argnums=(0, 1, 2)),
    "look-ups": redundant_jax.xs_lookup,
    "look-ups gradient": jax.grad(redundant_jax.xs_lookup, argnums=3),
    "wave": wave,
}
# Numbers that JAX compiles into the function.
STATIC = {"gmm": (5,), "gmm gradient": (5,), "wave": (3,)}
