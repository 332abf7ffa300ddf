"""Loops: recurrent networks, differential equations, iterations to a fixed point, dynamic programming."""

from __future__ import annotations

import jax
import jax.numpy as jnp
from jax import lax

from unit.imports.jax_programs import Program, labels, normal, uniform


def lstm(params, xs, y):
    def step(state, x):
        h, c = state
        gates = x @ params["wx"] + h @ params["wh"] + params["b"]
        i, f, g, o = jnp.split(gates, 4)
        c = jax.nn.sigmoid(f + 1.0) * c + jax.nn.sigmoid(i) * jnp.tanh(g)
        h = jax.nn.sigmoid(o) * jnp.tanh(c)
        return (h, c), h

    start = jnp.zeros(y.shape[-1])
    _, hs = lax.scan(step, (start, start), xs)
    return jnp.mean((hs - y) ** 2)


def gru(params, xs):
    def step(h, x):
        z = jax.nn.sigmoid(params["z"] @ jnp.concatenate([x, h]))
        r = jax.nn.sigmoid(params["r"] @ jnp.concatenate([x, h]))
        new = jnp.tanh(params["n"] @ jnp.concatenate([x, r * h]))
        return (1 - z) * h + z * new, None

    h, _ = lax.scan(step, jnp.zeros(3), xs)
    return jnp.sum(h**2)


def backwards_scan(params, xs):
    def step(carry, x):
        carry = params["decay"] * carry + x
        return carry, jnp.sin(carry)

    last, ys = lax.scan(step, 0.0, xs, reverse=True)
    return last + jnp.sum(ys * params["w"])


def pendulum(params, times):
    """Runge-Kutta with a fixed number of steps."""

    def slope(state):
        angle, speed = state
        return jnp.array([speed, -params["g"] * jnp.sin(angle) - params["friction"] * speed])

    def step(_, state):
        k1 = slope(state)
        k2 = slope(state + 0.05 * k1)
        return state + 0.1 * k2

    end = lax.fori_loop(0, 20, step, jnp.array([params["angle"], 0.0]))
    return jnp.sum((end - times) ** 2)


def decay_until(params):
    """A while loop, through which JAX itself does not go in reverse."""

    def more(state):
        return state[0] > 0.5

    def step(state):
        x, total = state
        x = x * jnp.exp(-params["rate"])
        return x, total + x**2

    return lax.while_loop(more, step, (params["start"], 0.0))[1]


def newton_root(params):
    """A square root by Newton's method, until it no longer changes."""

    def more(state):
        x, before = state
        return jnp.abs(x - before) > 1e-10

    def step(state):
        x, _ = state
        return 0.5 * (x + params["a"] / x), x

    return lax.while_loop(more, step, (params["a"], 0.0))[0] ** 3


def sinkhorn(params, a, b):
    cost = (params["x"][:, None] - params["y"][None, :]) ** 2

    def step(carry, _):
        f, g = carry
        f = -0.5 * jax.nn.logsumexp((g - cost) / 0.5 + jnp.log(b), axis=1)
        g = -0.5 * jax.nn.logsumexp((f[:, None] - cost) / 0.5 + jnp.log(a)[:, None], axis=0)
        return (f, g), None

    (f, g), _ = lax.scan(step, (jnp.zeros(len(a)), jnp.zeros(len(b))), None, length=8)
    return jnp.dot(a, f) + jnp.dot(b, g)


def hidden_markov(params, observed):
    transitions = jax.nn.log_softmax(params["transitions"], axis=1)
    emissions = jax.nn.log_softmax(params["emissions"], axis=1)

    def step(alpha, o):
        alpha = jax.nn.logsumexp(alpha[:, None] + transitions, axis=0) + emissions[:, o]
        return alpha, None

    first = jax.nn.log_softmax(params["start"]) + emissions[:, observed[0]]
    alpha, _ = lax.scan(step, first, observed[1:])
    return -jax.nn.logsumexp(alpha)


def kalman(params, observed):
    def step(state, y):
        mean, variance = state
        mean, variance = params["a"] * mean, params["a"] ** 2 * variance + jnp.exp(params["q"])
        gain = variance / (variance + jnp.exp(params["r"]))
        error = y - mean
        cost = 0.5 * (jnp.log(variance + jnp.exp(params["r"])) + error**2 / (variance + jnp.exp(params["r"])))
        return (mean + gain * error, (1 - gain) * variance), cost

    _, costs = lax.scan(step, (0.0, 1.0), observed)
    return costs.sum()


def soft_time_warp(params, x):
    distance = (x[:, None] - params["y"][None, :]) ** 2

    def row(before, costs):
        def cell(left, both):
            up, diagonal, cost = both
            value = cost - 0.3 * jax.nn.logsumexp(-jnp.stack([left, up, diagonal]) / 0.3)
            return value, value

        diagonal = jnp.concatenate([jnp.array([1e3]), before[:-1]])
        _, now = lax.scan(cell, 1e3, (before, diagonal, costs))
        return now, None

    first = jnp.cumsum(distance[0])
    last, _ = lax.scan(row, first, distance[1:])
    return last[-1]


def heat(params, target):
    def step(u, _):
        u = u + params["d"] * (jnp.roll(u, 1) - 2 * u + jnp.roll(u, -1))
        return u, None

    u, _ = lax.scan(step, params["u"], None, length=6)
    return jnp.mean((u - target) ** 2)


def momentum(params, xs, ys):
    """An optimiser inside of a loss: a few steps of gradient descent with momentum."""

    def inner(w):
        return jnp.mean((xs @ w - ys) ** 2)

    def step(_, state):
        w, v = state
        v = params["momentum"] * v - params["rate"] * jax.grad(inner)(w)
        return w + v, v

    w, _ = lax.fori_loop(0, 5, step, (params["w"], jnp.zeros_like(params["w"])))
    return inner(w)


def counted_by_argument(params, n):
    """A loop whose count is known only when it runs."""
    return lax.fori_loop(0, n, lambda i, x: jnp.sin(x) + params["k"] * i, params["x"])


def switched(params, x):
    def each(k, v):
        branches = [jnp.sin, jnp.cos, lambda z: z**2]
        return lax.switch(k, branches, v)

    picked = lax.cond(jnp.sum(x) > 0, lambda v: params["a"] * v, lambda v: params["b"] * v**2, x)
    return each(1, picked).sum() + each(5, params["a"]) + lax.cond(False, jnp.sin, jnp.tan, params["b"])


def checkpointed(params, x):
    @jax.checkpoint
    def layer(w, x):
        return jnp.tanh(w @ x)

    def step(x, w):
        return layer(w, x), None

    x, _ = lax.scan(step, x, params)
    return jnp.sum(x**2)


def associative(params, xs):
    def combine(left, right):
        return left[0] * right[0], right[0] * left[1] + right[1]

    gates = jax.nn.sigmoid(params["gate"] * xs)
    _, states = lax.associative_scan(combine, (gates, params["in"] * xs))
    return jnp.sum(states**2)


PROGRAMS = {
    "lstm": Program(
        lstm,
        {"wx": normal(2, 12, scale=0.5), "wh": normal(3, 12, scale=0.5), "b": normal(12)},
        (normal(6, 2), normal(6, 3)),
    ),
    "gru": Program(gru, {name: normal(3, 5, seed=ord(name), scale=0.5) for name in "zrn"}, (normal(5, 2),)),
    "backwards_scan": Program(backwards_scan, {"decay": 0.8, "w": normal(5)}, (normal(5, seed=1),)),
    "pendulum": Program(pendulum, {"g": 9.0, "friction": 0.2, "angle": 0.5}, (normal(2),)),
    "decay_until": Program(decay_until, {"rate": 0.2, "start": 2.0}),
    "newton_root": Program(newton_root, {"a": 3.0}),
    "sinkhorn": Program(
        sinkhorn, {"x": normal(4), "y": normal(5)}, (uniform(4) / uniform(4).sum(), uniform(5) / uniform(5).sum())
    ),
    "hidden_markov": Program(
        hidden_markov, {"transitions": normal(3, 3), "emissions": normal(3, 4), "start": normal(3)}, (labels(7, 4),)
    ),
    "kalman": Program(kalman, {"a": 0.9, "q": -1.0, "r": -0.5}, (normal(8),)),
    "soft_time_warp": Program(soft_time_warp, {"y": normal(4)}, (normal(5),)),
    "heat": Program(heat, {"u": normal(8), "d": 0.2}, (normal(8, seed=1),)),
    "momentum": Program(momentum, {"w": normal(3), "momentum": 0.8, "rate": 0.1}, (normal(6, 3), normal(6))),
    "counted_by_argument": Program(counted_by_argument, {"k": 0.1, "x": 0.4}, (7,)),
    "switched": Program(switched, {"a": 0.3, "b": 0.7}, (uniform(4),)),
    "checkpointed": Program(checkpointed, normal(4, 3, 3, scale=0.6), (normal(3),)),
    "associative": Program(associative, {"gate": 0.5, "in": 0.9}, (normal(9),)),
}
