"""A recurrent network with gates, by scalars and by matrices."""

from __future__ import annotations

import numpy as np

import tapeless as tl
from untuned.program import Program


def lstm_data(size, dtype, rng):
    steps, batch, inputs, hidden = size
    return (
        (rng.normal(size=(inputs, 4 * hidden)) / np.sqrt(inputs)).astype(dtype),
        (rng.normal(size=(hidden, 4 * hidden)) / np.sqrt(hidden)).astype(dtype),
        rng.normal(size=4 * hidden).astype(dtype),
        rng.normal(size=(steps, batch, inputs)).astype(dtype),
        rng.normal(size=(batch, hidden)).astype(dtype),
    )


def lstm_loops(wx, wh, bias, x, y):
    batch, hidden = y.shape
    loss = 0.0
    for n in range(batch):
        h = np.zeros_like(y[0])
        c = np.zeros_like(y[0])
        for t in range(len(x)):
            gates = bias.copy()
            for k in range(4 * hidden):
                for i in range(x.shape[2]):
                    gates[k] += x[t, n, i] * wx[i, k]
                for j in range(hidden):
                    gates[k] += h[j] * wh[j, k]
            for j in range(hidden):
                kept = tl.sigmoid(gates[hidden + j]) * c[j]
                c[j] = kept + tl.sigmoid(gates[j]) * np.tanh(gates[2 * hidden + j])
                h[j] = tl.sigmoid(gates[3 * hidden + j]) * np.tanh(c[j])
        for j in range(hidden):
            loss += (h[j] - y[n, j]) ** 2
    return loss / (batch * hidden)


def lstm_axis(wx, wh, bias, x, y):
    size = y.shape[1]
    h, c = np.zeros_like(y), np.zeros_like(y)
    for step in x:
        gates = step @ wx + h @ wh + bias
        enter, forget = tl.sigmoid(gates[:, :size]), tl.sigmoid(gates[:, size : 2 * size])
        change, leave = np.tanh(gates[:, 2 * size : 3 * size]), tl.sigmoid(gates[:, 3 * size :])
        c = forget * c + enter * change
        h = leave * np.tanh(c)
    return np.mean((h - y) ** 2)


def lstm_jax(jnp):
    import jax

    def loss(wx, wh, bias, x, y):
        def step(state, inputs):
            h, c = state
            enter, forget, change, leave = jnp.split(inputs + h @ wh, 4, axis=1)
            c = jax.nn.sigmoid(forget) * c + jax.nn.sigmoid(enter) * jnp.tanh(change)
            return (jax.nn.sigmoid(leave) * jnp.tanh(c), c), None

        (h, _), _ = jax.lax.scan(step, (jnp.zeros_like(y), jnp.zeros_like(y)), x @ wx + bias)
        return jnp.mean((h - y) ** 2)

    return loss


def lstm_torch(torch):
    def loss(wx, wh, bias, x, y):
        h, c = torch.zeros_like(y), torch.zeros_like(y)
        for inputs in x @ wx + bias:
            enter, forget, change, leave = torch.chunk(inputs + h @ wh, 4, dim=1)
            c = torch.sigmoid(forget) * c + torch.sigmoid(enter) * torch.tanh(change)
            h = torch.sigmoid(leave) * torch.tanh(c)
        return torch.mean((h - y) ** 2)

    return loss


PROGRAMS = (
    Program(
        name="lstm",
        field="machine learning",
        sizes={"small": (5, 2, 4, 8), "middle": (30, 8, 16, 32), "large": (100, 32, 64, 128)},
        data=lstm_data,
        spellings={"loops": lstm_loops, "axis": lstm_axis},
        jax=lstm_jax,
        torch=lstm_torch,
        wrt=(0, 1, 2),
    ),
)
