"""Jacobians along single elements of a small argument: zeros are found through every construct."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tapeless as tl

X = np.array([0.4, -0.7, 1.1, 0.2, 0.9, -0.3])
W = np.array([0.3, 0.9, -0.2, 0.5])
KEYS = np.array([1, 0, 1, 2])


def apart(x, w):
    return tl.stack((tl.sin(x[0]), x[1] * x[2], tl.exp(x[3]), x[4] + x[4], w[0], x[5] * x[5]))


def fingers(x, w):
    total = tl.zeros_like(w)
    for b in tl.range(3, unroll=True):
        total = total + tl.map(lambda v: tl.sin(x[2 * b] * v) * x[2 * b + 1], w)
    return total


def blocks(x, w):
    rows = tl.zeros((3, 4))
    for b in tl.range(3, unroll=True):
        rows[b] = tl.exp(x[2 * b] * w) * x[2 * b + 1]
    return rows


def loops(x, w):
    parts = tl.zeros(3)
    for b in tl.range(3, unroll=True):
        s = x[2 * b]
        for i in range(len(w)):
            s = tl.sin(s + w[i]) * x[2 * b + 1]
        parts[b] = s
    return parts


def branches(x, w):
    first = x[0] * x[1] if x[0] > 0.0 else tl.exp(x[2])
    second = tl.exp(x[3]) if x[4] > 5.0 else x[5] * w[0]
    third = tl.where(x[4] > 0.0, tl.sin(x[4]), 0.0)
    return first, second, third


def while_loops(x, w):
    y = x[0] * x[0] + 1.0
    while y < 20.0:
        y = y * 1.5 + x[1] * x[1]
    return tl.stack((y, x[2] * x[3], x[4], x[5]))


def reductions(x, w):
    a = tl.prod(tl.map(lambda v: v * x[0] + x[1], w))
    b = tl.max(tl.map(lambda v: v * x[2], w))
    c, d = tl.reduce(lambda a, b, c, d: (a * c, b * c + d), (1.0, 0.0), tl.exp(w * x[3]), w * x[4])
    return tl.stack((a, b, c, d, x[5]))


def scans(x, w):
    c, d = tl.scan(lambda a, b, c, d: (a * c, b * c + d), (1.0, 0.0), tl.exp(w * x[3]), w * x[4])
    return tl.cumsum(w * x[0]), c, d, tl.cumprod(w * x[1]) * x[2]


def histograms(x, w):
    sums = tl.hist(lambda a, b: a + b, 0.0, tl.zeros(3), KEYS, w * x[0])
    products = tl.hist(lambda a, b: a * b, 1.0, tl.ones(3) * x[1], KEYS, w * x[2])
    return sums, products, tl.scatter(tl.ones(3) * x[3], KEYS[:2], w[:2] * x[4]), x[5]


@tl.custom_jvp
def cube(x):
    return x * x * x


cube.defjvp(lambda primals, tangents: (cube(primals[0]), 3.0 * primals[0] * primals[0] * tangents[0]))


def rules(x, w):
    return tl.stack((cube(x[0]), cube(x[1] * x[2]), tl.checkpoint(tl.exp)(x[3]), tl.stop_gradient(x[4]) * x[5]))


PROGRAMS = [
    apart, fingers, blocks, loops, branches, while_loops, reductions, scans, histograms, rules,
]  # fmt: skip


def flat(results: Any, rows: int) -> np.ndarray:
    """Results, or Jacobians of results, one below the other."""
    parts = results if isinstance(results, tuple) else (results,)
    return np.concatenate([np.reshape(part, (-1, rows)) for part in parts])


@pytest.mark.one_in(4)
@pytest.mark.parametrize("function", PROGRAMS, ids=lambda f: f.__name__)
def test_columns(function: Callable[..., Any]) -> None:
    kernel = tl.compile(tl.jacfwd(function), (tl.f64[6], tl.f64[:]))
    run = tl.jit(function)
    if function is rules:
        expected = flat(tl.jacrev(function)(X, W), 6)
    else:
        steps = 1e-6 * np.eye(6)
        expected = np.concatenate(
            [(flat(run(X + step, W), 1) - flat(run(X - step, W), 1)) / 2e-6 for step in steps], axis=1
        )
    np.testing.assert_allclose(flat(kernel(X, W), 6), expected, rtol=1e-6, atol=1e-8)


def test_elements_go_separate_ways() -> None:
    """Six directions cost six multiplications and more, not eighteen; no map over seeds is left."""
    text = tl.compile(tl.jacfwd(fingers), (tl.f64[6], tl.f64[:]), checks="off").ir("ad")
    assert text.count("math.sin") == text.count("math.cos") == 3
    assert "arith.select" not in text


def test_elements_that_meet_share_one_map_over_seeds() -> None:
    def mixed(x, w):
        return tl.map(lambda v: tl.sin(v * x[0] * x[1] * x[2] * x[3] * x[4] * x[5]), w)

    kernel = tl.compile(tl.jacfwd(mixed), (tl.f64[6], tl.f64[:]), checks="off")
    assert '"soac.map"(%c6' in kernel.ir("ad")
    expected = np.cos(W * X.prod())[:, None] * W[:, None] * X.prod() / X
    np.testing.assert_allclose(kernel(X, W), expected, rtol=1e-12)


def test_matrices_of_elements() -> None:
    def corners(m):
        return tl.stack((m[0, 0] * m[0, 0], tl.sin(m[1, 2]), m[0, 2] * m[1, 0]))

    m = np.arange(1.0, 7.0).reshape(2, 3)
    expected = np.zeros((3, 2, 3))
    expected[0, 0, 0], expected[1, 1, 2], expected[2, 0, 2], expected[2, 1, 0] = 2.0, np.cos(6.0), 4.0, 3.0
    np.testing.assert_allclose(tl.compile(tl.jacfwd(corners), (tl.f64[2, 3],))(m), expected)


def test_second_derivatives_of_separate_elements() -> None:
    def energy(x):
        return tl.sin(x[0]) * x[1] + x[2] ** 3 + tl.exp(x[3]) + x[4] * x[5]

    found = tl.compile(tl.hessian(energy), (tl.f64[6],))(X)
    np.testing.assert_allclose(found, tl.hessian(energy)(X), rtol=1e-13, atol=1e-15)


def test_tangents_written_as_zero_cost_nothing() -> None:
    @tl.function
    def product(x, w):
        return tl.exp(x) * tl.sin(w)

    @tl.function
    def along(x: tl.f64[:], w: tl.f64[:], v: tl.f64[:]):
        return tl.jvp(product, (x, w), (v, tl.zeros_like(w)))[1]

    assert "math.cos" not in tl.compile(along).ir("ad")
    np.testing.assert_allclose(along(W, W, W), W * np.exp(W) * np.sin(W))


def test_both_choices_still_give_no_tangent() -> None:
    @tl.function
    def along(x: tl.f64, v: tl.f64):
        return tl.jvp(lambda x: tl.where(x > 0.0, tl.floor(x), tl.sign(x)) * x, x, v)[1]

    assert tl.compile(along, (tl.f64, tl.f64)).ir("ad").count("arith.select") == 1
    assert along(2.5, 1.0) == 2.0
