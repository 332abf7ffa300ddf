"""Gradients of loops that store what their way back needs: those of loops that store states, and differences."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

import core_interpreter
import tapeless as tl
from shared_context import shared_context
from tapeless._mlir import ir

X = np.array([0.3, -0.2, 0.5, 0.1])
STEP = 1e-6


def shared(x, n):
    """Three arrays that change by what their sum is."""
    a, b, c = x * 1.0, x * 2.0, x * 0.5
    for _ in range(n):
        s = a + b - c
        a, b, c = a + 0.1 * s * s, b - 0.1 * s * s, c * 0.5 + 0.01 * s
    return tl.sum(a * b + c)


def in_strips(x, n):
    a, b, c = x * 1.0, x * 2.0, x * 0.5
    for _ in tl.range(n, stripmine=2):
        s = a + b - c
        a, b, c = a + 0.1 * s * s, b - 0.1 * s * s, c * 0.5 + 0.01 * s
    return tl.sum(a * b + c)


def numbers(x, n):
    """Three numbers that change by what their sum is, in each iteration of a map."""

    def moved(u):
        a, b, c = u, u * 2.0, u * 0.5
        for i in range(n):
            s = (a + b - c) * (i + 1.0)
            a, b, c = a + 0.1 * s * s, b - 0.1 * s * s, c * 0.5 + 0.01 * s
        return a * b + c

    return tl.sum(tl.map(moved, x))


def recurrence(x, n):
    """Each element from the one before it: all of them are in the array at the end, and nothing is stored."""
    y = tl.zeros(len(x) + n)
    y[0] = x[0]
    for i in range(1, len(y)):
        y[i] = tl.sin(y[i - 1] * 0.7) + x[i % len(x)] * y[i - 1]
    return tl.sum(y * y)


def two_rows(x, n):
    """A row from two rows before it: all of them are in the array at the end, and nothing is stored."""
    y = tl.zeros((n + 2, len(x)))
    y[0], y[1] = x, 0.5 * x
    for i in range(2, n + 2):
        y[i] = y[i - 1] * y[i - 2] + 0.3 * y[i - 1]
    return tl.sum(y)


def functions(x, n):
    """Values that cost a function are stored beside the arrays."""
    a, b, c = x * 1.0, x * 2.0, x * 0.5
    for _ in range(n):
        s = tl.exp(-(a + b - c) * (a + b - c))
        a, b, c = a + 0.1 * s, b * 0.9 - s, c * 0.5 + 0.01 * s
    return tl.sum(a * b + c)


def chosen(x, n):
    """Which way an element goes is decided by a sum, and rows of a matrix share numbers."""
    m = tl.outer(x, x)
    a, b, c = m, m * 2.0, m * 0.5
    for i in range(n):
        s = a + b - c
        k = tl.where(s > 0.07, s * s, x * s)
        a, b, c = a + 0.1 * k, b - 0.1 * k * x, c * 0.5 + 0.01 * s * (1.0 + i)
    return tl.sum(a * b + c)


def total(x, n):
    """Arrays that change by a sum over all elements."""
    a, b, c = x * 1.0, x * 2.0, x * 0.5
    for _ in range(n):
        s = tl.sum(a * x)
        a, b, c = a * 0.5 + 0.1 * s * s, b - 0.1 * s * s, c * 0.5 + 0.01 * s
    return tl.sum(a * b + c)


def weighted(x, n):
    """All of the states are needed: the gradient by the factor."""
    a, b, w = x * 1.0, x * 2.0, tl.sum(x)
    for _ in range(n):
        a, b = a + w * b, b - w * a
    return tl.sum(a * b)


PROGRAMS = (shared, in_strips, numbers, recurrence, two_rows, functions, chosen, total, weighted)
ROW = "tensor<?x4xf64>"
STORED = {
    shared: (3, [ROW]),
    recurrence: (1, []),
    two_rows: (1, []),
    weighted: (2, [ROW, ROW]),
    functions: (3, [ROW, ROW]),
}


@pytest.mark.one_in(39)
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
@pytest.mark.parametrize("n", [0, 1, 5])
def test_gradients(program: Any, n: int) -> None:
    function = tl.function(program)
    gradient = tl.grad(function)(X, n)
    slopes = [(function(X + STEP * d, n) - function(X - STEP * d, n)) / (2 * STEP) for d in np.eye(len(X))]
    np.testing.assert_allclose(gradient, slopes, rtol=1e-6, atol=1e-8)


@pytest.mark.one_in(6)
@pytest.mark.parametrize(
    "program", [each for each in PROGRAMS if each is not chosen], ids=lambda program: program.__name__
)
def test_same_bits_as_with_states(program: Any) -> None:
    kernel = tl.compile(tl.grad(tl.function(program)), (tl.f64[:], tl.i64))
    with shared_context():
        modules = [ir.Module.parse(kernel.ir(stage)) for stage in ("ad", "soac-minimise-checkpoints")]
        name = "grad_" + program.__name__
        for n in (0, 1, 5):
            states, cut = (core_interpreter.run(module, name, X, n) for module in modules)
            np.testing.assert_array_equal(states[0], cut[0])


@pytest.mark.one_in(3)
@pytest.mark.parametrize("program", STORED, ids=lambda program: program.__name__)
def test_what_an_iteration_stores(program: Any) -> None:
    text = tl.compile(tl.grad(tl.function(program)), (tl.f64[4], tl.i64)).ir("soac-minimise-checkpoints")
    types = re.findall(r"-> \((.*)\) {", next(line for line in text.splitlines() if "scf.for" in line))[0].split(", ")
    states, stored = STORED[program]
    assert types[states:] == stored


def test_derivatives_of_derivatives() -> None:
    """The loop back of one derivative is the loop forwards of the next."""
    gradient = tl.grad(tl.function(shared))

    def square(x):
        g = gradient(x, 4)
        return tl.sum(g * g)

    found = tl.grad(square)(X)
    size = [np.sum(gradient(X + sign * STEP * d, 4) ** 2) for d in np.eye(len(X)) for sign in (1.0, -1.0)]
    np.testing.assert_allclose(found, (np.array(size[::2]) - size[1::2]) / (2 * STEP), rtol=1e-6)
