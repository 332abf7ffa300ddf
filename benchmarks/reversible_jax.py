"""The programs of the reversible benchmark in JAX, with the same arguments; with and without checkpoints."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
from jax import lax

SOFTENING = 1e-2


def attraction(q: Any, mass: Any) -> Any:
    away = q[None, :, :] - q[:, None, :]
    squared = jnp.sum(away * away, axis=2) + SOFTENING
    return jnp.einsum("ij,ijk->ik", mass[None, :] / (squared * jnp.sqrt(squared)), away)


def leapfrog(repeat: Callable[..., Any], q: Any, p: Any, mass: Any, dt: Any, steps: int) -> Any:
    def step(state: Any) -> Any:
        q, p = state
        p = p + dt * attraction(q, mass)
        return q + dt * p, p

    q, _ = repeat(step, (q, p), steps)
    return jnp.sum(q * q)


def wave_1d(repeat: Callable[..., Any], before: Any, u: Any, speed: Any, steps: int) -> Any:
    def step(state: Any) -> Any:
        before, u = state
        after = 2.0 * u - before
        return u, after.at[1:-1].add(speed[1:-1] * (u[2:] - 2.0 * u[1:-1] + u[:-2]))

    _, u = repeat(step, (before, u), steps)
    return jnp.sum(u * u)


def wave_2d(repeat: Callable[..., Any], before: Any, u: Any, speed: Any, steps: int) -> Any:
    def step(state: Any) -> Any:
        before, u = state
        inner = u[2:, 1:-1] + u[:-2, 1:-1] + u[1:-1, 2:] + u[1:-1, :-2] - 4.0 * u[1:-1, 1:-1]
        return u, (2.0 * u - before).at[1:-1, 1:-1].add(speed[1:-1, 1:-1] * inner)

    _, u = repeat(step, (before, u), steps)
    return jnp.sum(u * u)


def scanned(step: Callable[[Any], Any], state: Any, steps: int) -> Any:
    """Some steps; what a gradient needs of each is stored."""
    return lax.scan(lambda carried, _: (step(carried), None), state, None, length=steps)[0]


def checkpointed(step: Callable[[Any], Any], state: Any, steps: int) -> Any:
    """Some steps in about as many blocks as a block has steps; only the states between blocks are stored."""
    length = max(k for k in range(1, math.isqrt(steps) + 1) if steps % k == 0)
    block = jax.checkpoint(partial(scanned, step, steps=length))
    return scanned(block, state, steps // length)


PROGRAMS = {"leapfrog": leapfrog, "wave_1d": wave_1d, "wave_2d": wave_2d}
REPEATS = {"jax": scanned, "jax.checkpoint": checkpointed}
