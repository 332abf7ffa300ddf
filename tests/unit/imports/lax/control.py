"""Loops, branches, and functions that say how they are differentiated."""

from __future__ import annotations

import jax
import jax.numpy as jnp
from jax import lax

from unit.imports.lax.rows import ALL, FLOATS, NUMBERS, Row


@jax.custom_jvp
def own_tangent(x):
    return x * x


own_tangent.defjvp(lambda primals, tangents: (own_tangent(*primals), 100 * tangents[0]))


@jax.custom_vjp
def own_adjoint(x):
    return x * x


own_adjoint.defvjp(lambda x: (x * x, x), lambda x, bar: (50 * x * bar,))


def scanned(x, y):
    def step(carried, row):
        carried = carried * row + row
        return carried, carried - row

    return list(lax.scan(step, y[0], x, reverse=True))


def until(x, y):
    def body(state):
        k, value = state
        return k + 1, value + value * y

    return lax.while_loop(lambda state: state[0] < 3, body, (jnp.int32(0), x))[1]


def half(v):
    return v / 2 if jnp.issubdtype(v.dtype, jnp.floating) else v // 2


def halved(x, y):
    """A loop that ends by its values, which JAX differentiates forward only."""
    return lax.while_loop(lambda v: v[0, 1] > 5, half, x + x)


def solved(x, y):
    def divide(_, right):
        return right / (1 + x)

    return lax.custom_linear_solve(lambda v: v * (1 + x), y, divide, divide)


def root(x, y):
    def solve(_, guess):
        return jnp.sqrt(x) + 0 * guess

    return lax.custom_root(lambda z: z * z - x, x, solve, lambda slope, right: right / slope(jnp.ones_like(right)))


ROWS = [
    Row("cond", lambda x, y: lax.cond(x[0, 0] > y[0, 0], lambda v: v * v, lambda v: v + v, x), NUMBERS),
    Row("switch", lambda x, y: lax.switch(7, [lambda v: v, lambda v: v * v, lambda v: v + v], x), NUMBERS),
    Row("fori_loop", lambda x, y: lax.fori_loop(0, 3, lambda k, v: v * y[k] + x[k], x[0]), NUMBERS),
    Row("while_loop", until, NUMBERS),
    Row("while_loop", halved, NUMBERS, inside=(2.0, 9.0)),
    Row("scan", scanned, NUMBERS),
    Row("map", lambda x, y: lax.map(lambda row: row * row[0], x), NUMBERS),
    Row("stop_gradient", lambda x, y: lax.stop_gradient(x) * x, NUMBERS),
    Row("custom_jvp_call", lambda x, y: own_tangent(x), FLOATS),
    Row("custom_vjp_call", lambda x, y: own_adjoint(x), FLOATS),
    Row("checkpoint", lambda x, y: jax.checkpoint(lambda v: jnp.sin(v) * v)(x), FLOATS),
    Row("jit", lambda x, y: jax.jit(lambda v: v + v)(x), ALL[1:]),
    Row("custom_linear_solve", solved, FLOATS),
    Row("custom_root", root, FLOATS, inside=(0.5, 2.0)),
    Row("optimization_barrier", lambda x, y: lax.optimization_barrier(x), ALL),
    Row("platform_dependent", lambda x, y: lax.platform_dependent(x, default=lambda v: v + v), NUMBERS),
    Row(
        "composite",
        lambda x, y: lax.composite(lambda v: v + v, name="their.double")(x),
        NUMBERS,
        twin=lambda x, y: x + x,
    ),
]
