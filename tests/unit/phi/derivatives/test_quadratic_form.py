"""The quadratic form (X2 v)' X1 (X2 v) and its gradient X2' (X1 + X1') X2 v: operators on arrays are no segments."""

from __future__ import annotations

import numpy as np
import pytest

import tapeless as tl


@tl.function
def by_operators(first: tl.f64[:, :], second: tl.f64[:, :], v: tl.f64[:]):
    y = second @ v
    return tl.sum(y * (first @ y))


@tl.function
def by_loops(first: tl.f64[:, :], second: tl.f64[:, :], v: tl.f64[:]):
    n = len(v)
    total = 0.0
    y = tl.zeros(n)
    for i in range(n):
        for j in range(n):
            y[i] += second[i, j] * v[j]
    for i in range(n):
        for j in range(n):
            total += y[i] * first[i, j] * y[j]
    return total


def matrices(n):
    rng = np.random.default_rng(n)
    return rng.normal(size=(n, n)), rng.normal(size=(n, n)), rng.normal(size=n)


def expected(first, second, v):
    return second.T @ ((first + first.T) @ (second @ v))


@pytest.mark.one_in(2)
@pytest.mark.parametrize("n", [1, 2, 7, 30])
@pytest.mark.parametrize("function", [by_operators, by_loops], ids=["operators", "loops"])
@pytest.mark.parametrize("method", ["coarsened", "redundant"])
def test_gradient(function, method, n):
    given = matrices(n)
    value, slopes = tl.value_and_grad(function, argnums=2, method=method)(*given)
    y = given[1] @ given[2]
    assert value == pytest.approx(y @ given[0] @ y, rel=1e-11, abs=1e-12)
    np.testing.assert_allclose(slopes, expected(*given), rtol=1e-10, atol=1e-11)


def test_all_arguments_and_second_order():
    first, second, v = matrices(6)
    in_all = [
        tl.grad(by_operators, argnums=(0, 1, 2), method=each)(first, second, v) for each in ("coarsened", "redundant")
    ]
    for mine, other in zip(*in_all, strict=True):
        np.testing.assert_allclose(mine, other, rtol=1e-12, atol=1e-13)
    y = second @ v
    np.testing.assert_allclose(in_all[0][0], np.outer(y, y), rtol=1e-12, atol=1e-13)
    hessian = tl.hessian(by_operators, argnums=2, method="coarsened")(first, second, v)
    np.testing.assert_allclose(hessian, second.T @ (first + first.T) @ second, rtol=1e-11, atol=1e-11)


def test_matrices_are_read_as_often_as_by_redundant():
    """X2 v, X1 times that and its transpose times that, X2' times their sum; nothing of the value is left."""
    given = matrices(30)
    for method in ("coarsened", "redundant"):
        code = tl.compile(tl.grad(by_operators, argnums=2, method=method), given).ir("soac-mark-fma")
        assert code.count(": (index, tensor<?x?xf64>") == 4
        assert code.count("tensor<?x?xf64>)") == 2
