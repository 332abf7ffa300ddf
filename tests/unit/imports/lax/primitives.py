"""Primitives of JAX that no function of `jax.lax` calls by itself: those of derivatives, of keys, and of copies."""

from __future__ import annotations

import jax
import jax.numpy as jnp
from jax import lax
from jax.ad_checkpoint import checkpoint_name

from unit.imports.lax.combining import shifted
from unit.imports.lax.rows import ALL, FLOATS, Row


def largest(x):
    return lax.reduce_window(x, -jnp.inf, lax.max, (2, 2), (1, 2), "VALID")


def least(x, y):
    return lax.reduce_window(x, jnp.inf, lax.min, (2, 2), (1, 2), "VALID")


def slope_of_windows(x, y):
    return jax.grad(lambda v: jnp.sum(largest(v) * y[:2, :2]))(x)


def tangent_of_windows(x, y):
    return jax.jvp(largest, (x,), (y,))[1]


def drawn(x, y):
    key = jax.random.fold_in(jax.random.split(jax.random.key(7))[1], 3)
    return x * jax.random.normal(key, x.shape, x.dtype) + jax.random.uniform(key, x.shape, x.dtype)


def drawn_by_old_keys(x, y):
    return x * jax.random.uniform(jax.random.split(jax.random.PRNGKey(5))[0], x.shape, x.dtype)


ROWS = [
    Row("reduce_window_max", lambda x, y: largest(x), FLOATS, twin=lambda x, y: shifted(jnp.max, 0)(x, y)[1:]),
    Row("reduce_window_min", least, FLOATS, twin=lambda x, y: shifted(jnp.min, 0)(x, y)[1:]),
    Row("select_and_scatter_add", slope_of_windows, FLOATS, smooth=False),
    Row("select_and_gather_add", tangent_of_windows, FLOATS, smooth=False),
    Row("add_any", lambda x, y: jax.grad(lambda v: jnp.sum(jnp.sin(v) * v * y))(x), FLOATS),
    Row("copy", lambda x, y: jnp.copy(x), ALL),
    Row("device_put", lambda x, y: jax.device_put(x), ALL),
    Row("name", lambda x, y: checkpoint_name(x, "kept"), ALL),
    Row("random_bits", drawn, FLOATS, halves=False),
    Row("random_wrap", drawn_by_old_keys, FLOATS, halves=False),
]
