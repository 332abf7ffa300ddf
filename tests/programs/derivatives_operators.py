"""Derivatives of map, reduce, scan, and of what rearranges arrays."""

from __future__ import annotations

import numpy as np

import tapeless as tl
from programs.derivatives_row import derivative


def scaled(c, xs):
    return tl.map(lambda x: c * x, xs)


def sums_of_pairs(xs):
    return tl.map(lambda a: tl.map(lambda b: a + b, xs), xs)


def matrix_product(a, b):
    return tl.map(lambda row: tl.map(lambda column: tl.sum(row * column), b.T), a)


def product_of_all(xs):
    return tl.reduce(lambda a, b: a * b, 1.0, xs)


def scaled_product(xs, c):
    return c * tl.reduce(lambda a, b: a * b, 1.0, xs)


def largest_magnitude(xs):
    return tl.reduce(tl.maximum, 0.0, tl.map(tl.abs, xs))


def sum_beside_sum(xs):
    total = tl.sum(xs)
    return tl.sum(xs - total) + total


def running_product(xs):
    return tl.scan(lambda a, b: a * b, 1.0, xs)


def running_sum(xs):
    return tl.scan(lambda a, b: a + b, 0.0, xs)


@tl.function
def composed_affine_maps(a, b):
    return tl.scan(lambda a1, b1, a2, b2: (a2 + b2 * a1, b1 * b2), (0.0, 1.0), a, b)


def last_offset(a, b):
    offsets, _ = composed_affine_maps(a, b)
    return offsets[3]


def last_factor(a, b):
    _, factors = composed_affine_maps(a, b)
    return factors[3]


def weighted_running_product(xs):
    return tl.sum(tl.cumprod(xs) * xs)


def twice(xs):
    return tl.concat((xs, xs))


def three_copies(x):
    return tl.map(lambda _: x, tl.iota(3))


def transposed(a):
    return a.T


def rotated(xs):
    return tl.concat((xs[1:], xs[:1]))


AFFINE = [1.0, 4.0, 3.0, 4.0], [2.0, 3.0, 4.0, 2.0]
PAIRS = np.eye(3)[:, None, :] + np.eye(3)[None, :, :]
RUNNING_PRODUCT = [[1, 0, 0, 0, 0], [2, 1, 0, 0, 0], [6, 3, 2, 0, 0], [24, 12, 8, 6, 0], [120, 60, 40, 30, 24]]

DERIVATIVES = (
    derivative("M1 free scalar", scaled, (3.0, [1.0, 2.0, 3.0]), [1, 2, 3]),
    derivative("M2 mapped and free", sums_of_pairs, ([1.0, 2.0, 3.0],), PAIRS),
    derivative(
        "M4 matrix product",
        matrix_product,
        ([[1.0, 2.0], [3.0, 4.0]], [[5.0, 6.0], [7.0, 8.0]]),
        [[17, 23], [39, 53]],
        [[10, 14], [14, 20]],
        wrt=(0, 1),
        seed=[[1, 2], [3, 4]],
    ),
    derivative("R1 product", product_of_all, ([1.0, 2.0, 3.0],), [6, 3, 2]),
    derivative("R2 one zero", scaled_product, ([1.0, 0.0, 3.0, 4.0], 3.0), [0, 36, 0, 0], 0, wrt=(0, 1)),
    derivative("R3 two zeros", scaled_product, ([1.0, 0.0, 3.0, 0.0], 3.0), [0, 0, 0, 0], 0, wrt=(0, 1)),
    derivative("R4 no zero", scaled_product, ([1.0, 2.0, 3.0, 4.0], 3.0), [72, 36, 24, 18], 24, wrt=(0, 1)),
    derivative(
        "R6 largest magnitude", largest_magnitude, ([1.0, 2.0, 3.0, 4.0, 5.0, -6.0, 5.0],), [0, 0, 0, 0, 0, -1, 0]
    ),
    derivative("R6 tie", largest_magnitude, ([1.0, 1.0],), [1, 0]),
    derivative("R7 sum in a map", sum_beside_sum, ([3.0, 1.0, 5.0],), [-1, -1, -1]),
    derivative("C1 running product", running_product, ([1.0, 2.0, 3.0, 4.0, 5.0],), RUNNING_PRODUCT),
    derivative("C2 running sum", running_sum, ([1.0, 2.0, 3.0, 4.0, 5.0],), np.tri(5)),
    derivative("C3 affine offset", last_offset, AFFINE, [24, 8, 2, 1], [0, 8, 14, 31], wrt=(0, 1)),
    derivative("C3 affine factor", last_factor, AFFINE, [0, 0, 0, 0], [24, 16, 12, 24], wrt=(0, 1)),
    derivative(
        "C5 weighted",
        weighted_running_product,
        ([1.0, 2.0, 3.0, 4.0, 5.0, 6.0],),
        [5040, 2521, 1684, 1278, 1104, 1440],
    ),
    derivative("P1 concatenation", twice, ([1.0, 2.0],), np.vstack((np.eye(2), np.eye(2)))),
    derivative("P1 copies", three_copies, (2.0,), 3, seed=[0, 1, 2]),
    derivative("P1 transposition", transposed, ([[1.0, 2.0], [3.0, 4.0]],), [[1, 3], [2, 4]], seed=[[1, 2], [3, 4]]),
    derivative("P1 rotation", rotated, ([1.0, 2.0, 3.0, 4.0],), [1, 2, 3, 4], seed=[2, 3, 4, 1]),
)
