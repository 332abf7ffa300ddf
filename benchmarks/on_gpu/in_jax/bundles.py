"""Bundle adjustment."""

from __future__ import annotations

import jax
import jax.numpy as jnp
from jax import Array


def rotated(rotation: Array, x: Array) -> Array:
    square = jnp.sum(rotation * rotation)
    angle = jnp.sqrt(jnp.where(square > 0, square, 1.0))
    w = rotation / angle
    cosine, sine = jnp.cos(angle), jnp.sin(angle)
    turned = x * cosine + jnp.cross(w, x) * sine + w * jnp.dot(w, x) * (1.0 - cosine)
    return jnp.where(square > 0, turned, x + jnp.cross(rotation, x))


def reprojection(p: Array, feature: Array) -> Array:
    seen = rotated(p[:3], p[11:14] - p[3:6])
    flat = seen[:2] / seen[2]
    square = jnp.sum(flat * flat)
    distortion = 1.0 + p[9] * square + p[10] * square * square
    return p[14] * (p[6] * distortion * flat + p[7:9] - feature)


def parameters(cameras: Array, points: Array, weights: Array, camera: Array, point: Array) -> Array:
    """The fifteen numbers on which each observation depends."""
    return jnp.concatenate((cameras[camera], points[point], weights[:, None]), axis=1)


def errors(*arguments: Array) -> Array:
    return jax.vmap(reprojection)(parameters(*arguments[:5]), arguments[5])


def jacobians(*arguments: Array) -> Array:
    return jax.vmap(jax.jacrev(reprojection))(parameters(*arguments[:5]), arguments[5])


FUNCTIONS = {"bundle": errors, "bundle jacobian": jacobians}
