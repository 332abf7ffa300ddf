"""Array operators: making, reshaping, joining, broadcasting, products."""

import numpy as np
import pytest

import tapeless as tl
from frontend.running import check, compare, run, text
from tapeless.errors import ShapeMismatch
from tapeless.types import f64

X = np.array([3.0, -1.0, 4.0, -1.5])
M = np.arange(12.0).reshape(3, 4)
T = np.arange(24.0).reshape(2, 3, 4)


def test_making_arrays():
    def f(n, v, x):
        made = np.zeros(n), np.ones((n, 2)), np.full((2, n), v), np.zeros((2, 3), dtype=np.int64), np.full(2, 3)
        return (*made, np.zeros_like(x), np.ones_like(x), np.full_like(x, 2.5), np.zeros(3, np.float32))

    def g(n, v, x):
        a, b, c, d, e = (
            np.zeros(n),
            np.ones((n, 2)),
            np.full((2, n), v),
            np.zeros((2, 3), dtype=np.int64),
            np.full(2, 3),
        )
        return a, b, c, d, e, np.zeros_like(x), np.ones_like(x), np.full_like(x, 2.5), np.zeros(3, np.float32)

    check(g, 3, 1.5, M, expected=f(3, 1.5, M))
    check(g, 0, 1.5, M, expected=f(0, 1.5, M))


def test_sequences():
    def f(n):
        return tl.iota(n), tl.linspace(-1, 2.5, n), tl.linspace(0.0, 1.0, 5)

    for n in (0, 1, 2, 7):
        compare(run(f, n), (np.arange(n), np.linspace(-1, 2.5, n), np.linspace(0, 1, 5)))


def test_static_sizes_are_static():
    assert "tensor<3x2xf64>" in text(lambda x: tl.zeros((3, 2)) + x, 1.0)
    assert "-> tensor<3xf64>" in text(lambda x, y: x + y, f64[3], f64[:])


def test_joining():
    def f(x, m):
        return (
            np.concatenate((x, x * 2, x[:1])),
            np.stack((x, x + 1)),
            np.concatenate((m, m), axis=1),
            np.concatenate((m, m)),
        )

    check(f, X, M)
    check(lambda x, m: (np.stack((x, x), axis=1), np.stack((m, m), axis=1), np.stack((m, m), axis=-1)), X, M)
    check(lambda x: np.stack((x[0], 1.0, x[1])), X)


def test_reshaping():
    def f(x, m, t):
        return (
            x.reshape(2, 2),
            x.reshape((4, 1)),
            m.reshape(-1),
            np.reshape(t, (-1, 4)),
            m.reshape(2, -1, 3),
            np.reshape(m, 12),
        )

    check(f, X, M, T)


def test_transposing():
    def f(x, m, t):
        return x.T, m.T, t.T, np.transpose(t, (1, 0, 2)), t.transpose(2, 0, 1), m.transpose()

    check(f, X, M, T)


def test_reversing_copying_converting():
    def f(x, m):
        return (
            tl.reverse(x),
            tl.reverse(m, axis=1),
            tl.reverse(m, -2),
            tl.copy(x),
            tl.astype(x, tl.i64),
            tl.astype(x > 0, float),
        )

    compare(run(f, X, M), (X[::-1], M[:, ::-1], M[::-1], X, X.astype(int), (X > 0).astype(float)))


def test_attributes():
    check(lambda m: (m.shape[0], m.shape[1], m.shape[-1], m.ndim, m.size, len(m)), M)


def test_shapes_unpack():
    def f(m):
        n, k = m.shape
        return np.zeros((k, n))

    check(f, M)


def test_broadcasting():
    def f(x, m, t, s):
        return m * x, x + m[0], t - m, t * x, m * s, s - t, m[:, :1] * x, m[1:2] + m, x[:, None] - x, (t > x) & (t < 20)

    check(f, X, M, T, 2.5)


def test_static_unit_sizes_stretch():
    check(lambda x: (np.ones((4, 1)) * x, np.ones((1, 1)) + x, np.ones((1, 3)) * np.full((2, 1), 5.0)), X)


def test_sizes_that_do_not_match_are_found_when_running():
    with pytest.raises(ShapeMismatch, match="sizes 4 and 3 of axis 0 do not match"):
        run(lambda x, y: x + y, X, X[:3])
    with pytest.raises(ShapeMismatch, match="sizes 4 and 3 of axis 0 do not match"):
        run(lambda x, y: tl.map(lambda a, b: a * b, x, y), X, X[:3])


def test_sizes_known_to_be_equal_are_not_checked():
    def f(x, n):
        y = x * 2 + tl.zeros(x.shape[0])
        z = tl.map(lambda a, b: a - b, x, y)
        w = tl.full(n, 1.0) + tl.ones(n)
        m = tl.map(lambda row: row * x, x[:, None] * x)
        return y + z, w, m @ x, m + m.T

    assert text(f, X, 3).count("soac.assert") == 1


def test_a_size_is_checked_once():
    assert text(lambda x, y: x + y * x - y, X, X).count("soac.assert") == 1


def test_one_expression_is_one_nest_of_maps():
    assert text(lambda a, x, y: a * x + y * tl.exp(x), 1.0, X, X).count("soac.map") == 1
    assert text(lambda a, x: a * x + x[0] - x * x, 1.0, M).count("soac.map") == 2


def test_negative_sizes():
    with pytest.raises(ShapeMismatch, match="size -3 is negative"):
        run(lambda n: tl.zeros(n), -3)
    with pytest.raises(ShapeMismatch, match="size -3 is negative"):
        run(lambda n: tl.iota(n), -3)


def test_reshaping_to_another_number_of_elements():
    with pytest.raises(ShapeMismatch, match="4 elements cannot be reshaped to 6"):
        run(lambda x, n: x.reshape(n, 2), X, 3)
    with pytest.raises(ShapeMismatch, match="4 elements cannot be reshaped to 3"):
        run(lambda x: x.reshape(3, -1), X)


def test_products():
    def f(x, m, t):
        return (
            x @ x,
            m @ x,
            x[:3] @ m,
            m @ m.T,
            np.dot(x, x),
            np.dot(m, x),
            np.dot(m.T, m),
            np.outer(x, x),
            np.matmul(t, x),
        )

    check(f, X, M, T)
    check(lambda t, m: (t @ m.T, t @ t.transpose(0, 2, 1), np.dot(t[0], 2.0)), T, M)


def test_products_of_integers_and_floats():
    check(lambda n, x: (n @ n, n @ x), np.array([1, 2, 3, 4]), X)


def test_the_largest_integers_and_infinities_as_constants():
    check(lambda x: (x + np.inf, 9223372036854775807, -9223372036854775807, -np.inf), 1.0)


def test_captured_arrays():
    weights, mask, counts = np.array([[1.0, 2.0], [3.0, 4.0]]), np.array([True, False]), np.array([1, 2], np.int32)
    check(lambda x: (weights @ x, np.where(mask, x, 0.0), counts * x, weights[1, 0]), np.array([0.5, 2.0]))
