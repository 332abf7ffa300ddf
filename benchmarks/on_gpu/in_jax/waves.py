"""The wave in a box; its gradient keeps the square root of the number of states."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
from jax import Array, lax

from on_gpu.strips import divisor_near_root

Levels = tuple[Array, Array]


def advanced(levels: Levels, speed: Any) -> Levels:
    u, before = levels
    c = (slice(1, -1),) * 3
    around = sum(jnp.roll(u, shift, axis)[c] for axis in range(3) for shift in (1, -1))
    return before.at[c].set(2 * u[c] - before[c] + speed * (around - 6 * u[c])), u


def wave(u: Array, before: Array, speed: Any, steps: int) -> Array:
    final, _ = lax.fori_loop(0, steps, lambda _, levels: advanced(levels, speed), (u, before))
    return jnp.sum(final**2)


def wave_in_strips(u: Array, before: Array, speed: Any, steps: int) -> Array:
    inner = divisor_near_root(steps)
    once = jax.checkpoint(lambda levels, speed: advanced(levels, speed))

    @jax.checkpoint
    def several(levels: Levels, speed: Any) -> Levels:
        return lax.scan(lambda levels, _: (once(levels, speed), None), levels, None, length=inner)[0]

    (final, _), _ = lax.scan(lambda levels, _: (several(levels, speed), None), (u, before), None, steps // inner)
    return jnp.sum(final**2)


FUNCTIONS: dict[str, Callable[..., Any]] = {"wave": wave, "wave gradient": jax.grad(wave_in_strips)}
