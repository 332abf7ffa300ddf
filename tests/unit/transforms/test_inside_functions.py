"""Transformations inside functions: closures, loops, maps, several at once, structures of arguments."""

import numpy as np
import pytest

import tapeless as tl

X = np.array([0.5, -1.25, 2.0])


@tl.function
def square(x):
    return x * x


def test_a_transformed_function_is_a_value():
    @tl.function
    def f(x):
        slope = tl.grad(square)
        again = slope
        return again(x) + slope(2.0 * x)

    assert f(3.0) == 18.0


def test_nested_functions_see_local_values():
    @tl.function
    def f(x, w):
        scaled = x * w

        def loss(y):
            shifted = y - scaled
            return tl.sum(shifted * shifted)

        return tl.grad(loss)(2.0 * x)

    np.testing.assert_allclose(f(X, 3.0), 2.0 * (2.0 * X - 3.0 * X), rtol=1e-14)
    np.testing.assert_allclose(tl.jacrev(f, argnums=1)(X, 3.0), -2.0 * X, rtol=1e-14)


def test_gradient_descent_in_a_loop():
    @tl.function
    def minimise(x, target, steps):
        for _ in range(steps):
            x = x - 0.25 * tl.grad(lambda y: tl.sum((y - target) ** 2))(x)
        return x

    np.testing.assert_allclose(minimise(np.zeros(3), X, 5), X * (1.0 - 0.5**5), rtol=1e-14)
    by_target = tl.jacfwd(minimise, argnums=1)(np.zeros(3), X, 5)
    np.testing.assert_allclose(by_target, np.eye(3) * (1.0 - 0.5**5), rtol=1e-13)
    by_reverse = tl.jacrev(minimise, argnums=1)(np.zeros(3), X, 5)
    np.testing.assert_allclose(by_reverse, by_target, rtol=1e-13)


def test_newton_in_a_while_loop():
    @tl.function
    def root(x, a):
        value = x * x - a
        while tl.bounded(tl.abs(value) > 1e-12, 50):
            value, slope = tl.value_and_grad(lambda x: x * x - a)(x)
            x = x - value / slope
        return x

    assert root(1.0, 2.0) == pytest.approx(np.sqrt(2.0), rel=1e-14)


def test_in_branches():
    @tl.function
    def f(x):
        if x > 0.0:  # noqa: SIM108
            y = tl.grad(tl.sin)(x)
        else:
            y = tl.grad(tl.exp)(x)
        return y

    assert f(0.5) == pytest.approx(np.cos(0.5))
    assert f(-0.5) == pytest.approx(np.exp(-0.5))
    assert tl.grad(f)(0.5) == pytest.approx(-np.sin(0.5))


def test_inside_maps_and_reductions():
    @tl.function
    def f(x, w):
        slopes = tl.map(lambda e: tl.grad(lambda y: y**3 * w)(e), x)
        return tl.sum(slopes)

    assert f(X, 2.0) == pytest.approx(6.0 * X @ X)
    np.testing.assert_allclose(tl.grad(f)(X, 2.0), 12.0 * X)


def test_pullback_several_times():
    @tl.function
    def f(x, y):
        out, pullback = tl.vjp(lambda x, y: (x * y, tl.sum(x)), x, y)
        first = pullback((out[0], 0.0))
        second = pullback((tl.zeros_like(x), 1.0))
        return out[1], first, second

    total, (by_x, by_y), (ones, zero) = f(X, 2.0)
    assert total == pytest.approx(X.sum())
    np.testing.assert_allclose(by_x, 4.0 * X)
    assert by_y == pytest.approx(2.0 * X @ X)
    np.testing.assert_array_equal(ones, np.ones(3))
    assert zero == 0.0


def test_tuples_as_arguments():
    @tl.function
    def f(x, y):
        def loss(pair, scale):
            return tl.sum(pair[0]) * pair[1] * scale

        return tl.grad(loss)((x, y), 3.0)

    by_x, by_y = f(X, 2.0)
    np.testing.assert_allclose(by_x, np.full(3, 6.0))
    assert by_y == pytest.approx(3.0 * X.sum())


def test_argnums_and_keywords_inside():
    @tl.function
    def f(x, y):
        return tl.grad(weighted, argnums=("scale", 0))(x, scale=y)

    assert f(3.0, 2.0) == (9.0, 12.0)


@tl.function
def weighted(x, scale=1.0):
    return x * x * scale


def test_functions_as_arguments_of_the_function():
    @tl.function
    def apply(g, x):
        return g(x) * x

    @tl.function
    def f(x):
        return tl.grad(apply, argnums=1)(tl.sin, x)

    assert f(0.5) == pytest.approx(np.sin(0.5) + 0.5 * np.cos(0.5))


def test_has_aux_inside():
    @tl.function
    def f(x):
        gradient, aux = tl.grad(lambda x: (tl.sum(x * x), tl.max(x)), has_aux=True)(x)
        return gradient * aux

    np.testing.assert_allclose(f(X), 2.0 * X * 2.0)


def test_everything_inside():
    @tl.function
    def f(x, v):
        cube = lambda x: tl.sum(x**3)  # noqa: E731
        return (
            tl.jacfwd(lambda x: x * x)(x),
            tl.jacrev(lambda x: x * x)(x),
            tl.hessian(cube)(x),
            tl.hvp(cube, x, v),
            tl.jvp(cube, x, v),
            tl.vmap(tl.grad(lambda e: e**3))(x),
            tl.jit(cube)(x),
        )

    v = np.array([1.0, 2.0, 3.0])
    forward, reverse, hessian, product, (value, slope), cubes, again = f(X, v)
    np.testing.assert_allclose(forward, np.diag(2.0 * X))
    np.testing.assert_allclose(reverse, np.diag(2.0 * X))
    np.testing.assert_allclose(hessian, np.diag(6.0 * X))
    np.testing.assert_allclose(product, 6.0 * X * v)
    assert (value, slope) == (pytest.approx(np.sum(X**3)), pytest.approx(3.0 * X**2 @ v))
    np.testing.assert_allclose(cubes, 3.0 * X**2)
    assert again == value


def test_transformed_functions_of_python_are_called_inside():
    slope = tl.grad(square)
    hessian = tl.hessian(lambda x: tl.sum(x**3))

    @tl.function
    def f(x, a):
        return slope(a), hessian(x)

    value, matrix = f(X, 3.0)
    assert value == 6.0
    np.testing.assert_allclose(matrix, np.diag(6.0 * X))


def test_the_method_of_the_compilation_is_taken_inside():
    @tl.function
    def f(x):
        return tl.grad(square)(x)

    assert 'method = "redundant"' in tl.compile(f, tl.f64, method="redundant").ir("input")


def test_integer_arguments_stay_constants():
    @tl.function
    def f(x):
        return tl.grad(lambda x, axis: tl.sum(tl.sum(x * x, axis)))(x, 1)

    a = np.arange(6.0).reshape(2, 3)
    np.testing.assert_allclose(f(a), 2.0 * a)
