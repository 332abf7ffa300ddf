"""Batching: axes, arguments that are not mapped, and with derivatives in any order."""

import numpy as np
import pytest

import tapeless as tl

X = np.array([0.5, -1.25, 2.0])
A = np.arange(12.0).reshape(3, 4) / 5.0


def test_scalars_become_vectors():
    np.testing.assert_allclose(tl.vmap(lambda x: x * x)(X), X * X)
    np.testing.assert_allclose(tl.vmap(tl.sin)(X), np.sin(X))


def test_axes():
    def total(row, weight):
        return tl.sum(row) * weight

    np.testing.assert_allclose(tl.vmap(total)(A, X), A.sum(1) * X)
    np.testing.assert_allclose(tl.vmap(total, in_axes=(1, None))(A, 2.0), A.sum(0) * 2.0)
    np.testing.assert_allclose(tl.vmap(total, in_axes=(-1, 0))(A, np.arange(4.0)), A.sum(0) * np.arange(4.0))
    np.testing.assert_allclose(tl.vmap(total, in_axes=(None, 0))(X, X), X.sum() * X)


def test_results_are_stacked_along_axis_0():
    rows, sums = tl.vmap(lambda column: (2.0 * column, tl.sum(column)), in_axes=1)(A)
    np.testing.assert_allclose(rows, 2.0 * A.T)
    np.testing.assert_allclose(sums, A.sum(0))


def test_annotated_parameters_get_an_axis():
    @tl.function
    def f(x: tl.f64[3], n: tl.i64):
        return x * n

    np.testing.assert_allclose(tl.vmap(f, in_axes=(1, None))(A, 2), 2.0 * A.T)


def test_defaults_are_not_mapped():
    def f(x, scale=3.0):
        return x * scale

    np.testing.assert_allclose(tl.vmap(f)(X), 3.0 * X)
    np.testing.assert_allclose(tl.vmap(f)(X, 2.0), 2.0 * X)
    np.testing.assert_allclose(tl.vmap(f)(X, X), X * X)
    np.testing.assert_allclose(tl.vmap(f, in_axes=(0,))(X), 3.0 * X)
    decorated = tl.function(f)
    np.testing.assert_allclose(tl.function(lambda x: tl.vmap(decorated)(x))(X), 3.0 * X)
    weight = np.ones(3)

    def g(x, w=weight):
        return tl.sum(w) * x

    with pytest.raises(tl.ArgumentError, match="in_axes as a tuple"):
        tl.vmap(g)
    np.testing.assert_allclose(tl.vmap(g, in_axes=(0, None))(X), 3.0 * X)


def test_nested():
    np.testing.assert_allclose(tl.vmap(tl.vmap(lambda x, y: x * y))(A, A), A * A)
    outer = tl.vmap(tl.vmap(lambda x, y: x * y, in_axes=(None, 0)), in_axes=(0, None))
    np.testing.assert_allclose(outer(X, np.arange(4.0)), np.outer(X, np.arange(4.0)))


def test_of_gradients():
    np.testing.assert_allclose(tl.vmap(tl.grad(lambda x: x**3))(X), 3.0 * X**2)
    rows = tl.vmap(tl.grad(lambda row, s: tl.sum(row * row) * s), in_axes=(0, None))(A, 3.0)
    np.testing.assert_allclose(rows, 6.0 * A)


def test_gradients_of_it():
    def loss(a, w):
        return tl.sum(tl.vmap(lambda row: tl.sum(row * w) ** 2)(a))

    w = np.array([1.0, -1.0, 0.5, 2.0])
    by_a, by_w = tl.grad(loss, argnums=(0, 1))(A, w)
    np.testing.assert_allclose(by_a, 2.0 * (A @ w)[:, None] * w, rtol=1e-13)
    np.testing.assert_allclose(by_w, 2.0 * A.T @ (A @ w), rtol=1e-13)


def test_of_hessians():
    found = tl.vmap(tl.hessian(lambda row: tl.sum(row) ** 3))(A)
    np.testing.assert_allclose(found, np.broadcast_to((6.0 * A.sum(1))[:, None, None], (3, 4, 4)), rtol=1e-13)


@pytest.mark.parametrize("mode", [tl.jacfwd, tl.jacrev])
def test_jacobians_of_it(mode):
    np.testing.assert_allclose(mode(tl.vmap(lambda x: x**3))(X), np.diag(3.0 * X**2), rtol=1e-13)
