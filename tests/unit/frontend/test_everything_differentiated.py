"""Statements, names of numpy and indices through `grad`, `jvp`, `vmap` and `hessian`, by every method.

Each function means the same to numpy, whose central differences are the reference; second derivatives are compared
with differences of gradients.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tapeless as tl
from programs.numpy_names import NAMES, K
from tapeless.frontend.composed.table import DEFINITIONS
from tapeless.frontend.composed.ufunc_methods import METHODS

WAYS = ("redundant", "reversible", "coarsened")
X = np.array([0.7, 1.3, 0.4, 2.1, 1.7, 0.9])
ROWS = np.stack([X, X[::-1] * 1.1])
STEP = 1e-6


def loops(x):
    total = 0.0
    for i, v in enumerate(x):
        total += i * v * v
    for v, w in zip(x[:-2], x[2:], strict=True):
        total += v * w * w
    for v in reversed(x):
        total = 0.5 * total + np.sin(v)
    for a, (b, c) in ((x[0], (x[1], 2.0)), (x[2], (x[3], 3.0))):
        total += a * b * c
    return total


def unpacking(x):
    a, b, (c, d), e = x[0], x[1], x[2:4], x[5]
    p, *_ = x[0] * 2.0, 1
    a, b = b * b, a * c
    return a * d + b * e + p


def loop_else(x):
    for v in x:
        if v > 5.0:
            break
    else:
        return np.sum(x**3)
    return x[0]


def checks(x):
    assert x[0] > 0, "positive"
    if x[1] < 0:
        raise ValueError("negative")
    return x[0] * x[1] ** 2


def returns(x):
    total = 0.0
    for i in range(len(x)):
        for j in range(i):
            total += x[i] * x[j]
            if total > 2.0:
                return total * x[i]
    return total


def writes(x):
    y = np.zeros((2, 3))
    y[0] = x[:3]
    y[1][0] = x[3] ** 2
    y[1, 1:] += x[4:] * x[0]
    y[:, 2] *= x[1]
    y[0, 0], y[1, 1] = y[1, 1], y[0, 0]
    return np.sum(y * y)


def index_arrays(x):
    y = x * 1.0
    y[K] = x[K + 1] ** 2
    np.add.at(y, K, x[:4] * x[2])
    y[[5, 3]] *= x[0]
    return np.sum(y[K] * x[K]) + np.sum(y**2)


def index_arrays_of_matrices(x):
    m = x.reshape(2, 3)
    return np.sum(m[[0, 1, 1], [2, 0, 0]] ** 3) + np.sum(m[:, [0, 2]] * m[:, [1, 1]]) + np.sum(m[[1, 0]] * m)


def masks(x):
    y = x * x
    y[x > 1.0] = x[0]
    y[y < 0.3] += 2.0 * x[1]
    return np.sum(y**2) + np.sum(np.where(x > 1.0, x**3, x))


def computed_steps(x):
    y = x * 1.0
    for s in range(1, 3):
        y[::-s] = x[::s] * x[0]
        y[:: s + 1] += x[:: s + 1] ** 2
    return np.sum(y**2)


def quotients(x):
    whole, rest = divmod(x, 0.37)
    return np.sum(rest**2 * whole) + np.sum((x // 0.37) * x) + np.sum(x % 0.53)


def ones_at_run_time(x):
    m = x.reshape(2, 3)
    total = 0.0
    for k in range(1, 3):
        total += np.sum(m[:, :1] * m**k) + np.sum(m[k - 1 : k] ** 2 * m)
    return total


def named_expressions(x):
    value, count = x[0] + 10.0, 0
    while (half := value * 0.5) > x[1]:
        value = half * x[2] ** 0.1
        if (count := count + 1) > 3:
            break
    if (total := np.sum(x * value)) > 1.0:
        total = total * half
    return total + (square := half * half) * square


def rests(x):
    first, *others, last = x
    (a, *_), b = (x[1:], 2.0)
    total = first * last * sum(others) + a * b
    for v, *w in x.reshape(2, 3):
        total += v * np.prod(np.array(w))
    return total


def reduction_options(x):
    m = x.reshape(2, 3)
    total = np.sum(x, where=x > 1.0, initial=x[0]) * np.prod(x, where=x < 2.0) + np.mean(m, axis=0, where=m < 2.0)[1]
    return total + np.max(m, axis=1, initial=1.5)[0] * np.min(x, where=x > 0.5, initial=x[1])


STATEMENTS: dict[str, Callable[..., Any]] = {
    function.__name__: function
    for function in (
        loops,
        unpacking,
        loop_else,
        checks,
        returns,
        writes,
        index_arrays,
        index_arrays_of_matrices,
        masks,
        computed_steps,
        quotients,
        ones_at_run_time,
        named_expressions,
        reduction_options,
        rests,
    )
}


def test_every_name_is_here() -> None:
    """But for random numbers, which numpy has in another form: `programs/random_numbers.py` differentiates them."""
    missing = {**DEFINITIONS, **METHODS}.keys() - NAMES.keys()
    assert {name for name in missing if not name.startswith("random.")} == set()


def differences(plain: Callable[..., Any], x: np.ndarray) -> np.ndarray:
    steps = STEP * np.eye(len(x))
    return np.array([(plain(x + h) - plain(x - h)) / (2 * STEP) for h in steps])


def check(function: Callable[..., Any], method: str) -> None:
    inner = tl.function(function)

    def plain(x):
        return np.sum(np.sin(function(x)) * 1.5)

    loss = tl.function(lambda x: np.sum(np.sin(inner(x)) * 1.5))
    gradient = tl.grad(loss, method=method)
    slopes = np.array([differences(plain, row) for row in ROWS])
    np.testing.assert_allclose(gradient(X), slopes[0], rtol=1e-6, atol=1e-6)
    np.testing.assert_allclose(tl.vmap(gradient)(ROWS), slopes, rtol=1e-6, atol=1e-6)
    tangent = tl.jvp(loss, (X,), (ROWS[1],), method=method)[1]
    np.testing.assert_allclose(tangent, slopes[0] @ ROWS[1], rtol=1e-6, atol=1e-6)
    np.testing.assert_allclose(tl.hessian(loss, method=method)(X), differences(gradient, X), rtol=1e-5, atol=1e-5)


@pytest.mark.one_in(30)
@pytest.mark.parametrize("method", WAYS)
@pytest.mark.parametrize("name", STATEMENTS)
def test_statements(name: str, method: str) -> None:
    check(STATEMENTS[name], method)


@pytest.mark.one_in(274)
@pytest.mark.parametrize("method", WAYS)
@pytest.mark.parametrize("name", NAMES)
def test_names(name: str, method: str) -> None:
    check(NAMES[name], method)
