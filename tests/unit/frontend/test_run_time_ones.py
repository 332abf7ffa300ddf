"""Axes of intermediate arrays that have size 1 only at run time broadcast as in numpy; derivatives sum over them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tapeless as tl

M = np.arange(12.0).reshape(3, 4) / 7 + 0.5
X = np.arange(1.0, 6.0)
METHODS = ("redundant", "reversible", "coarsened")


def columns(m, k):
    return m[:, :k] * m


def rows_and_columns(m, k):
    return (m[:k] + m[:, :k]) * m - m[:k, :k]


def on_the_right(m, k):
    return m / (1.0 + m[:, :k]) + np.maximum(m[0], m[:k])


def choice(m, k):
    return np.where(m[:k] > 0.9, m, m[:, :k] * 2.0)


def written(m, k):
    y = m * 1.0
    y[:, :] = m[:, :k] * m[0, 0]
    y[1:] += m[:k]
    y[0] *= m[0, :k]
    return y


def in_a_loop(m, k):
    y = m[:k] * 1.0
    for i in range(2):
        y = y * m[i : i + k] + m
    return y


def in_a_branch(m, k):
    y = m[:k] if k < 3 else m[:2]
    return y[:1] * m if k > 3 else y * m


def of_kept_axes(m, k):
    return m - np.sum(m[:k], axis=0, keepdims=True) * m[:, :k] / np.sum(m[:, :k], axis=1, keepdims=True)


def computed_step(m, k):
    return m[:: k + 2] * m[:, :: k + 3]


FUNCTIONS = (
    columns,
    rows_and_columns,
    on_the_right,
    choice,
    written,
    in_a_loop,
    in_a_branch,
    of_kept_axes,
    computed_step,
)


@pytest.mark.one_in(5)
@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda each: each.__name__)
def test_results_are_those_of_numpy(function):
    f = tl.function(function)
    for k in (1, 1, 2, 4, 0):
        for m in (M, M[:2], M[:1, :1], M[:, :1]):
            try:
                expected = function(m, k)
            except ValueError:
                with pytest.raises(tl.ShapeMismatch, match=r"sizes \d+ and \d+ of axis"):
                    f(m, k)
            else:
                result = f(m, k)
                assert result.shape == expected.shape
                np.testing.assert_allclose(result, expected, rtol=1e-14)


@pytest.mark.one_in(22)
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda each: each.__name__)
def test_derivatives(function: Callable[..., Any], method: str):
    given, k = tl.function(function), 1
    loss = tl.function(lambda m, k: np.sum(given(m, k) ** 2))
    gradient = tl.grad(loss, method=method)
    steps = 1e-6 * np.eye(M.size).reshape(-1, *M.shape)

    def plain(m):
        return np.sum(function(m, k) ** 2)

    slopes = np.array([plain(M + h) - plain(M - h) for h in steps]).reshape(M.shape) / 2e-6
    np.testing.assert_allclose(gradient(M, k), slopes, rtol=1e-6, atol=1e-6)
    tangent = tl.jvp(loss, (M, k), (M, 0), method=method)[1]
    np.testing.assert_allclose(tangent, np.sum(slopes * M), rtol=1e-6)
    many = tl.vmap(gradient, in_axes=(0, None))(np.stack([M + 1.0, M]), k)
    np.testing.assert_allclose(many[1], slopes, rtol=1e-6, atol=1e-6)


@pytest.mark.thorough
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda each: each.__name__)
def test_second_derivatives(function: Callable[..., Any], method: str):
    given = tl.function(function)
    loss = tl.function(lambda m, k: np.sum(given(m, k) ** 2))
    steps = 1e-6 * np.eye(M.size).reshape(-1, *M.shape)
    gradient = tl.grad(loss)
    curves = np.array([gradient(M + h, 1) - gradient(M - h, 1) for h in steps]).reshape(M.shape * 2) / 2e-6
    np.testing.assert_allclose(tl.hessian(loss, method=method)(M, 1), curves, rtol=1e-5, atol=1e-5)


def test_a_version_for_sizes_of_1_is_compiled_when_one_is_met():
    f = tl.function(columns)
    np.testing.assert_array_equal(f(M, 4), M * M)
    with pytest.raises(tl.ShapeMismatch, match=r"sizes 2 and 4 of axis 1 do not match: the shapes are \(3, 2\) and"):
        f(M, 2)
    assert not f._stretching
    np.testing.assert_array_equal(f(M, 1), M[:, :1] * M)
    with pytest.raises(tl.ShapeMismatch, match="sizes 2 and 4 of axis 1 do not match"):
        f(M, 2)
    np.testing.assert_array_equal(f(M, 4), M * M)
    assert len(f._stretching) == len(f._by_types) == 1


def test_targets_of_updates_do_not_broadcast():
    def f(x, k):
        y = x[:k] * 1.0
        y += x
        return y

    np.testing.assert_array_equal(tl.function(f)(X, 5), X * 2)
    with pytest.raises(tl.ShapeMismatch, match="sizes 1 and 5 of axis 0 do not match"):
        tl.function(f)(X, 1)


def test_compiled_kernels_take_sizes_that_are_known():
    kernel = tl.compile(columns, (tl.f64[:, :], tl.i64))
    np.testing.assert_array_equal(kernel(M, 4), M * M)
    with pytest.raises(tl.ShapeMismatch, match=r"test_run_time_ones\.py:.*sizes 1 and 4 of axis 1") as error:
        kernel(M, 1)
    (note,) = error.value.__notes__
    assert "as in tl.f64[:, 1], or call the function itself, which is compiled again" in note
    np.testing.assert_array_equal(tl.function(columns)(M, 1), M[:, :1] * M)
    product = tl.compile(lambda a, m: a * m, (tl.f64[:, 1], tl.f64[:, :]))
    np.testing.assert_array_equal(product(M[:, :1], M), M[:, :1] * M)
    with pytest.raises(tl.ShapeMismatch, match="sizes 2 and 4 of axis 1") as error:
        kernel(M, 2)
    assert not hasattr(error.value, "__notes__")
    known = tl.compile(lambda m: m[:, 0][:, None] * m, (tl.f64[:, :],))
    np.testing.assert_array_equal(known(M), M[:, :1] * M)
