"""The lattice-Boltzmann flow; gradients keep the state of each step, or of every tenth, and compute the rest again."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
from jax import Array, lax

from on_gpu.lattice import DIRECTIONS, OPPOSITES, SHARES, sources
from on_gpu.strips import divisor_near_root


def step(f: Array, solid: Array, omega: Any) -> Array:
    pulled = [f[k][source] for k, source in enumerate(sources(f.shape[1:]))]
    rho = sum(pulled)
    velocity = [sum(d[axis] * p for d, p in zip(DIRECTIONS, pulled, strict=True) if d[axis]) / rho for axis in range(3)]
    energy = sum(part * part for part in velocity)
    inside = solid[1:-1, 1:-1, 1:-1]
    after = []
    for p, direction, share, opposite in zip(pulled, DIRECTIONS, SHARES, OPPOSITES, strict=True):
        along = sum((c * part for c, part in zip(direction, velocity, strict=True) if c), 0.0)
        equilibrium = share * rho * (1 + along * (3 + 4.5 * along) - 1.5 * energy)
        after.append(jnp.where(inside, pulled[opposite], p + omega * (equilibrium - p)))
    return f.at[:, 1:-1, 1:-1, 1:-1].set(jnp.stack(after))


def steps_of(f: Array, solid: Array, omega: Any, steps: int) -> Array:
    once = jax.checkpoint(partial(step, solid=solid, omega=omega))
    return lax.scan(lambda f, _: (once(f), None), f, None, length=steps)[0]


def flow(f: Array, solid: Array, omega: Any, weights: Array, steps: int) -> Array:
    return jnp.sum(weights * steps_of(f, solid, omega, steps))


def flow_in_strips(f: Array, solid: Array, omega: Any, weights: Array, steps: int) -> Array:
    inner = divisor_near_root(steps)
    several = jax.checkpoint(lambda f: steps_of(f, solid, omega, inner))
    final, _ = lax.scan(lambda f, _: (several(f), None), f, None, length=steps // inner)
    return jnp.sum(weights * final)


FUNCTIONS: dict[str, Callable[..., Any]] = {
    "flow": flow,
    "flow gradient": jax.grad(flow),
    "flow gradient, few states": jax.grad(flow_in_strips),
}
