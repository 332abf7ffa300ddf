"""Functions whose results have a size that is known only when running, through all transformations."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tapeless as tl

X = np.array([0.5, 1.5, -0.3, 0.7])
METHODS = ("redundant", "reversible", "coarsened")


def cut(x: Any, i: Any) -> Any:
    return x[:i] * x[0] ** 2


def cut_by_a_value(x: Any) -> Any:
    return x[: int(4 * x[0])] * x[1] ** 2


def kept(x: Any, i: Any) -> Any:
    """What a message says to write instead of `x[:i]`."""
    return np.where(np.arange(len(x)) < i, x, 0.0) * x[0] ** 2


@pytest.mark.parametrize("method", METHODS)
def test_derivatives_have_the_size_of_the_result(method: str) -> None:
    f = tl.function(cut)
    for i in (2, 3):
        known = tl.function(lambda x, i=i: np.stack([x[k] * x[0] ** 2 for k in range(2)] + [x[2] * x[0] ** 2])[:i])
        for transform in (tl.jacfwd, tl.jacrev, tl.hessian):
            result, expected = transform(f, method=method)(X, i), transform(known, method=method)(X)
            assert result.shape == expected.shape
            np.testing.assert_allclose(result, expected, rtol=1e-12)
        np.testing.assert_allclose(tl.jvp(f, (X, i), (X, 0), method=method)[1], 3 * X[:i] * X[0] ** 2, rtol=1e-12)


def test_the_size_may_be_a_value() -> None:
    f = tl.function(cut_by_a_value)
    expected = tl.hessian(tl.function(lambda x: x[:2] * x[1] ** 2))(X)
    np.testing.assert_allclose(tl.hessian(f)(X), expected, rtol=1e-12)


def test_rows_of_one_size() -> None:
    rows = tl.vmap(tl.function(cut), in_axes=(0, None))(np.stack([X, 2 * X]), 2)
    np.testing.assert_allclose(rows, [cut(X, 2), cut(2 * X, 2)], rtol=1e-12)
    loss = tl.function(lambda x, i: np.sum(cut(x, i)))
    slopes = tl.vmap(tl.grad(loss), in_axes=(None, 0))(X, np.array([1, 3]))
    np.testing.assert_allclose(slopes, [tl.grad(loss)(X, 1), tl.grad(loss)(X, 3)], rtol=1e-12)


@pytest.mark.parametrize("call", range(2))
def test_rows_of_many_sizes_are_refused_with_what_works(call: int) -> None:
    with pytest.raises(tl.TapelessError, match="an array whose size is known only inside") as error:
        if call:
            tl.vmap(tl.function(cut_by_a_value))(np.stack([X, X + 0.5]))
        else:
            tl.vmap(tl.function(cut), in_axes=(None, 0))(X, np.array([2, 3]))
    assert "test_sizes_of_results.py:" in str(error.value)
    assert "np.where(np.arange(len(x)) < k, x, 0.0) in place of x[:k]" in str(error.value)
    rows = tl.vmap(tl.function(kept), in_axes=(None, 0))(X, np.array([2, 3]))
    np.testing.assert_allclose(rows, [kept(X, 2), kept(X, 3)], rtol=1e-12)
