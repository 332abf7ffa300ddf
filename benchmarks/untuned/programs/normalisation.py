"""Normalisations between the layers of a network."""

from __future__ import annotations

import numpy as np

import tapeless as tl
from untuned.program import Program

EPSILON = 1e-5


def norm_data(size, dtype, rng):
    rows, columns = size
    return (
        rng.normal(size=(rows, columns)).astype(dtype),
        rng.normal(size=columns).astype(dtype),
        rng.normal(size=columns).astype(dtype),
        rng.normal(size=(rows, columns)).astype(dtype),
    )


def layer_norm_loops(x, gain, bias, y):
    n, d = x.shape
    loss = 0.0
    for i in range(n):
        mean = 0.0
        for j in range(d):
            mean += x[i, j]
        mean /= d
        var = 0.0
        for j in range(d):
            var += (x[i, j] - mean) ** 2
        var /= d
        scale = 1.0 / np.sqrt(var + EPSILON)
        for j in range(d):
            loss += ((x[i, j] - mean) * scale * gain[j] + bias[j] - y[i, j]) ** 2
    return loss / n


def layer_norm_maps(x, gain, bias, y):
    def error(row, target):
        centred = row - np.mean(row)
        normal = centred / np.sqrt(np.mean(centred**2) + EPSILON)
        return np.sum((normal * gain + bias - target) ** 2)

    return np.mean(tl.map(error, x, y))


def layer_norm_axis(x, gain, bias, y):
    mean = np.mean(x, axis=1, keepdims=True)
    var = np.var(x, axis=1, keepdims=True)
    normal = (x - mean) / np.sqrt(var + EPSILON)
    return np.sum((normal * gain + bias - y) ** 2) / x.shape[0]


def layer_norm_jax(jnp):
    def loss(x, gain, bias, y):
        mean, var = x.mean(axis=1, keepdims=True), x.var(axis=1, keepdims=True)
        return jnp.sum(((x - mean) / jnp.sqrt(var + EPSILON) * gain + bias - y) ** 2) / len(x)

    return loss


def layer_norm_torch(torch):
    def loss(x, gain, bias, y):
        out = torch.nn.functional.layer_norm(x, gain.shape, gain, bias, EPSILON)
        return torch.sum((out - y) ** 2) / len(x)

    return loss


def batch_norm_loops(x, gain, bias, y):
    n, d = x.shape
    loss = 0.0
    for j in range(d):
        mean, var = 0.0, 0.0
        for i in range(n):
            mean += x[i, j] / n
        for i in range(n):
            var += (x[i, j] - mean) ** 2 / n
        for i in range(n):
            out = max((x[i, j] - mean) / np.sqrt(var + EPSILON) * gain[j] + bias[j], 0.0)
            loss += (out - y[i, j]) ** 2
    return loss / n


def batch_norm_maps(x, gain, bias, y):
    def column(values, g, b, target):
        normal = (values - np.mean(values)) / np.sqrt(np.var(values) + EPSILON)
        return np.mean((tl.relu(normal * g + b) - target) ** 2)

    return np.sum(tl.map(column, x.T, gain, bias, y.T))


def batch_norm_axis(x, gain, bias, y):
    normal = (x - x.mean(axis=0)) / np.sqrt(x.var(axis=0) + EPSILON)
    return np.sum((np.maximum(normal * gain + bias, 0.0) - y) ** 2) / len(x)


def batch_norm_jax(jnp):
    def loss(x, gain, bias, y):
        normal = (x - x.mean(axis=0)) / jnp.sqrt(x.var(axis=0) + EPSILON)
        return jnp.sum((jnp.maximum(normal * gain + bias, 0.0) - y) ** 2) / len(x)

    return loss


def batch_norm_torch(torch):
    def loss(x, gain, bias, y):
        out = torch.nn.functional.batch_norm(x, None, None, gain, bias, training=True, eps=EPSILON)
        return torch.sum((torch.relu(out) - y) ** 2) / len(x)

    return loss


PROGRAMS = (
    Program(
        name="layer norm",
        field="machine learning",
        sizes={"small": (8, 32), "middle": (256, 256), "large": (4096, 1024)},
        data=norm_data,
        spellings={"loops": layer_norm_loops, "maps": layer_norm_maps, "axis": layer_norm_axis},
        jax=layer_norm_jax,
        torch=layer_norm_torch,
        wrt=(0, 1, 2),
    ),
    Program(
        name="batch norm",
        field="machine learning",
        sizes={"small": (16, 16), "middle": (512, 128), "large": (8192, 512)},
        data=norm_data,
        spellings={"loops": batch_norm_loops, "maps": batch_norm_maps, "axis": batch_norm_axis},
        jax=batch_norm_jax,
        torch=batch_norm_torch,
        wrt=(0, 1, 2),
    ),
)
