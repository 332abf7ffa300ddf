"""Convolutions: a layer of many channels, and filters of a picture."""

from __future__ import annotations

import numpy as np
from untuned.program import FROM_JAX, Program

REACH = 2


def layer_data(size, dtype, rng):
    images, width, inputs, outputs = size
    return (
        (rng.normal(size=(3, 3, inputs, outputs)) / np.sqrt(9 * inputs)).astype(dtype),
        rng.normal(size=(images, width, width, inputs)).astype(dtype),
        rng.normal(size=(images, width - 2, width - 2, outputs)).astype(dtype),
    )


def layer_by_hand(kernel, images, y):
    count, height, width, inputs = images.shape
    rows, columns = height - 2, width - 2
    patches = np.concatenate(
        [images[:, di : di + rows, dj : dj + columns] for di in range(3) for dj in range(3)], axis=3
    ).reshape((count * rows * columns, 9 * inputs))
    outputs = kernel.shape[3]
    found = patches @ kernel.reshape((9 * inputs, outputs))
    return np.sum(found * y.reshape((count * rows * columns, outputs)))


def layer_jax(jnp):
    from jax import lax

    def loss(kernel, images, y):
        names = ("NHWC", "HWIO", "NHWC")
        return jnp.sum(lax.conv_general_dilated(images, kernel, (1, 1), "VALID", dimension_numbers=names) * y)

    return loss


def filter_data(size, dtype, rng):
    return (
        0.7,
        rng.uniform(0.5, 1.5, 2 * REACH + 1).astype(dtype),
        rng.random((size, size)).astype(dtype),
        rng.random((size - 2 * REACH - 2, size - 2 * REACH - 2)).astype(dtype),
    )


def filter_jax(jnp):
    """A blur along both axes, then the length of slopes, compared with edges that are wanted."""
    import jax

    def loss(gain, taps, picture, edges):
        weights = taps / jnp.sum(taps)
        blurred = jax.vmap(lambda row: jnp.convolve(row, weights, mode="valid"))(picture)
        blurred = jax.vmap(lambda row: jnp.convolve(row, weights, mode="valid"))(blurred.T).T
        down = blurred[2:, 1:-1] - blurred[:-2, 1:-1]
        along = blurred[1:-1, 2:] - blurred[1:-1, :-2]
        return jnp.mean((jnp.tanh(gain * jnp.sqrt(down**2 + along**2 + 1e-6)) - edges) ** 2)

    return loss


PROGRAMS = (
    Program(
        name="convolution",
        field="",
        sizes={"small": (2, 8, 4, 8), "middle": (8, 16, 16, 32), "large": (64, 32, 32, 64)},
        data=layer_data,
        spellings={"imported": FROM_JAX, "by hand": layer_by_hand},
        jax=layer_jax,
        wrt=(0, 1),
    ),
    Program(
        name="edges of a picture",
        field="",
        sizes={"small": 16, "middle": 150, "large": 1500},
        data=filter_data,
        spellings={"imported": FROM_JAX},
        jax=filter_jax,
        wrt=(0, 1),
    ),
)
