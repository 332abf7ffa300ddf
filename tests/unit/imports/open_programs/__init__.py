"""Functions of JAX whose sizes are open, with arguments for a size."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax


class Open(NamedTuple):
    """A loss, the shapes of its arguments with names for open sizes, and the sizes for some numbers."""

    loss: Callable[..., Any]
    shapes: tuple[str, ...]
    sizes: Callable[[int], dict[str, int]]
    at: tuple[int, ...] = (1, 2, 5)
    supposed: tuple[str, ...] = ()

    def examples(self, dtype: Any = jnp.float64) -> list[jax.ShapeDtypeStruct]:
        """The arguments as JAX is told of them."""
        scope = jax.export.SymbolicScope(self.supposed)
        return [_example(each, dtype, scope) for each in self.shapes]

    def arguments(self, number: int) -> list[np.ndarray]:
        """Arguments with certain sizes; indices go round."""
        rng = np.random.default_rng(number)
        known = self.sizes(number)
        found = []
        for each in self.shapes:
            kind, _, shape = each.rpartition(" ")
            sizes = [int(eval(part, {}, known)) for part in shape.split(",") if part]
            values = rng.normal(size=sizes)
            found.append(np.arange(values.size).reshape(sizes) * 2 % known["n"] if kind else values)
        return found


def _example(text: str, dtype: Any, scope: Any) -> jax.ShapeDtypeStruct:
    kind, _, shape = text.rpartition(" ")
    return jax.ShapeDtypeStruct(jax.export.symbolic_shape(shape, scope=scope), jnp.int64 if kind else dtype)


def one(number: int) -> dict[str, int]:
    return {"n": number}


def two(number: int) -> dict[str, int]:
    return {"n": number, "m": number + 2}


def perceptron(x, w, y):
    hidden = jax.nn.relu(x @ w)
    return jnp.mean((hidden.sum(axis=1) - y) ** 2)


def attention(q, k):
    scores = jax.nn.softmax(q @ k.T / 2.0, axis=-1)
    return jnp.sum((scores @ k) ** 2)


def running(x):
    joined = jnp.concatenate([x, x[1:]])
    return jnp.sum(jnp.cumsum(jnp.pad(joined, (1, 2)))[::2] ** 2)


def differences(x):
    return jnp.sum((x[1:] - x[:-1]) ** 2) + jnp.sum(x[::-1] * jnp.arange(x.shape[0]))


def recurrent(x):
    def step(c, v):
        return jnp.tanh(c + v), c * v

    last, each = lax.scan(step, jnp.zeros(3), x)
    return jnp.sum(last) + jnp.sum(each)


def counted(x):
    return lax.fori_loop(0, x.shape[0], lambda i, c: 0.5 * c + jnp.sin(x[i]), 0.0)


def carried(x):
    return jnp.sum(lax.fori_loop(0, 3, lambda i, v: jnp.sin(v) + 0.1 * v[::-1], x) ** 2)


def until(x):
    return jnp.sum(lax.while_loop(lambda v: jnp.sum(v * v) > 0.5, lambda v: 0.5 * v, x))


def picked(x, at):
    return jnp.sum(x[at] ** 2) + jnp.sum(x.at[at].add(1.0) ** 3) + jnp.sum(x.at[at].set(0.5) ** 2)


def rows(x, at):
    return jnp.sum(x[at] ** 3) + jnp.sum(jax.ops.segment_sum(jnp.sin(x[at]), at, num_segments=x.shape[0]) ** 2)


def ordered(x):
    return jnp.sum(jnp.sort(x) * jnp.arange(x.shape[0])) + jnp.max(x) + x[jnp.argmax(x)] ** 2


def largest(x):
    return jnp.sum(lax.top_k(x, 2)[0] * jnp.array([1.0, 3.0]))


def normalised(x, scale):
    mean, spread = jnp.mean(x, axis=-1, keepdims=True), jnp.var(x, axis=-1, keepdims=True)
    return jnp.sum(((x - mean) / jnp.sqrt(spread + 1e-3) * scale) ** 3)


def batched(x, y):
    return jnp.sum(jnp.tanh(jnp.einsum("bij,bjk->bik", x, y)))


def lower(x):
    return jnp.sum(jnp.tril(x) @ x.T) + jnp.sum(jnp.where(x > 0, x, 0.1 * x) * jnp.eye(x.shape[0]))


def flat(x):
    return jnp.sum(jnp.sin(x.reshape(-1)) * jnp.arange(x.size)) + jnp.sum(x.reshape(-1, 2) ** 3)


def branched(x):
    return lax.cond(x[0] > 0, lambda v: jnp.sum(v**2), lambda v: jnp.sum(jnp.roll(v, 1) * v), x)


def convolved(x, k):
    return jnp.sum(jnp.tanh(lax.conv_general_dilated(x, k, (1, 1), "SAME")) ** 2)


def pooled(x):
    return jnp.sum(lax.reduce_window(x, -jnp.inf, lax.max, (1, 2), (1, 2), "VALID") ** 2)


def marked(x):
    return jnp.sum(lax.stop_gradient(x) * x**2) + jax.checkpoint(lambda v: jnp.sum(jnp.exp(0.1 * v)))(x)


@jax.custom_vjp
def clipped(x):
    return x * jnp.arange(x.shape[0])


clipped.defvjp(lambda x: (clipped(x), x), lambda x, g: (jnp.clip(g, -0.5, 0.5) * (x > 0),))


def ruled(x):
    return jnp.sum(clipped(x) ** 2) + jax.nn.logsumexp(x)


def written(x):
    return jnp.sum(lax.dynamic_update_slice(x, jnp.sin(x[:1]), (2,)) ** 2) + jnp.sum(lax.dynamic_slice(x, (1,), (1,)))


def tiled(x, y):
    return jnp.sum(jnp.stack([x, x**2]) ** 2) + jnp.sum(jnp.outer(x, y) ** 2) + jnp.sum(jnp.tile(x, 2) ** 3)


PROGRAMS: dict[str, Open] = {
    "perceptron": Open(perceptron, ("n,4", "4,3", "n"), one),
    "attention": Open(attention, ("n,4", "m,4"), two),
    "running": Open(running, ("n",), one),
    "differences": Open(differences, ("n",), one),
    "recurrent": Open(recurrent, ("n,3",), one),
    "counted": Open(counted, ("n",), one),
    "carried": Open(carried, ("n",), one),
    "until": Open(until, ("n",), one),
    "picked": Open(picked, ("n", "i m"), two),
    "rows": Open(rows, ("n,2", "i m"), two),
    "ordered": Open(ordered, ("n",), one),
    "largest": Open(largest, ("n,m",), two, (1, 3), ("m >= 2",)),
    "normalised": Open(normalised, ("n,m", "m"), two),
    "batched": Open(batched, ("n,m,3", "n,3,2"), two),
    "lower": Open(lower, ("n,n",), one),
    "flat": Open(flat, ("n,4",), one),
    "branched": Open(branched, ("n",), one),
    "convolved": Open(convolved, ("n,2,m,m", "3,2,3,3"), two),
    "pooled": Open(pooled, ("n,6",), one),
    "marked": Open(marked, ("n",), one),
    "ruled": Open(ruled, ("n",), one),
    "written": Open(written, ("n",), one, (1, 4)),
    "tiled": Open(tiled, ("n", "m"), two),
}
