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


def wave_3d(repeat: Callable[..., Any], before: Any, u: Any, speed: Any, steps: int) -> Any:
    return absorbed_wave_3d(repeat, before, u, speed, 0.0, steps)


def rotations(repeat: Callable[..., Any], a: Any, b: Any, angles: Any, steps: int) -> Any:
    cos, sin = jnp.cos(angles), jnp.sin(angles)

    def step(state: Any) -> Any:
        a, b = state
        return sin * a + cos * b, (cos * a - sin * b)[::-1]

    a, _ = repeat(step, (a, b), steps)
    return jnp.sum(a * a * a)


def absorbed_wave_3d(repeat: Callable[..., Any], before: Any, u: Any, speed: Any, damping: Any, steps: int) -> Any:
    inside = (slice(1, -1),) * 3

    def step(state: Any) -> Any:
        before, u = state
        around = u[2:, 1:-1, 1:-1] + u[:-2, 1:-1, 1:-1] + u[1:-1, 2:, 1:-1] + u[1:-1, :-2, 1:-1]
        around = around + u[1:-1, 1:-1, 2:] + u[1:-1, 1:-1, :-2] - 6.0 * u[inside]
        return u, ((2.0 - damping) * u - (1.0 - damping) * before).at[inside].add(speed[inside] * around)

    _, u = repeat(step, (before, u), steps)
    return jnp.sum(u * u)


def lorenz(repeat: Callable[..., Any], s: Any, p: Any, dt: Any, steps: int) -> Any:
    def convection(s: Any) -> Any:
        return jnp.stack((p[0] * (s[1] - s[0]), s[0] * (p[1] - s[2]) - s[1], s[0] * s[1] - p[2] * s[2]))

    def step(s: Any) -> Any:
        k1 = convection(s)
        k2 = convection(s + 0.5 * dt * k1)
        k3 = convection(s + 0.5 * dt * k2)
        k4 = convection(s + dt * k3)
        return s + dt / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4)

    s = repeat(step, s, steps)
    return jnp.sum(s * s)


def scanned(step: Callable[[Any], Any], state: Any, steps: int) -> Any:
    """Some steps; what a gradient needs of each is stored."""
    return lax.scan(lambda carried, _: (step(carried), None), state, None, length=steps)[0]


def checkpointed(step: Callable[[Any], Any], state: Any, steps: int) -> Any:
    """Some steps in about as many blocks as a block has steps; only the states between blocks are stored."""
    length = max(k for k in range(1, math.isqrt(steps) + 1) if steps % k == 0)
    block = jax.checkpoint(partial(scanned, step, steps=length))
    return scanned(block, state, steps // length)


PROGRAMS = {
    "leapfrog": leapfrog,
    "wave_1d": wave_1d,
    "wave_2d": wave_2d,
    "wave_3d": wave_3d,
    "wave_2d_large": wave_2d,
    "wave_3d_large": wave_3d,
    "rotations": rotations,
    "absorbed_wave_3d": absorbed_wave_3d,
    "lorenz": lorenz,
}
REPEATS = {"jax": scanned, "jax.checkpoint": checkpointed}
