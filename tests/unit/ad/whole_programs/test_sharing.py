"""Jacobians whose seeds share what none of them changes: right for every construct, functions called once."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tapeless as tl

X = np.array([0.4, -0.7, 1.1])
W = np.array([0.3, 0.9, -0.2, 0.5])
KEYS = np.array([1, 0, 1, 2])


def nested_maps(x, w):
    return tl.map(lambda a: tl.sum(tl.map(lambda b: tl.exp(a * b) * x[0], w)), x)


def log_sum_exp(x, w):
    return tl.map(lambda b: tl.logsumexp(b * x), w)


def products(x, w):
    return tl.map(lambda b: tl.prod(tl.sin(b * x)), w)


def largest(x, w):
    return tl.map(lambda b: tl.max(tl.exp(b * x)), w)


def general_reduction(x, w):
    pairs = tl.reduce(lambda a, b, c, d: (a * c, b * c + d), (1.0, 0.0), tl.exp(x), tl.sin(x))
    return pairs[0] * w + pairs[1]


def general_scan(x, w):
    gained, kept = tl.scan(lambda a, b, c, d: (a * c, b * c + d), (1.0, 0.0), tl.exp(x), tl.cos(x))
    return tl.map(lambda b: tl.sum(tl.sin(gained * b) * kept), w)


def reversed_scan(x, w):
    return tl.scan(lambda a, b: a + b, 0.0, tl.exp(x) * w[0], exclusive=True, reverse=True)


def histogram(x, w):
    bins = tl.hist(lambda a, b: a * b, 1.0, x, KEYS, tl.exp(w * x[0]))
    return bins * tl.sin(x)


def scattered(x, w):
    return tl.scatter(tl.exp(x), KEYS[:2], tl.sin(w[:2] * x[1]))


def scalar_loop(x, w):
    total = x[0]
    for i in range(len(w)):
        total = tl.sin(total + w[i] * x[1]) * tl.exp(-total * total)
    return total * x


def stepping_loop(x, w):
    total = x[0]
    for i in range(7, 0, -2):
        total = tl.sin(total * i) + x[2]
    return total * x


def array_loop(x, w):
    y = x
    for i in range(len(w)):
        y = tl.sin(y * w[i]) + x * tl.sum(tl.exp(-y * y))
    return y


def written_loop(x, w):
    y = tl.zeros_like(x)
    for i in range(len(x)):
        y[i] = tl.exp(x[i]) * (y[i - 1] if i > 0 else 1.0)
    return y


def triangle(x, w):
    def row(i):
        total = x[i]
        for j in range(i):
            total = tl.exp(-total * total) + x[j]
        return total

    return tl.map(row, tl.iota(len(x)))


def nested_loops(x, w):
    total = 0.0
    for i in range(len(w)):
        part = x[0] * w[i]
        for _ in range(3):
            part = tl.sin(part) * x[1]
        total = total + tl.exp(part)
    return total * x


def saving_loop(x, w):
    total = x[0]
    for _ in tl.range(9, stripmine=2):
        total = tl.sin(total) + x[1]
    return total * x


def until(x, w):
    y = x[0] * x[0] + 1.0
    while y < 50.0:
        y = y * 1.5 + tl.exp(x[1])
    return tl.map(lambda b: tl.sin(b * y), w)


def branches(x, w):
    return tl.map(lambda b: tl.exp(b * x[0]) * tl.sum(tl.sin(b * x)) if b > 0.0 else x[1] * x[1], w)


def array_branch(x, w):
    y = tl.exp(x) if x[0] > 0.0 else tl.sin(x) * x[1]
    return tl.map(lambda b: tl.sum(tl.sin(y * b)), w)


def gathers(x, w):
    rows = tl.map(lambda a: tl.exp(a), x)
    return tl.map(lambda k: tl.sin(rows[k] * x[0]) * rows[0], KEYS)


def unchanged(x, w):
    return tl.exp(w) * tl.sum(tl.sin(w))


def checkpointed(x, w):
    return tl.checkpoint(lambda y: tl.exp(y) * tl.sum(tl.sin(y)))(x) * w[0]


def sorted_values(x, w):
    return tl.exp(tl.sort(x)) * x[0]


PROGRAMS = [
    nested_maps, log_sum_exp, products, largest, general_reduction, general_scan, reversed_scan, histogram, scattered,
    scalar_loop, stepping_loop, array_loop, written_loop, triangle, nested_loops, saving_loop, until, branches,
    array_branch, gathers, unchanged, checkpointed, sorted_values,
]  # fmt: skip


def differences(f: Callable[..., Any], x: np.ndarray, w: np.ndarray) -> np.ndarray:
    """The Jacobian by central differences."""
    step = 1e-6 * np.eye(len(x))
    columns = [(f(x + row, w) - f(x - row, w)) / 2e-6 for row in step]
    return np.stack(columns, axis=-1) if columns else np.zeros((*np.shape(f(x, w)), 0))


@pytest.mark.one_in(16)
@pytest.mark.parametrize("function", PROGRAMS, ids=lambda f: f.__name__)
def test_columns(function: Callable[..., Any]) -> None:
    expected = differences(tl.jit(function), X, W)
    np.testing.assert_allclose(tl.jacfwd(function)(X, W), expected, rtol=1e-6, atol=1e-7)
    np.testing.assert_allclose(tl.jacrev(function)(X, W), expected, rtol=1e-6, atol=1e-7)


@pytest.mark.thorough
@pytest.mark.parametrize("function", PROGRAMS, ids=lambda f: f.__name__)
def test_second_derivatives(function: Callable[..., Any]) -> None:
    inner = tl.function(function)

    def loss(x, w):
        return tl.sum(inner(x, w) * inner(x, w))

    expected = differences(tl.jit(tl.grad(loss)), X, W)
    np.testing.assert_allclose(tl.hessian(loss)(X, W), expected, rtol=1e-5, atol=1e-6)


@pytest.mark.one_in(2)
@pytest.mark.parametrize("jacobian", [tl.jacfwd, tl.jacrev])
def test_sizes_of_zero(jacobian: Callable[..., Any]) -> None:
    empty = np.zeros(0)
    np.testing.assert_array_equal(jacobian(array_loop)(X, empty), np.eye(3))
    np.testing.assert_array_equal(jacobian(nested_maps)(X, empty), np.zeros((3, 3)))
    assert jacobian(branches)(X, empty).shape == (0, 3)
    assert jacobian(array_loop)(empty, W).shape == (0, 0)
    assert jacobian(written_loop)(empty, W).shape == (0, 0)


@pytest.mark.parametrize("jacobian", [tl.jacfwd, tl.jacrev])
def test_checks_are_made_without_seeds_and_with_them(jacobian: Callable[..., Any]) -> None:
    def reads(x, keys):
        return tl.map(lambda k: tl.exp(W[k]) * tl.sum(x), keys)

    for x in (X, np.zeros(0)):
        with pytest.raises(tl.IndexOutOfRange):
            jacobian(reads)(x, np.array([0, 4]))


@pytest.mark.one_in(12)
@pytest.mark.parametrize(
    "function", [nested_maps, log_sum_exp, scalar_loop, array_loop, branches, gathers, nested_loops]
)
@pytest.mark.parametrize("jacobian", [tl.jacfwd, tl.jacrev])
def test_functions_are_called_outside_the_map_over_seeds(
    jacobian: Callable[..., Any], function: Callable[..., Any]
) -> None:
    kernel = tl.compile(jacobian(function), (tl.f64[:], tl.f64[:]), checks="off")
    over_seeds = re.split(r"\n    %[\w:]+ = \"soac.map\"", kernel.ir("ad"))[-1]
    assert not re.findall(r"math\.(?:exp|sin|cos|log) ", over_seeds)
