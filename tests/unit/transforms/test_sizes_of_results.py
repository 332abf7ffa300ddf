"""Functions whose results have a size that is known only when running, through all transformations."""

from __future__ import annotations

from collections.abc import Callable
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


@pytest.mark.one_in(3)
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


def cut_after_a_step(x: Any, i: Any) -> Any:
    doubled = x * 2.0
    return doubled[:i] + 1.0


def cut_on_both_sides(x: Any, i: Any) -> Any:
    return x[i : 2 * i]


def filled(x: Any, i: Any) -> Any:
    zeros = tl.zeros(i)
    return zeros + x[0]


def counted(x: Any, i: Any) -> Any:
    return x[0] * np.arange(i)


def by_rows(x: Any, i: Any) -> Any:
    return tl.map(lambda k: x[:k], np.array([i, i + 1]))


# Functions whose rows have many sizes, and what the message points at.
RAGGED = {
    cut: "x[:i] * x[0] ** 2",
    cut_after_a_step: "doubled[:i] + 1.0",
    cut_on_both_sides: "x[i : 2 * i]",
    filled: "tl.zeros(i)",
    counted: "np.arange(i)",
    by_rows: "x[:k], np.array([i, i + 1]))",
}


@pytest.mark.parametrize("ragged", RAGGED)
def test_rows_of_many_sizes_are_refused_where_they_get_them(ragged: Any) -> None:
    mapped = tl.vmap(tl.function(ragged), in_axes=(None, 0))
    assert pointed_at(lambda: mapped(X, np.array([2, 3]))) == RAGGED[ragged]


def test_so_are_rows_in_other_functions_and_derivatives() -> None:
    rows = tl.vmap(tl.function(cut), in_axes=(None, 0))
    n = np.array([2, 3])
    assert pointed_at(lambda: tl.grad(lambda x: np.sum(rows(x, n)))(X)) == RAGGED[cut]
    assert pointed_at(lambda: tl.vmap(tl.function(cut_by_a_value))(np.stack([X, X + 0.5]))).startswith("x[: int(4")


def pointed_at(refused: Callable[[], Any]) -> str:
    """The source behind the caret of a refusal."""
    with pytest.raises(
        tl.FrontendError, match=r"^\S*test_sizes_of_results.py:.*an array whose size is known only inside"
    ) as error:
        refused()
    assert "test_sizes_of_results.py:" in str(error.value)
    assert "np.where(np.arange(len(x)) < k, x, 0.0) in place of x[:k]" in str(error.value)
    *_, line, caret = str(error.value).splitlines()
    return line[caret.index("^") :]


def test_what_the_refusal_says_to_write_works() -> None:
    rows = tl.vmap(tl.function(kept), in_axes=(None, 0))(X, np.array([2, 3]))
    np.testing.assert_allclose(rows, [kept(X, 2), kept(X, 3)], rtol=1e-12)
