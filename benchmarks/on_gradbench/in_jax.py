"""The problems in JAX, where they are natural there: jitted, on arrays that JAX already holds."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp

# Waiting for another thread would only add to the time of a single core.
jax.config.update("jax_cpu_enable_async_dispatch", False)
jax.config.update("jax_enable_x64", True)
Program = Callable[..., Any]


def log_sum_exp(x: jax.Array, axis: int | None = None) -> jax.Array:
    largest = jnp.max(x, axis=axis, keepdims=True)
    return jnp.squeeze(largest, axis) + jnp.log(jnp.sum(jnp.exp(x - largest), axis=axis))


def llsq(x: jax.Array, n: int) -> jax.Array:
    t = -1 + 2 * jnp.arange(n) / (n - 1)
    powers = jnp.cumprod(jnp.where(jnp.arange(len(x)) == 0, 1.0, t[:, None]), axis=1)
    return 0.5 * jnp.sum((jnp.sign(t) - powers @ x) ** 2)


def gmm(alpha: Any, mu: Any, q: Any, below: Any, x: Any, m: int, gamma: float) -> jax.Array:
    (k, d), n = q.shape, len(x)
    nu, (column, row) = d + m + 1, jnp.triu_indices(d, 1)
    factors = jnp.zeros((k, d, d)).at[:, row, column].set(below) + jax.vmap(jnp.diag)(jnp.exp(q))
    scaled = jnp.einsum("kij,nkj->nki", factors, x[:, None] - mu)
    beta = alpha + jnp.sum(q, axis=1) - 0.5 * jnp.sum(scaled**2, axis=2)
    likelihood = jnp.sum(log_sum_exp(beta, 1)) - n * (d / 2 * math.log(2 * math.pi) + log_sum_exp(alpha))
    log_gamma = d * (d - 1) / 4 * math.log(math.pi) + sum(math.lgamma((nu - j) / 2) for j in range(d))
    squares = jnp.sum(jnp.exp(q) ** 2) + jnp.sum(below**2)
    constant = k * (nu * d * jnp.log(gamma / math.sqrt(2)) - log_gamma)
    return likelihood + constant + m * jnp.sum(q) - 0.5 * gamma**2 * squares


def turned(r: jax.Array, v: jax.Array) -> jax.Array:
    square = jnp.sum(r * r)
    angle = jnp.sqrt(jnp.where(square == 0, 1.0, square))
    axis = r / angle
    along = axis * (axis @ v) * (1 - jnp.cos(angle))
    rotated = v * jnp.cos(angle) + jnp.cross(axis, v) * jnp.sin(angle) + along
    return jnp.where(square == 0, v + jnp.cross(r, v), rotated)


def seen_error(camera: Any, point: Any, weight: Any, feature: Any) -> jax.Array:
    y = turned(camera[:3], point - camera[3:6])
    z = y[:2] / y[2]
    s = z @ z
    return weight * (camera[6] * z * (1 + camera[9] * s + camera[10] * s * s) + camera[7:9] - feature)


def observations(cameras: Any, points: Any, weights: Any, features: Any) -> tuple[jax.Array, ...]:
    i = jnp.arange(len(weights))
    return cameras[i % len(cameras)], points[i % len(points)], weights, features


def ba(cameras: Any, points: Any, weights: Any, features: Any) -> tuple[jax.Array, jax.Array]:
    return jax.vmap(seen_error)(*observations(cameras, points, weights, features)), 1 - weights**2


def ba_jacobian(cameras: Any, points: Any, weights: Any, features: Any) -> tuple[jax.Array, ...]:
    n, m, p = len(cameras), len(points), len(weights)
    i = jnp.arange(p)[:, None]
    blocks = jax.vmap(jax.jacrev(seen_error, (0, 1, 2)))(*observations(cameras, points, weights, features))
    values = jnp.concatenate((blocks[0], blocks[1], blocks[2][:, :, None]), axis=2)
    columns = [11 * (i % n) + jnp.arange(11), 11 * n + 3 * (i % m) + jnp.arange(3), 11 * n + 3 * m + i]
    row = jnp.concatenate(columns, axis=1)
    cols = jnp.concatenate((jnp.stack((row, row), axis=1).ravel(), 11 * n + 3 * m + i[:, 0]))
    rows = jnp.concatenate((15 * jnp.arange(2 * p), 30 * p + jnp.arange(p + 1)))
    return rows, cols, jnp.concatenate((values.ravel(), jax.vmap(jax.grad(lambda w: 1 - w**2))(weights)))


def lstm(main: Any, extra: Any, state: Any, text: Any) -> jax.Array:
    def step(carry: Any, now_and_next: Any) -> Any:
        (hidden, cell), (now, later) = carry, now_and_next
        a, new_hidden, new_cell = now * extra[0], [], []
        for j in range(len(hidden)):
            w, b, h = main[2 * j], main[2 * j + 1], hidden[j]
            forget, outgate = jax.nn.sigmoid(a * w[0] + b[0]), jax.nn.sigmoid(a * w[2] + b[2])
            g = cell[j] * forget + jax.nn.sigmoid(h * w[1] + b[1]) * jnp.tanh(h * w[3] + b[3])
            a = outgate * jnp.tanh(g)
            new_hidden.append(a)
            new_cell.append(g)
        y = a * extra[1] + extra[2]
        loss = jnp.sum(later * (y - jnp.log(2 + jnp.sum(jnp.exp(y)))))
        return (jnp.stack(new_hidden), jnp.stack(new_cell)), loss

    _, losses = jax.lax.scan(step, (state[::2], state[1::2]), (text[:-1], text[1:]))
    return -jnp.sum(losses) / text[1:].size


def kmeans(points: Any, centroids: Any) -> jax.Array:
    return jnp.sum(jnp.min(jnp.sum((points[:, None] - centroids) ** 2, axis=2), axis=1))


def newton_direction(points: Any, centroids: Any) -> jax.Array:
    gradient = jax.grad(partial(kmeans, points))
    slope, diagonal = jax.jvp(gradient, (centroids,), (jnp.ones_like(centroids),))
    return slope / diagonal


def ode(x: jax.Array, s: int) -> jax.Array:
    def slope(y: Any) -> Any:
        return jnp.concatenate((x[:1], x[1:] * y[:-1]))

    def step(y: Any, _: Any) -> Any:
        k1 = slope(y)
        k2 = slope(y + h / 2 * k1)
        k3 = slope(y + h / 2 * k2)
        return y + h / 6 * (k1 + 2 * k2 + 2 * k3 + slope(y + h * k3)), None

    h = 2 / s
    return jax.lax.scan(step, jnp.zeros_like(x), length=s)[0]


PROGRAMS: dict[tuple[str, str], Program] = {
    ("llsq", "primal"): llsq,
    ("llsq", "gradient"): jax.grad(llsq),
    ("lse", "primal"): log_sum_exp,
    ("lse", "gradient"): jax.grad(log_sum_exp),
    ("gmm", "objective"): gmm,
    ("gmm", "jacobian"): jax.grad(gmm, (0, 1, 2, 3)),
    ("ba", "objective"): ba,
    ("ba", "jacobian"): ba_jacobian,
    ("lstm", "objective"): lstm,
    ("lstm", "jacobian"): jax.grad(lstm, (0, 1)),
    ("kmeans", "cost"): kmeans,
    ("kmeans", "dir"): newton_direction,
    ("ode", "primal"): ode,
    ("ode", "gradient"): jax.grad(lambda x, s: ode(x, s)[-1]),
}


def contestant(problem: str, function: str, arguments: tuple[Any, ...]) -> Callable[[], Any] | None:
    """The program on these arguments, or None; whole numbers are known when it is compiled."""
    if (problem, function) not in PROGRAMS:
        return None
    static = tuple(k for k, value in enumerate(arguments) if isinstance(value, int))
    jitted = jax.jit(PROGRAMS[problem, function], static_argnums=static)
    placed = [value if k in static else jax.device_put(value) for k, value in enumerate(arguments)]
    return lambda: jax.block_until_ready(jitted(*placed))
