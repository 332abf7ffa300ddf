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
from tapeless.frontend.composed.table import DEFINITIONS

METHODS = ("redundant", "reversible", "coarsened")
X = np.array([0.7, 1.3, 0.4, 2.1, 1.7, 0.9])
ROWS = np.stack([X, X[::-1] * 1.1])
K = np.array([1, 4, 1, 0])
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
    )
}


def matrix(x):
    return np.outer(x, x) * 0.1 + 3.0 * np.eye(6)


NAMES: dict[str, Callable[..., Any]] = {
    "add": lambda x: np.add(x, x[0]),
    "append": lambda x: np.append(x, x[:2] ** 2),
    "arange": lambda x: np.arange(6) * x,
    "array": lambda x: np.array([[x[0], x[1] ** 2], [1.0, x[2]]]),
    "average": lambda x: np.average(x, weights=x * x),
    "bincount": lambda x: np.bincount(K) * x[:5],
    "clip": lambda x: np.clip(x, 0.5, 1.5),
    "cross": lambda x: np.cross(x[:3], x[3:]),
    "degrees": lambda x: np.degrees(x),
    "diag": lambda x: np.diag(x),
    "diagonal": lambda x: np.diagonal(np.outer(x, x)),
    "diff": lambda x: np.diff(x),
    "divide": lambda x: np.divide(x, x[0]),
    "divmod": lambda x: np.divmod(x, 0.37)[1],
    "einsum": lambda x: np.einsum("ij,j->i", np.outer(x, x), x),
    "expand_dims": lambda x: np.expand_dims(x, 1) * x,
    "eye": lambda x: np.eye(6) * x,
    "fabs": lambda x: np.fabs(x - 1.0),
    "flatten": lambda x: np.outer(x, x[:2]).flatten(),
    "flip": lambda x: np.flip(x),
    "fliplr": lambda x: np.fliplr(x.reshape(2, 3)),
    "flipud": lambda x: np.flipud(x.reshape(2, 3)),
    "floor_divide": lambda x: np.floor_divide(x, 0.37) * x,
    "fmax": lambda x: np.fmax(x, 1.0),
    "fmin": lambda x: np.fmin(1.0, x),
    "heaviside": lambda x: np.heaviside(x - 1.0, 0.5) * x,
    "hstack": lambda x: np.hstack((x, x[:1])),
    "identity": lambda x: np.identity(6) * x,
    "inner": lambda x: np.inner(x, x[::-1]),
    "interp": lambda x: np.interp(1.25, np.arange(6.0), x) * x,
    "isinf": lambda x: np.where(np.isinf(x), 0.0, x),
    "logaddexp": lambda x: np.logaddexp(x, x[0]),
    "logical_and": lambda x: np.where(np.logical_and(x > 0.5, x < 1.5), x, 0.0),
    "logical_not": lambda x: np.where(np.logical_not(x > 0.5), x, 0.0),
    "logical_or": lambda x: np.where(np.logical_or(x < 0.5, x > 1.5), x, 0.0),
    "logical_xor": lambda x: np.where(np.logical_xor(x > 0.5, x > 1.5), x, 0.0),
    "median": lambda x: np.median(x),
    "meshgrid": lambda x: np.meshgrid(x[:2], x[2:])[0] * np.meshgrid(x[:2], x[2:])[1],
    "mod": lambda x: np.mod(x, 0.37),
    "moveaxis": lambda x: np.moveaxis(x.reshape(2, 3), 0, 1),
    "multiply": lambda x: np.multiply(x, x[0]),
    "negative": lambda x: np.negative(x),
    "pad": lambda x: np.pad(x, (1, 2)),
    "radians": lambda x: np.radians(x),
    "ravel": lambda x: np.ravel(np.outer(x, x[:2])),
    "reciprocal": lambda x: np.reciprocal(x),
    "relu": lambda x: np.maximum(x - 1.0, 0.0),
    "repeat": lambda x: np.repeat(x, 2),
    "roll": lambda x: np.roll(x, 2) * x,
    "searchsorted": lambda x: np.searchsorted(np.arange(6.0), 2.5) * x,
    "square": lambda x: np.square(x),
    "squeeze": lambda x: np.squeeze(x[:1], axis=0) * x,
    "std": lambda x: np.std(x),
    "subtract": lambda x: np.subtract(x, x[0]),
    "swapaxes": lambda x: np.swapaxes(x.reshape(2, 3), 0, 1),
    "take": lambda x: np.take(x, K),
    "tile": lambda x: np.tile(x, 2),
    "trace": lambda x: np.trace(np.outer(x, x)),
    "tril": lambda x: np.tril(np.outer(x, x)),
    "triu": lambda x: np.triu(np.outer(x, x), 1),
    "var": lambda x: np.var(x, ddof=1),
    "vdot": lambda x: np.vdot(x, x[::-1]),
    "allclose": lambda x: np.where(np.allclose(x, x + 1.0), x, x * x),
    "array_split": lambda x: np.array_split(x, 4)[0] * x[0],
    "convolve": lambda x: np.convolve(x, x[:2]),
    "count_nonzero": lambda x: np.count_nonzero(x > 1.0) * x,
    "cov": lambda x: np.cov(x.reshape(2, 3)),
    "flatnonzero": lambda x: x[np.flatnonzero(K)] * x[0],
    "gradient": lambda x: np.gradient(x),
    "isclose": lambda x: np.where(np.isclose(x, 0.7), x, x * x),
    "kron": lambda x: np.kron(x[:2], x[2:]),
    "linalg.cholesky": lambda x: np.linalg.cholesky(matrix(x)),
    "linalg.det": lambda x: np.linalg.det(matrix(x)),
    "linalg.inv": lambda x: np.linalg.inv(matrix(x)),
    "linalg.norm": lambda x: np.linalg.norm(x),
    "linalg.slogdet": lambda x: np.linalg.slogdet(matrix(x))[1],
    "linalg.solve": lambda x: np.linalg.solve(matrix(x), x),
    "nan_to_num": lambda x: np.nan_to_num(x),
    "nonzero": lambda x: x[np.nonzero(K)[0]] * x[0],
    "percentile": lambda x: np.percentile(x, 40.0),
    "polyval": lambda x: np.polyval(x[:3], x),
    "ptp": lambda x: np.ptp(x),
    "quantile": lambda x: np.quantile(x, 0.3),
    "round": lambda x: np.round(x) * x,
    "select": lambda x: np.select([x > 1.5, x > 0.8], [x**2, x**3], 0.5),
    "sinc": lambda x: np.sinc(x),
    "split": lambda x: np.split(x, 3)[1] * x[0],
    "tensordot": lambda x: np.tensordot(np.outer(x, x), x, axes=1),
    "trapezoid": lambda x: np.trapezoid(x, dx=0.5),
    "vstack": lambda x: np.vstack((x, x * x)),
}


def test_every_name_is_here() -> None:
    assert DEFINITIONS.keys() - NAMES.keys() == set()


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


@pytest.mark.one_in(4)
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("name", STATEMENTS)
def test_statements(name: str, method: str) -> None:
    check(STATEMENTS[name], method)


@pytest.mark.one_in(24)
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("name", NAMES)
def test_names(name: str, method: str) -> None:
    check(NAMES[name], method)
