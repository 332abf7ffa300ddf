"""Statistics: filters of many series, and regression by kernels."""

from __future__ import annotations

import numpy as np
from untuned.program import FROM_JAX, Program

import tapeless as tl


def filter_data(size, dtype, rng):
    series, steps = size
    return (
        rng.uniform(0.7, 0.95, series).astype(dtype),
        rng.normal(size=series).astype(dtype),
        rng.normal(size=series).astype(dtype),
        rng.normal(size=(steps, series)).astype(dtype),
    )


def filter_by_hand(decay, log_noise, log_error, observed):
    noise, error = np.exp(log_noise), np.exp(log_error)
    mean, variance = np.zeros_like(decay), np.ones_like(decay)
    cost = 0.0
    for y in observed:
        mean, variance = decay * mean, decay**2 * variance + noise
        total = variance + error
        apart = y - mean
        cost += 0.5 * np.sum(np.log(total) + apart**2 / total)
        gain = variance / total
        mean, variance = mean + gain * apart, (1.0 - gain) * variance
    return cost


def filter_jax(jnp):
    """The likelihood of observations by filters of Kalman, one for each series."""
    import jax

    def loss(decay, log_noise, log_error, observed):
        noise, error = jnp.exp(log_noise), jnp.exp(log_error)

        def step(state, y):
            mean, variance = state
            mean, variance = decay * mean, decay**2 * variance + noise
            total = variance + error
            apart = y - mean
            gain = variance / total
            cost = 0.5 * jnp.sum(jnp.log(total) + apart**2 / total)
            return (mean + gain * apart, (1.0 - gain) * variance), cost

        _, costs = jax.lax.scan(step, (jnp.zeros_like(decay), jnp.ones_like(decay)), observed)
        return jnp.sum(costs)

    return loss


def regression_data(size, dtype, rng):
    points, features = size
    return (
        rng.normal(size=features).astype(dtype),
        rng.normal(size=(points, features)).astype(dtype),
        rng.normal(size=points).astype(dtype),
    )


def regression_by_hand(log_scales, x, y):
    scaled = x * np.exp(log_scales)

    def error(i):
        weights = tl.exp(-np.sum((scaled - scaled[i]) ** 2, axis=1))
        others = np.sum(weights) - 1.0
        return ((np.dot(weights, y) - y[i]) / (others + 1e-6) - y[i]) ** 2

    return np.mean(tl.map(error, np.arange(len(y))))


def regression_jax(jnp):
    """Every point from the others, weighted by a kernel of Gauss of their distances, as scales of the features."""

    def loss(log_scales, x, y):
        scaled = x * jnp.exp(log_scales)
        squares = jnp.sum((scaled[:, None] - scaled[None, :]) ** 2, axis=-1)
        weights = jnp.exp(-squares) * (1.0 - jnp.eye(len(x), dtype=x.dtype))
        return jnp.mean((weights @ y / (jnp.sum(weights, axis=1) + 1e-6) - y) ** 2)

    return loss


PROGRAMS = (
    Program(
        name="filters of Kalman",
        field="",
        sizes={"small": (4, 10), "middle": (64, 200), "large": (4096, 500)},
        data=filter_data,
        spellings={"imported": FROM_JAX, "by hand": filter_by_hand},
        jax=filter_jax,
        wrt=(0, 1, 2),
    ),
    Program(
        name="kernel regression",
        field="",
        sizes={"small": (10, 2), "middle": (300, 3), "large": (2000, 5)},
        data=regression_data,
        spellings={"imported": FROM_JAX, "by hand": regression_by_hand},
        jax=regression_jax,
    ),
)
