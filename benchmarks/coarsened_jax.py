"""The programs of the benchmark of symbolic segments in JAX, with the same arguments."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp
from coarsened_programs import BONES, GRAVITY, POLE_LENGTH, POLE_MASS, SAFE, TIME_STEP, TOTAL_MASS
from jax import lax


def bgd_hyper_opt(rate: Any, x: Any, y: Any, most: int) -> Any:
    """Reverse mode needs a fixed number of steps: those after the end do nothing."""

    def step(state: Any, _: Any) -> Any:
        w, is_done = state
        slope = jnp.sum(2.0 * x * (y - x * w)) / len(x)
        is_done = is_done | (jnp.abs(slope) < 1e-12)
        return (jnp.where(is_done, w, w + rate * slope), is_done), None

    (w, _), _ = lax.scan(step, (0.0, False), length=most)
    return jnp.sqrt(jnp.sum((y - x * w) ** 2)) / len(x)


def brachistochrone(heights: Any, width: Any) -> Any:
    dx = width / (len(heights) - 1)
    length = jnp.sqrt(dx**2 + (heights[1:] - heights[:-1]) ** 2)
    speed = jnp.sqrt(2.0 * GRAVITY * (1.0 - heights))
    return jnp.sum(2.0 * length / (speed[:-1] + speed[1:]))


def cartpole(forces: Any, start: Any) -> Any:
    def step(state: Any, push: Any) -> Any:
        _, speed, angle, turn = state
        push = jnp.clip(push, -10.0, 10.0)
        c, s = jnp.cos(angle), jnp.sin(angle)
        pull = (push + POLE_MASS * POLE_LENGTH * turn**2 * s) / TOTAL_MASS
        twist = (GRAVITY * s - c * pull) / (POLE_LENGTH * (4.0 / 3.0 - POLE_MASS * c**2 / TOTAL_MASS))
        drive = pull - POLE_MASS * POLE_LENGTH * twist * c / TOTAL_MASS
        rates = (speed, drive, turn, twist)
        return tuple(value + TIME_STEP * rate for value, rate in zip(state, rates, strict=True)), None

    state, _ = lax.scan(step, tuple(start), forces)
    return sum(value**2 for value in state)


def logistic_posterior(w: Any, x: Any, y: Any) -> Any:
    z = x @ w
    safe = jnp.where(z > SAFE, 0.0, z)
    terms = jnp.where(z > SAFE, z, jnp.log(1.0 + jnp.exp(safe)))
    return jnp.sum(terms - y * z) + jnp.sum(0.5 * w**2 / 10.0)


def hookean_spring(points: Any, stiffness: Any, rest: Any) -> Any:
    along = points[:-1] - points[1:]
    stretch = jnp.sqrt(along[:, 0] ** 2 + along[:, 1] ** 2) - rest
    return jnp.sum(0.5 * stiffness * stretch**2)


def walker(angles: Any, torques: Any, stiffness: Any) -> Any:
    turned = jnp.cumsum(angles)
    x, ys = jnp.sum(jnp.cos(turned)), jnp.cumsum(jnp.sin(turned))
    lowest = jnp.minimum(jnp.min(ys), 0.0)
    off = torques - jnp.sum(torques / BONES)
    spread = jnp.sum(jnp.where(off > 0.0, off**2, 0.5 * off**2))
    bend = jnp.sum(stiffness * (angles[1:] - angles[:-1]) ** 2)
    energy = jnp.sum(torques * angles + 0.5 * stiffness * angles**2)
    slips = torques * angles < 0.0
    friction = jnp.sum(jnp.where(slips, jnp.exp(-(torques**2)), torques**2 / (1.0 + torques**2)))
    return jnp.sqrt(x**2 + ys[-1] ** 2 + 1.0) + (ys[-1] - lowest) ** 2 + spread + bend + energy + friction


def affine_loop(a: Any, b: Any, p: Any, n: int) -> Any:
    return jnp.sum(lax.scan(lambda d, _: (a * d + b, None), p, length=n)[0])


def lennard_jones(points: Any) -> Any:
    i, j = jnp.tril_indices(len(points), -1)
    r = jnp.sqrt(jnp.sum((points[i] - points[j]) ** 2, axis=1))
    return jnp.sum(4.0 * ((1.0 / r) ** 12 - (1.0 / r) ** 6))
