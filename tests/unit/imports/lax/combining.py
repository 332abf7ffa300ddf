"""Functions that combine elements: reductions, prefixes, windows, sorting, products, convolutions."""

from __future__ import annotations

from itertools import product

import jax.numpy as jnp
import numpy as np
from jax import lax

from unit.imports.lax.rows import ALL, BITS, FLOATS, HALVES, NUMBERS, SIGNED, Row

POSITIVE = (0.3, 2.0)


def one(x):
    return jnp.asarray(1, x.dtype)


def zero(x):
    return jnp.asarray(0, x.dtype)


def extreme_with_place(x, y):
    """The largest element of each column, and which one it is, by an operator on pairs."""

    def larger(left, right):
        keep = left[0] >= right[0]
        return jnp.where(keep, left[0], right[0]), jnp.where(keep, left[1], right[1])

    places = lax.broadcasted_iota(jnp.int32, x.shape, 0)
    least = jnp.asarray(-jnp.inf if jnp.issubdtype(x.dtype, jnp.floating) else jnp.iinfo(x.dtype).min, x.dtype)
    return list(lax.reduce((x, places), (least, jnp.int32(0)), larger, (0,)))


def window(operator, start):
    def program(x, y):
        first = np.asarray(start, x.dtype)
        return lax.reduce_window(x, first, operator, (2, 2), (1, 2), [(1, 0), (0, 0)])

    return program


def shifted(combine, start):
    """The same by slices."""

    def program(x, y):
        padded = jnp.pad(x, ((1, 0), (0, 0)), constant_values=start)
        return combine(jnp.stack([padded[i : i + 3, j : j + 3 : 2] for i in (0, 1) for j in (0, 1)]), 0)

    return program


def local(x, y):
    kernels = jnp.stack([x, y]).reshape(1, 4, 2, 3)
    return lax.conv_general_dilated_local(x[None, None], kernels, (1, 1), "VALID", (2, 2))


def padded(x, y):
    kernel = y[None, None, :2, :2]
    return lax.conv_with_general_padding(x[None, None], kernel, (1, 1), [(1, 0), (0, 1)], None, None)


def convolved(x, y, **options):
    image, kernel = x.reshape(1, 1, 3, 4), y[:2, :2].reshape(1, 1, 2, 2)
    return lax.conv_general_dilated(image, kernel, (1, 1), "SAME", **options)


APPROXIMATE = dict.fromkeys((*FLOATS, *HALVES), "ApproxTopK")
SIDES = ("left_side", "lower", "transpose_a", "unit_diagonal")


def triangular(left_side, **options):
    def program(x, y):
        matrices = jnp.stack([x[:, :3], y[:, 1:]]) + jnp.eye(3, dtype=x.dtype)
        right = jnp.stack([y, x]) if left_side else jnp.stack([y.T, x.T])
        return lax.linalg.triangular_solve(matrices, right, left_side=left_side, **options)

    return program


ROWS = [
    Row("reduce_sum", lambda x, y: lax.reduce_sum(x, (1,)), NUMBERS),
    Row("reduce_prod", lambda x, y: lax.reduce_prod(x, (0,)), NUMBERS),
    Row("reduce_max", lambda x, y: lax.reduce_max(x, (0, 1)), NUMBERS),
    Row("reduce_min", lambda x, y: lax.reduce_min(x, (1,)), NUMBERS),
    Row("reduce_and", lambda x, y: lax.reduce_and(x, (0,)), BITS),
    Row("reduce_or", lambda x, y: lax.reduce_or(x, (0, 1)), BITS),
    Row("reduce_xor", lambda x, y: lax.reduce_xor(x, (1,)), BITS),
    Row("reduce", lambda x, y: lax.reduce(x, one(x), lax.mul, (1,)), NUMBERS),
    Row(
        "reduce",
        lambda x, y: lax.reduce(x, y[0, 0], lax.add, (0,)),
        NUMBERS,
        twin=lambda x, y: y[0, 0] + x.sum(0),
    ),
    Row("reduce", extreme_with_place, (*SIGNED, *FLOATS), twin=lambda x, y: [x.max(0), x.argmax(0)]),
    Row(
        "reduce",
        lambda x, y: lax.reduce(x, zero(x), lambda a, b: a + b + a * b, (1,)),
        NUMBERS,
        twin=lambda x, y: jnp.prod(1 + x, 1) - 1,
    ),
    Row("argmax", lambda x, y: lax.argmax(x, 1, jnp.int32), ALL, False),
    Row("argmax", lambda x, y: lax.argmax(x, 0, jnp.int64), NUMBERS, False),
    Row("argmin", lambda x, y: lax.argmin(x, 0, jnp.int32), ALL, False),
    Row("cumsum", lambda x, y: lax.cumsum(x, 1), NUMBERS),
    Row("cumsum", lambda x, y: lax.cumsum(x, 0, reverse=True), NUMBERS),
    Row("cumprod", lambda x, y: lax.cumprod(x, 1), NUMBERS, inside=POSITIVE),
    Row("cummax", lambda x, y: lax.cummax(x, 1), NUMBERS),
    Row("cummin", lambda x, y: lax.cummin(x, 0), NUMBERS),
    Row("cumlogsumexp", lambda x, y: lax.cumlogsumexp(x, 1), FLOATS),
    Row("reduce_window", window(lax.add, 0), NUMBERS),
    Row("reduce_window", window(lax.max, 0), NUMBERS, twin=shifted(jnp.max, 0)),
    Row("reduce_window", window(lax.mul, 1), NUMBERS, twin=shifted(jnp.prod, 1)),
    Row("sort", lambda x, y: lax.sort(x), ALL),
    Row("sort", lambda x, y: list(lax.sort((x, y), dimension=0, num_keys=2)), NUMBERS),
    Row("sort_key_val", lambda x, y: list(lax.sort_key_val(x, y)), NUMBERS),
    Row("top_k", lambda x, y: list(lax.top_k(x, 2)), NUMBERS),
    Row(
        "approx_max_k",
        lambda x, y: list(lax.approx_max_k(x, 2)),
        FLOATS,
        refused=APPROXIMATE,
    ),
    Row(
        "approx_min_k",
        lambda x, y: list(lax.approx_min_k(x, 2)),
        FLOATS,
        refused=APPROXIMATE,
    ),
    Row("dot", lambda x, y: lax.dot(x, y.T), NUMBERS),
    Row("dot_general", lambda x, y: lax.dot_general(x, y, (((0,), (0,)), ((1,), (1,)))), NUMBERS),
    Row("dot_general", lambda x, y: lax.dot_general(x, y, (((0, 1), (0, 1)), ((), ()))), NUMBERS),
    Row("batch_matmul", lambda x, y: lax.batch_matmul(x[:, :, None], y[:, None, :]), NUMBERS),
    Row("ragged_dot", lambda x, y: lax.ragged_dot(x, y[None].transpose(0, 2, 1), jnp.array([3])), FLOATS),
    Row("conv", lambda x, y: lax.conv(x[None, None], y[None, None, :2, :2], (1, 1), "VALID"), FLOATS),
    Row("conv_general_dilated", convolved, (*SIGNED, *FLOATS)),
    Row("conv_general_dilated", lambda x, y: convolved(x, y, rhs_dilation=(2, 2)), FLOATS),
    Row("conv_general_dilated_local", local, FLOATS),
    Row(
        "conv_general_dilated_patches",
        lambda x, y: lax.conv_general_dilated_patches(x[None, None], (2, 2), (1, 1), "VALID"),
        FLOATS,
    ),
    Row(
        "conv_transpose",
        lambda x, y: lax.conv_transpose(x[None, :, :, None], y[:2, :2, None, None], (2, 2), "SAME"),
        FLOATS,
    ),
    Row("conv_with_general_padding", padded, FLOATS),
    Row("cholesky", lambda x, y: lax.linalg.cholesky(x @ x.T + jnp.eye(3, dtype=x.dtype)), FLOATS, halves=False),
    Row("lu", lambda x, y: lax.linalg.lu(x[:, :3])[0], FLOATS, halves=False),
    *(
        Row("triangular_solve", triangular(**dict(zip(SIDES, holds, strict=True))), FLOATS, halves=False)
        for holds in product((False, True), repeat=4)
    ),
    Row("associative_scan", lambda x, y: lax.associative_scan(lax.mul, x, axis=1), NUMBERS, inside=POSITIVE),
]
