"""Sums, products, minima, their scans, and histograms."""

from __future__ import annotations

from collections.abc import Callable

import jax
import jax.numpy as jnp
from jax import Array, lax


def histogram(bins: Array, keys: Array, x: Array) -> Array:
    return bins.at[keys].add(x)


def lowest(bins: Array, keys: Array, x: Array) -> Array:
    return bins.at[keys].min(x)


def minima(x: Array) -> Array:
    return lax.associative_scan(jnp.minimum, x)


def adjoint(function: Callable[..., Array], position: int) -> Callable[..., Array]:
    """The adjoint of one argument, given arguments and a cotangent."""
    return lambda *arguments: jax.vjp(function, *arguments[:-1])[1](arguments[-1])[position]


FUNCTIONS = {
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
    "histogram min": lowest,
    "histogram min gradient": adjoint(lowest, 2),
}
