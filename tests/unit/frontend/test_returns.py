"""`return` inside loops and in branches that may go on: as Python, by every method and in every transformation."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tapeless as tl
from frontend.running import check, translate

X = np.array([0.5, 1.5, 2.5, 3.5])
METHODS = ("redundant", "reversible", "coarsened")
LIMITS = (-1.0, 0.0, 1.0, 2.0, 3.0, 7.0, 50.0)


def first_large(x, c):
    for i in range(len(x)):
        square = x[i] * x[i]
        if square > c:
            return square * x[0]
    return x[0] * 3


def nest(x, c):
    total = 0.0
    for i in range(len(x)):
        for j in range(i):
            total += x[i] * x[j]
            if total > c:
                return total * x[j]
        else:
            total += x[0]
        if total < -1:
            break
        if i == 3:
            return total * 2
    else:
        return total
    return x[1]


def endless(x, c):
    k, total = 0, 0.0
    while True:
        total += x[k] * total + x[0]
        k = (k + 1) % len(x)
        if total > c:
            return total * c


def in_branches(x, c):
    if c > 1:
        y = x[0]
        if c > 2:
            return y * y
        y = y + 1
    else:
        for v in x:
            if v > 1 + c:
                return v * v * v
        y = x[1]
    return y * 7


def over_a_tuple(x, c):
    for k in (1, 2, 3):
        if x[k] > c:
            return x[k] * k
    return x[0]


def with_else(x, c):
    for i in range(3):
        if x[i] > c:
            break
        if x[i] < 0:
            return 0
    else:
        return x[2] * 2
    return x[i] * x[i]


def in_while(x, c):
    i, seen = 0, x[0]
    while i < len(x):
        if x[i] < 1:
            i += 1
            continue
        if c < 1:
            value = seen * x[i]
        elif x[i] > c:
            return x[i] * seen
        else:
            value = seen + x[i]
        seen = value * 1.5
        i += 1
    return seen


def after_raise(x, c):
    if c < -5:
        raise ValueError("c is small")
    else:
        scale = c + 2
    for v in x:
        if v * scale > 2:
            return v * scale * x[0]
    raise ValueError("none is large")


def arrays(x, c):
    for v in x:
        if v > c:
            return x * v
        elif v < 0:
            return x
    return x + 1


def of_two_arrays(x, c):
    for i in range(2):
        for v in x:
            if v > c + i:
                return v * x, i, (v, x[i:])
    return x, 5, (x[0], x[:2])


SCALARS = (first_large, nest, endless, in_branches, over_a_tuple, with_else, in_while)
ALL = (*SCALARS, after_raise, arrays, of_two_arrays)


@pytest.mark.one_in(2)
@pytest.mark.parametrize("function", ALL, ids=lambda each: each.__name__)
def test_results_are_those_of_python(function):
    for limit in LIMITS:
        if function is after_raise or (function is endless and limit > 10):
            continue
        check(function, X, limit)


def test_arrays_of_a_size_that_an_iteration_decides():
    def f(x, c):
        for i in range(len(x)):
            if x[i] > c:
                return x[:i] * 2
        return x

    for limit in LIMITS:
        check(f, X, limit)


def test_no_iteration_and_no_path_to_a_return():
    assert tl.jit(lambda x: never(x, 1))(X) == 7.0
    assert tl.jit(lambda x: never(x, None))(X) == 0.5
    check(lambda x: first_of(x), np.zeros(0), expected=-1.0)


@tl.function
def never(x, k):
    for v in x:
        if k is None:
            return v
    return 7.0


@tl.function
def first_of(x):
    for v in x:
        return v
    return -1.0


def losses(function: Callable[..., Any], given: Callable[..., Any]) -> Callable[..., Any]:
    if function is arrays:
        return lambda x, c: np.sum(given(x, c) ** 2)
    if function is of_two_arrays:
        return lambda x, c: np.sum(given(x, c)[0] ** 3) * np.sum(given(x, c)[2][1])
    return lambda x, c: given(x, c) ** 2


@pytest.mark.one_in(36)
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("function", ALL, ids=lambda each: each.__name__)
def test_derivatives(function, method):
    loss, plain = tl.function(losses(function, tl.function(function))), losses(function, function)
    rows, limit = np.stack([X, X * 0.9, X[::-1] * 1.1]), 0.2
    steps = 1e-6 * np.eye(len(X))
    slopes = np.array([[(plain(row + h, limit) - plain(row - h, limit)) / 2e-6 for h in steps] for row in rows])
    gradient = tl.grad(loss, method=method)
    many = tl.vmap(gradient, in_axes=(0, None))(rows, limit)
    np.testing.assert_allclose(many, slopes, rtol=1e-6, atol=1e-6)
    np.testing.assert_allclose(gradient(X, limit), many[0], rtol=1e-12)
    tangent = tl.jvp(loss, (X, limit), (rows[2], 0.0), method=method)[1]
    np.testing.assert_allclose(tangent, many[0] @ rows[2], rtol=1e-12)
    curves = np.array([(gradient(X + h, limit) - gradient(X - h, limit)) / 2e-6 for h in steps])
    np.testing.assert_allclose(tl.hessian(loss, method=method)(X, limit), curves, rtol=1e-6, atol=1e-5)


def test_raise_at_the_end():
    f = tl.jit(after_raise)
    assert f(X, 1.0) == after_raise(X, 1.0)
    for limit, text in ((-1.9, "none is large"), (-6.0, "c is small")):
        with pytest.raises(ValueError, match=text):
            f(X, limit)
        with pytest.raises(ValueError, match=text):
            tl.grad(f)(X, limit)


def different_kinds(x):
    for v in x:
        if v > 1:
            return v
        if v < 0:
            return x
    return 0.0


def nothing_at_the_end(x):
    for v in x:
        if v > 1:
            return v


def bare(x):
    for v in x:
        if v > 1:
            return
    return 1.0


def always_raises(x):
    if x is None:
        return 1.0
    raise ValueError("always")


def unbound(x):
    for k in (1, 2):
        if x[k] > 1:
            break
        y = x[k]
    return y


def unbound_after_break(x):
    for v in x:
        if v > 1:
            break
        y = v
    return y


def unbound_after_continue(x):
    for v in x:
        if v > 1:
            continue
        y = v
    return y


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (unbound_after_break, "'y' is set only inside the loop in line .*, which may leave an iteration before"),
        (unbound_after_continue, "'y' is set only inside the loop in line .*, which may leave an iteration before"),
        (different_kinds, "what is returned is"),
        (nothing_at_the_end, "a path through the function returns nothing"),
        (bare, "'return' needs a value"),
        (always_raises, "every path through the function raises"),
        (unbound, "'y' has a value on only some paths"),
    ],
)
def test_refusals(function, message):
    with pytest.raises(tl.FrontendError, match=message):
        translate(function, X)
