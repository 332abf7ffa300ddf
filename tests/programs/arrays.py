"""Making, joining and rearranging arrays."""

from __future__ import annotations

import numpy as np

import tapeless as tl
from programs.program import program


def filled(n, x):
    return tl.zeros(n), tl.ones((2, n)), tl.full(n, x), tl.full((n, 2), 3), tl.zeros(n, tl.i64)


def filled_like(a):
    return tl.zeros_like(a), tl.ones_like(a), tl.full_like(a, 2.5)


def sequences(n):
    return tl.iota(n), tl.linspace(0.0, 1.0, n), tl.iota(n) * 2 + 1


def joined(a, b):
    return tl.concat((a, b)), tl.concat((a, b), axis=1), tl.stack((a, b)), tl.stack((a[0], b[0]), axis=1)


def reshaped(x):
    m = tl.reshape(x, (3, 4))
    return m, tl.reshape(m, 12), m.reshape((2, 6))


def transposed(a, t):
    return a.T, tl.transpose(a), tl.transpose(t, (2, 0, 1)), tl.transpose(t)


def reversed_axes(a):
    return tl.reverse(a), tl.reverse(a, axis=1), tl.reverse(a[0])


def copied_and_cast(x, k):
    y = tl.copy(x)
    y[0] = 9.0
    return x, y, tl.astype(k, tl.f64) / 2.0, tl.astype(x, tl.i64), x.astype(tl.f32)


def products(a, b, u, v):
    return tl.dot(u, v), tl.matmul(a, b), tl.outer(u, v), tl.dot(a, u)


def static_sizes(v: tl.f64[3], m: tl.f64[:, 3]) -> tl.f64[3]:
    total = tl.zeros(3)
    for i in range(m.shape[0]):
        total += m[i] * v
    return total


def built_in_a_loop(n):
    triangle = tl.zeros((n, n))
    for i in range(n):
        triangle[i, 0] = 1.0
        for j in range(1, i + 1):
            triangle[i, j] = triangle[i - 1, j - 1] + triangle[i - 1, j]
    return triangle


def pascal(n):
    rows = np.zeros((n, n))
    for i in range(n):
        value = 1
        for j in range(i + 1):
            rows[i, j] = value
            value = value * (i - j) // (j + 1)
    return rows


def sized_where_they_are_made(x, n, choice):
    y = tl.zeros(n + 1) + x[0] if choice else tl.ones(n + 1) * x[1]
    return y * 2.0, tl.map(lambda a: tl.zeros(n * 3 + 1) + a, x)


PROGRAMS = (
    program(
        filled,
        lambda n, x: (
            np.array([0.0] * n),
            np.array([[1.0] * n] * 2),
            np.array([x] * n),
            np.array([[3, 3]] * n),
            np.array([0] * n),
        ),
        lambda rng: (3, 1.25),
        "f64",
    ),
    program(
        filled_like,
        lambda a: (0 * a, 0 * a + 1, 0 * a + 2.5),
        lambda rng: (rng.normal(size=(2, 3)),),
    ),
    program(
        sequences,
        lambda n: (np.arange(n), np.arange(n) / (n - 1), np.arange(1, 2 * n, 2)),
        lambda rng: (6,),
        "ints",
    ),
    program(
        joined,
        lambda a, b: (np.vstack([a, b]), np.hstack([a, b]), np.array([a, b]), np.column_stack([a[0], b[0]])),
        lambda rng: (rng.normal(size=(2, 3)), rng.normal(size=(2, 3))),
    ),
    program(
        reshaped,
        lambda x: (np.array([x[0:4], x[4:8], x[8:12]]), x, np.array([x[:6], x[6:]])),
        lambda rng: (rng.normal(size=12),),
    ),
    program(
        transposed,
        lambda a, t: (
            np.array(list(zip(*a, strict=True))),
            np.swapaxes(a, 0, 1),
            np.moveaxis(t, 2, 0),
            np.swapaxes(t, 0, 2),
        ),
        lambda rng: (rng.normal(size=(3, 4)), rng.normal(size=(2, 3, 4))),
    ),
    program(
        reversed_axes,
        lambda a: (np.flipud(a), np.fliplr(a), np.flip(a[0])),
        lambda rng: (rng.normal(size=(3, 4)),),
    ),
    program(
        copied_and_cast,
        lambda x, k: (x, np.concatenate(([9.0], x[1:])), k * 0.5, np.trunc(x).astype(int), x.astype(np.float32)),
        lambda rng: (rng.normal(size=4) * 5, np.array([1, 2, 3])),
        "f64",
    ),
    program(
        products,
        lambda a, b, u, v: (
            np.sum(u * v),
            np.array([[np.sum(r * c) for c in b.T] for r in a]),
            u[:, None] * v,
            np.sum(a * u, axis=1),
        ),
        lambda rng: (rng.normal(size=(2, 3)), rng.normal(size=(3, 4)), rng.normal(size=3), rng.normal(size=3)),
    ),
    program(
        static_sizes,
        lambda v, m: m.sum(axis=0) * v,
        lambda rng: (rng.normal(size=3), rng.normal(size=(5, 3))),
        "f64",
    ),
    program(built_in_a_loop, pascal, lambda rng: (6,), "f64"),
    program(
        sized_where_they_are_made,
        lambda x, n, choice: (np.full(n + 1, 2 * x[0]), np.repeat(x[:, None], 3 * n + 1, axis=1)),
        lambda rng: (rng.normal(size=3), 2, True),
    ),
)
