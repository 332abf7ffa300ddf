"""Mistakes in the use of transformations: the class of the error, the place it names, and what to do."""

import numpy as np
import pytest

import tapeless as tl

X = np.array([0.5, -1.25, 2.0])


def scale(x, n):
    return x * n


MADE_WRONG = [
    (lambda: tl.grad(scale, argnums=2), "argnums=2, but scale\\(\\) has 2 parameters; count from 0"),
    (lambda: tl.grad(scale, argnums="m"), "'m', which is no parameter of scale"),
    (lambda: tl.grad(scale, argnums=1.5), "argnums=1.5 is no index or name"),
    (lambda: tl.grad(scale, has_aux=1), "has_aux=1 is not a bool"),
    (lambda: tl.grad(scale, method="auto"), "unknown method 'auto'; use one of 'redundant'"),
    (lambda: tl.hessian(scale, method="redundnat"), "unknown method 'redundnat'; did you mean 'redundant'\\?"),
    (lambda: tl.jvp(scale, (1.0, 2), (1.0, 0), method="fast"), "unknown method 'fast'; use one of 'redundant'"),
    (lambda: tl.vjp(scale, 1.0, 2, method=3), "unknown method 3; use one of 'redundant'"),
    (lambda: tl.compile(tl.grad(scale), (1.0, 2), method="auto"), "unknown method 'auto'"),
    (lambda: tl.grad(3.0), "tl.grad takes a function, not 3.0"),
    (lambda: tl.grad(tl.max), "tl.grad of tl.max, whose number of arguments is not fixed"),
    (lambda: tl.vmap(scale, in_axes=(0,)), "in_axes has 1 entries for the 2 parameters of scale"),
    (lambda: tl.vmap(scale, in_axes="x"), "in_axes='x' is no axis"),
]


@pytest.mark.parametrize(("make", "message"), MADE_WRONG)
def test_refused_when_made(make, message):
    with pytest.raises(tl.ArgumentError, match=message):
        make()


CALLED_WRONG = [
    (lambda: tl.grad(scale)(X, 2), tl.ArgumentError, "the loss of tl.grad is an array of type tl.f64"),
    (lambda: tl.grad(lambda x: (x, x))(1.0), tl.ArgumentError, "the loss of tl.grad is a tuple of 2"),
    (lambda: tl.grad(lambda x: int(x))(1.0), tl.ArgumentError, "is a scalar of type tl.i64"),
    (lambda: tl.grad(lambda x: x, has_aux=True)(1.0), tl.ArgumentError, "return \\(loss, aux\\)"),
    (lambda: tl.grad(scale, argnums=1)(1.0, 2), tl.TypeMismatch, "in 'n', which is a scalar of type tl.i64"),
    (lambda: tl.grad(lambda x: x)(2), tl.TypeMismatch, "differentiate in floats"),
    (lambda: tl.hessian(lambda x: (x, 1))(2.0), tl.TypeMismatch, "integer or bool results"),
    (lambda: tl.grad(scale)(1.0), tl.ArgumentError, "needs a value for 'n'"),
    (lambda: tl.grad(scale)(1.0, 2, 3), tl.ArgumentError, "takes 2 arguments but 3 were given"),
    (lambda: tl.jvp(scale, (1.0, 2), (1.0,)), tl.ArgumentError, "1 tangents for 2 primals"),
    (lambda: tl.jvp(scale, (1.0, 2), (1.0, 3)), tl.ArgumentError, "the tangent of 'n', which is no float"),
    (lambda: tl.jvp(scale, (X, 2), (1.0, 0)), tl.TypeMismatch, "the tangent of x"),
    (lambda: tl.jvp(scale, (X, 2), (X.astype(np.float32), 0)), tl.TypeMismatch, r"with \.astype\(np.float64"),
    (lambda: tl.jvp(scale, (X, 2), (X[:2], 0)), tl.ShapeMismatch, r"tangent of x has shape \(2,\), and x \(3,\)"),
    (lambda: tl.grad(lambda x: (x, x))(1.0), tl.ArgumentError, r"use has_aux=True for \(loss, aux\)"),
    (lambda: tl.vjp(scale, X, 2)[1](X[:2]), tl.ShapeMismatch, r"the cotangent has shape \(2,\), and the result \(3,\)"),
    (lambda: tl.vjp(scale, X, 2)[1](1.0), tl.TypeMismatch, "the cotangent"),
    (lambda: tl.vjp(scale, X, 2)[1](X.astype(np.float32)), tl.TypeMismatch, "the cotangent"),
    (lambda: tl.vjp(lambda x: (x, x), X)[1](X), tl.ArgumentError, "the cotangent of a tuple of 2 results is a ndarray"),
    (lambda: tl.vjp(lambda x: (x, x), X)[1]((X,)), tl.ArgumentError, "is a tuple of 1; give a tuple of 2"),
    (lambda: tl.vmap(lambda x: x)(1.0), tl.ArgumentError, "over axis 0 of 'x', which is a scalar"),
    (lambda: tl.vmap(lambda x: x, in_axes=1)(X), tl.ArgumentError, "map an axis it has"),
    (lambda: tl.vmap(lambda x: x, in_axes=None)(X), tl.ArgumentError, "without a mapped argument"),
    (lambda: tl.vmap(scale)(X, X[:2]), tl.ShapeMismatch, "sizes 3 and 2 of axis 0"),
]


@pytest.mark.parametrize(("call", "error", "message"), CALLED_WRONG)
def test_refused_when_called(call, error, message):
    with pytest.raises(error, match=message):
        call()


INSIDE = [
    (lambda x: tl.grad(x)(x), tl.TypeMismatch, "tl.grad takes a function, not a scalar"),
    (lambda x: tl.grad(lambda y: (y, y))(x), tl.ArgumentError, "the loss of tl.grad is a tuple"),
    (lambda x: tl.grad(lambda y: y, argnums=1)(x), tl.ArgumentError, "argnums=1, and the lambda has 1 arguments"),
    (lambda x: tl.grad(lambda y: y, argnums="z")(x), tl.ArgumentError, "names 'z'"),
    (lambda x: tl.grad(lambda y: y, argnums=())(x), tl.ArgumentError, "name every argument to differentiate once"),
    (lambda x: tl.grad(lambda y: y, method="auto")(x), tl.ArgumentError, "unknown method 'auto'"),
    (lambda x: tl.grad(lambda y: y)(x, x), tl.ArgumentError, "takes 1 positional arguments"),
    (lambda x: tl.jvp(lambda y: y, (x,), (x, x)), tl.ArgumentError, "2 tangents for 1 arguments"),
    (lambda x: tl.jvp(lambda y: y * y, (2,), (x,)), tl.ArgumentError, "the tangent of 'y', which is no float"),
    (lambda x: tl.jvp(lambda y: y * y, (2,), (1,)), tl.ArgumentError, "give zeros, or make it a float"),
    (lambda x: tl.jvp(lambda y: y, tl.ones(3), tl.ones(2)), tl.ShapeMismatch, "has size 2 in axis 0"),
    (lambda x: tl.vjp(lambda y: y, x)[1](x, x), tl.ArgumentError, "takes one cotangent, not 2"),
    (lambda x: tl.vjp(lambda y: (y, y), x)[1](x), tl.ArgumentError, "1 cotangents for 2 results"),
    (lambda x: tl.vjp(lambda y: y, x)[1](tl.ones(2)), tl.TypeMismatch, "the cotangent is an array"),
    (lambda x: tl.jit(lambda y: y, threads=2)(x), tl.FrontendError, "options of tl.jit inside a function"),
    (lambda x: tl.grad(lambda y: lambda z: z)(x), tl.TapelessError, "a function"),
    (lambda x: tl.grad(lambda y: y), tl.TypeMismatch, "returns a function"),
]


@pytest.mark.parametrize(("function", "error", "message"), INSIDE)
def test_refused_inside_functions_with_the_place(function, error, message):
    with pytest.raises(error, match=message) as caught:
        tl.function(function)(1.0)
    assert "test_errors.py:" in str(caught.value)


def test_errors_of_transformed_functions_show_the_function():
    with pytest.raises(tl.ArgumentError, match=r"test_errors\.py:\d+:\d+: the loss [^\n]*\n *def scale\(x, n\):"):
        tl.grad(scale)(X, 2)


def test_a_pullback_stays_in_its_branch():
    def f(x):
        pullback = tl.vjp(tl.sin, x)[1]
        if x > 0.0:
            _, pullback = tl.vjp(tl.cos, x)
        return pullback(1.0)[0]

    with pytest.raises(tl.FrontendError):
        tl.function(f)(1.0)


def test_run_time_checks_work_inside_derivatives():
    @tl.function
    def f(x, i):
        return x[i] * x[i]

    with pytest.raises(tl.IndexOutOfRange):
        tl.grad(f)(X, 7)


def unrolled_too_often(x):
    for _ in tl.range(5000, unroll=True):
        x = x * 1.5
    return x


@pytest.mark.parametrize("transform", [tl.grad, tl.jacfwd])
def test_unrolling_has_a_limit(transform):
    message = r"5000; the limit is 1024 per function.*use stripmine(.|\n)*tl.range\(5000"
    with pytest.raises(tl.FrontendError, match=message):
        transform(unrolled_too_often)(1.0)
