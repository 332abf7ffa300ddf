"""Rows that are scattered: their sizes may be known in the destination, in the values, or in neither."""

import numpy as np
import pytest

import tapeless as tl

ROWS, KEYS = np.arange(12.0).reshape(4, 3), np.array([1, 7, 0])


def known_in_the_values(x, keys):
    return tl.scatter(x, keys, tl.ones((3, 3)))


def known_in_the_destination(x: tl.f64[:, 3], keys):
    return tl.scatter(x, keys, tl.reshape(tl.ones(3 * len(x[0])), (3, len(keys))))


def in_a_loop(x, keys):
    for i in range(2):
        x = tl.scatter(x, keys, tl.ones((3, 3)) * i)
    return x


@pytest.mark.parametrize("function", [known_in_the_values, known_in_the_destination, in_a_loop])
def test_scattered_rows(function):
    result, pullback = tl.vjp(tl.function(function), ROWS, KEYS)
    wanted = ROWS.copy()
    wanted[:2] = 1.0
    np.testing.assert_array_equal(result, wanted)
    np.testing.assert_array_equal(pullback(np.ones((4, 3)))[0], np.repeat([[0.0], [0.0], [1.0], [1.0]], 3, axis=1))


def test_other_rows():
    with pytest.raises(tl.ShapeMismatch, match="axis 1"):
        tl.function(known_in_the_values)(np.ones((4, 5)), KEYS)
