"""Derivatives in directions from Python: jvp, vjp with its pullback, hvp."""

import numpy as np
import pytest

import tapeless as tl

X = np.array([0.5, -1.25, 2.0])
V = np.array([1.0, 0.5, -2.0])


def product(x, y, n):
    return tl.sum(x * x) * y, x * y, n + 1


def test_jvp_of_several_arguments_and_results():
    out, moved = tl.jvp(product, (X, 3.0, 4), (V, 0.5, 0))
    assert out[0] == pytest.approx(3.0 * X @ X) and out[2] == 5
    np.testing.assert_allclose(out[1], 3.0 * X)
    assert moved[0] == pytest.approx(2.0 * X @ V * 3.0 + X @ X * 0.5)
    np.testing.assert_allclose(moved[1], V * 3.0 + X * 0.5, rtol=1e-14)
    assert moved[2] == 0 and isinstance(moved[2], int)


def test_one_argument_needs_no_tuple():
    assert tl.jvp(tl.sin, 0.3, 2.0) == (pytest.approx(np.sin(0.3)), pytest.approx(2.0 * np.cos(0.3)))
    assert tl.jvp(tl.sin, (0.3,), (2.0,)) == tl.jvp(tl.sin, 0.3, 2.0)


def test_tangents_take_the_type_of_their_primal():
    out, moved = tl.jvp(lambda x: x * x, np.float32(3.0), 1)
    assert out.dtype == np.float32 and moved.dtype == np.float32
    assert moved == 6.0


def test_pullback_gives_one_adjoint_per_primal():
    out, pullback = tl.vjp(product, X, 3.0, 4)
    assert out[2] == 5
    ct = np.array([1.0, -1.0, 2.0])
    by_x, by_y, by_n = pullback((2.0, ct, 0))
    np.testing.assert_allclose(by_x, 2.0 * 2.0 * X * 3.0 + ct * 3.0, rtol=1e-14)
    assert by_y == pytest.approx(2.0 * X @ X + ct @ X)
    assert by_n == 0 and isinstance(by_n, int)


def test_pullback_can_be_called_again_and_keeps_its_primals():
    x = X.copy()
    out, pullback = tl.vjp(lambda x: x * x, x)
    x[:] = 0.0
    np.testing.assert_array_equal(out, X * X)
    np.testing.assert_allclose(pullback(V)[0], 2.0 * X * V, rtol=1e-14)
    np.testing.assert_allclose(pullback(2.0 * V)[0], 4.0 * X * V, rtol=1e-14)


def test_pullback_of_bools_and_integer_arrays():
    _, pullback = tl.vjp(lambda x, k, flag: tl.sum(x[k]) if flag else 0.0, X, np.array([2, 0]), True)
    by_x, by_k, by_flag = pullback(1.0)
    np.testing.assert_array_equal(by_x, [1.0, 0.0, 1.0])
    np.testing.assert_array_equal(by_k, np.zeros(2, np.int64))
    assert by_k.dtype == np.int64 and by_flag is False


def test_dot_product_identity():
    matrix = np.arange(12.0).reshape(4, 3) / 7.0

    def f(x):
        return tl.tanh(matrix @ x), tl.sum(x**3)

    _, moved = tl.jvp(f, X, V)
    _, pullback = tl.vjp(f, X)
    ct = (np.array([0.3, -0.2, 1.0, 2.0]), 1.5)
    assert pullback(ct)[0] @ V == pytest.approx(ct[0] @ moved[0] + ct[1] * moved[1], rel=1e-12)


def test_hessian_vector_products():
    def f(x):
        return tl.sum(x**3)

    np.testing.assert_allclose(tl.hvp(f, X, V), 6.0 * X * V, rtol=1e-14)
    by_x, by_y = tl.hvp(lambda x, y: x * x * y**3, (2.0, 3.0), (1.0, 10.0))
    assert by_x == pytest.approx(2.0 * 27.0 + 2.0 * 2.0 * 27.0 * 10.0)
    assert by_y == pytest.approx(2.0 * 2.0 * 27.0 + 4.0 * 18.0 * 10.0)


def test_primals_left_to_their_defaults_do_not_move():
    def f(x, y=3.0):
        return x * y

    assert tl.jvp(f, (2.0,), (1.0,)) == (6.0, 3.0)
    assert tl.vjp(f, 2.0)[1](1.0) == (3.0,)


def test_annotated_sizes():
    @tl.function
    def f(x: tl.f64[3]) -> tl.f64[3]:
        return x * x

    np.testing.assert_allclose(tl.jvp(f, X, V)[1], 2.0 * X * V)
    np.testing.assert_allclose(tl.vjp(f, X)[1](V)[0], 2.0 * X * V)
    with pytest.raises(tl.ShapeMismatch):
        tl.jvp(f, np.ones(2), np.ones(2))


def test_calls_of_one_pullback_share_the_operators_of_the_function():
    @tl.function
    def f(x):
        return tl.exp(tl.sin(x))

    @tl.function
    def twice(x: tl.f64[:], a: tl.f64[:], b: tl.f64[:]):
        out, pull = tl.vjp(f, x)
        return out, pull(a)[0], pull(b)[0]

    assert tl.compile(twice, checks="off").ir("fuse").count("math.exp") == 1
    x = np.array([0.3, -0.4])
    slope = np.exp(np.sin(x)) * np.cos(x)
    np.testing.assert_allclose(twice(x, x, 2.0 * x)[1:], (x * slope, 2.0 * x * slope))
