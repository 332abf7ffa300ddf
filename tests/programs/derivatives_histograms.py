"""Derivatives of histograms and scatters."""

from __future__ import annotations

import numpy as np

import tapeless as tl
from programs.derivatives_row import derivative


def summed_bins(dest, values, factors, keys):
    return factors * tl.hist(lambda a, b: a + b, 0.0, dest, keys, values)


def multiplied_bins(dest, values, factors, keys):
    return factors * tl.hist(lambda a, b: a * b, 1.0, dest, keys, values)


def largest_in_bins(values, dest, keys):
    return tl.hist(tl.maximum, -tl.inf, dest, keys, values)


def largest_times_sum(values, dest, keys):
    return tl.hist(tl.maximum, -tl.inf, dest, keys, values) * tl.sum(values)


def products_in_bins(values, dest, keys):
    return tl.hist(lambda a, b: a * b, 1.0, dest, keys, values)


def scattered_values(values, dest, keys):
    return tl.scatter(dest, keys, values)


def overwritten(dest, keys, values):
    return tl.scatter(dest, keys, values)


def scattered_powers(x, dest):
    powers = tl.map(lambda k: x ** (k + 1.0), tl.iota(3))
    return tl.scatter(dest, tl.iota(3), powers)


KEYS = [4, 5, 2, 4, 5, 2, 0, 0, 4, 5, 1, 4, 1, 3, 3, 1, 8, -1]
VALUES = [11.0, 16, 7, 0, 14, 6, 2, 1, 13, 0, 5, 0, 3, 0, 9, 4, 17, 18]
DEST = [1.0, 2, 0, 4, 5, 0, 9, 0]
FACTORS = [1.0, 2, 3, 4, 5, 6, 7, 8]
EVERY_BIN = np.ones(8)

DERIVATIVES = (
    derivative(
        "H1 sums",
        summed_bins,
        (DEST, VALUES, FACTORS, KEYS),
        [1, 2, 3, 4, 5, 6, 7, 8],
        [5, 6, 3, 5, 6, 3, 1, 1, 5, 6, 2, 5, 2, 4, 4, 2, 0, 0],
        [4, 14, 13, 13, 29, 30, 9, 0],
        wrt=(0, 1, 2),
        seed=EVERY_BIN,
    ),
    derivative(
        "H2 products",
        multiplied_bins,
        (DEST, VALUES, FACTORS, KEYS),
        [2, 120, 126, 0, 0, 0, 7, 8],
        [0, 0, 0, 0, 0, 0, 1, 2, 0, 0, 48, 0, 80, 144, 0, 60, 0, 0],
        [2, 120, 0, 0, 0, 0, 9, 0],
        wrt=(0, 1, 2),
        seed=EVERY_BIN,
    ),
    derivative("H4 maxima", largest_in_bins, (VALUES, [-np.inf] * 5, KEYS), np.eye(len(VALUES))[[6, 10, 2, 14, 8]]),
    derivative(
        "H7 maximum times sum",
        largest_times_sum,
        ([5.0, 1.0, 2.0], [4.0, 1.0, 2.0], [0, 0, 0]),
        [13, 5, 5],
        seed=[1, 0, 0],
    ),
    derivative(
        "H10 products forward",
        products_in_bins,
        ([1.0, 2.0, 3.0, 4.0], [1.0] * 5, [1, 1, 3, 3]),
        [0, 3, 0, 7, 0],
        tangent=[1, 1, 1, 1],
    ),
    derivative(
        "X1 scatter with a key outside",
        scattered_values,
        ([1.0, 2.0, 3.0, 0.0], [0.0] * 4, [0, 1, 2, -100000]),
        np.diag([1, 1, 1, 0]),
    ),
    derivative("X2 overwritten by scatter", overwritten, ([1.0] * 4, [0, 1], [1.0, 2.0]), np.diag([0, 0, 1, 1])),
    derivative("X4 scattered powers", scattered_powers, (5.0, [1.0] * 5), [1, 10, 75, 0, 0], tangent=1),
)
