"""The objectives in JAX, with the same arguments; every function here gives a value and its derivative."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import redundant_jax
from jax import Array

jax.config.update("jax_enable_x64", True)
# Waiting for another thread would only add to the time of a single core.
jax.config.update("jax_cpu_enable_async_dispatch", False)

FINGERS = np.arange(5)


def rotated(r: Array, y: Array) -> Array:
    square = jnp.sum(r * r)
    angle = jnp.sqrt(jnp.where(square == 0.0, 1.0, square))
    axis = r / angle
    turned = y * jnp.cos(angle) + jnp.cross(axis, y) * jnp.sin(angle) + axis * (axis @ y) * (1.0 - jnp.cos(angle))
    return jnp.where(square == 0.0, y + jnp.cross(r, y), turned)


def reprojection(camera: Array, point: Array, weight: Array, feature: Array) -> Array:
    seen = rotated(camera[:3], point - camera[3:6])
    flat = seen[:2] / seen[2]
    square = jnp.sum(flat * flat)
    distortion = 1.0 + camera[9] * square + camera[10] * square * square
    return weight * (camera[6] * distortion * flat + camera[7:9] - feature)


def ba(cameras: Array, points: Array, weights: Array, features: Array, camera_of: Array, point_of: Array) -> Any:
    errors = jax.vmap(reprojection)(cameras[camera_of], points[point_of], weights, features)
    return errors, 1.0 - weights * weights


def ba_blocks(cameras: Array, points: Array, weights: Array, features: Array, camera_of: Array, point_of: Array) -> Any:
    """Two cotangents for all observations at once."""

    def errors(cameras: Array, points: Array, weights: Array) -> Array:
        return jax.vmap(reprojection)(cameras, points, weights, features)

    _, pullback = jax.vjp(errors, cameras[camera_of], points[point_of], weights)
    rows = []
    for k in range(2):
        by_camera, by_point, by_weight = pullback(jnp.zeros_like(features).at[:, k].set(1.0))
        rows.append(jnp.concatenate((by_camera, by_point, by_weight[:, None]), axis=1))
    return jnp.stack(rows, axis=1), -2.0 * weights


def bone_rotations(x_angles: Array, z_angles: Array) -> Array:
    cx, sx, cz, sz = jnp.cos(x_angles), jnp.sin(x_angles), jnp.cos(z_angles), jnp.sin(z_angles)
    zero, one = jnp.zeros_like(cx), jnp.ones_like(cx)
    rows = (
        (cz, -sz * cx, sz * sx, zero),
        (sz, cz * cx, -cz * sx, zero),
        (zero, sx, cx, zero),
        (zero, zero, zero, one),
    )
    return jnp.stack([jnp.stack(row, axis=-1) for row in rows], axis=-2)


def global_rotation(r: Array) -> Array:
    square = r @ r
    is_small = square < 1e-8
    angle = jnp.sqrt(jnp.where(is_small, 1.0, square))
    axis = r / angle
    skew = jnp.cross(jnp.eye(3), axis)
    turn = jnp.cos(angle) * jnp.eye(3) + (1.0 - jnp.cos(angle)) * jnp.outer(axis, axis) - jnp.sin(angle) * skew
    return jnp.where(is_small, jnp.eye(3), turn.T)


def hand_vertices(
    parents: tuple[int, ...], theta: Array, relatives: Array, inverses: Array, vertices: Array, shares: Array
) -> Array:
    x_angles, z_angles = jnp.zeros(22), jnp.zeros(22)
    x_angles = x_angles.at[2 + 4 * FINGERS].set(theta[6::4]).at[3 + 4 * FINGERS].set(theta[8::4])
    x_angles = x_angles.at[4 + 4 * FINGERS].set(theta[9::4])
    z_angles = z_angles.at[2 + 4 * FINGERS].set(theta[7::4])
    own = relatives @ bone_rotations(x_angles, z_angles)
    absolutes: list[Array] = []
    for b, parent in enumerate(parents):
        absolutes.append(own[b] if parent < 0 else absolutes[parent] @ own[b])
    transforms = jnp.stack(absolutes) @ inverses
    placed = jnp.einsum("vb,bij,vj->vi", shares, transforms[:, :3], vertices, optimize="optimal")
    return placed @ global_rotation(theta[:3]).T + theta[3:6]


def hand(parents: tuple[int, ...], theta: Array, *model: Array) -> Array:
    *bones, seen, vertex_of = model
    return seen - hand_vertices(parents, theta, *bones)[vertex_of]


def hand_in_triangles(parents: tuple[int, ...], theta: Array, places: Array, *model: Array) -> Array:
    *bones, seen, triangles, triangle_of = model
    corners = hand_vertices(parents, theta, *bones)[triangles[triangle_of]]
    shares = jnp.concatenate((places, 1.0 - jnp.sum(places, axis=1, keepdims=True)), axis=1)
    return seen - jnp.einsum("nc,nci->ni", shares, corners)


def hand_in_triangles_jacobian(parents: tuple[int, ...], theta: Array, places: Array, *model: Array) -> Array:
    columns = []
    for k in range(2):
        direction = jnp.zeros_like(places).at[:, k].set(1.0)
        columns.append(
            jax.jvp(lambda places: hand_in_triangles(parents, theta, places, *model), (places,), (direction,))[1]
        )
    by_theta = jax.jacfwd(partial(hand_in_triangles, parents))(theta, places, *model)
    return jnp.concatenate((jnp.stack(columns, axis=2), by_theta), axis=2)


def _of_hand(function: Callable[..., Any], position: int) -> Callable[..., Any]:
    """The parents of bones, an argument, are known when it is compiled: the loop over bones is unrolled."""

    def of(*arguments: Any) -> Any:
        *before, parents = arguments[: position + 1]
        known = tuple(int(each) for each in parents)
        return partial(function, known), (*before, *arguments[position + 1 :])

    return of


def _plain(function: Callable[..., Any]) -> Callable[..., Any]:
    return lambda *arguments: (function, arguments)


def _gmm(kind: Callable[[Callable[..., Any]], Callable[..., Any]]) -> Callable[..., Any]:
    return lambda *arguments: (kind(lambda *parts: redundant_jax.gmm(*parts, arguments[-1])), arguments[:-1])


OBJECTIVES = {
    "gmm": _gmm(lambda f: f),
    "ba": _plain(ba),
    "hand": _of_hand(hand, 1),
    "hand_in_triangles": _of_hand(hand_in_triangles, 2),
    "lstm": _plain(redundant_jax.lstm),
}
DERIVATIVES = {
    "gmm": _gmm(lambda f: jax.value_and_grad(f, argnums=(0, 1, 2))),
    "ba": _plain(ba_blocks),
    "hand": _of_hand(lambda *arguments: jax.jacfwd(partial(hand, arguments[0]))(*arguments[1:]), 1),
    "hand_in_triangles": _of_hand(hand_in_triangles_jacobian, 2),
    "lstm": _plain(jax.value_and_grad(redundant_jax.lstm, argnums=(0, 1))),
}


def contestant(table: dict[str, Callable[..., Any]], name: str, arguments: tuple[Any, ...]) -> Callable[[], Any]:
    """A jitted function of the tables on arrays that JAX already holds."""
    function, given = table[name](*arguments)
    jitted, held = jax.jit(function), jax.tree.map(jnp.asarray, given)
    return lambda: jax.block_until_ready(jitted(*held))
