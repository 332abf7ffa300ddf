"""Loops whose iterations leave cells for the next one: values and gradients of many shapes and lengths."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tapeless as tl
from tapeless._mlir import ir
from tapeless.backend.codegen.llvm import Machine
from tapeless.backend.codegen.native import native_assembly
from tapeless.dialects.context import make_context
from tapeless.passes.lower.arithmetic.fma import Fma
from tapeless.passes.lower.cells.carried_cells import CarriedCells
from tapeless.passes.lower.llvm.to_llvm import ToLLVM

AVX512 = Machine("x86_64-unknown-linux-gnu", "skylake-avx512", "+avx,+avx2,+avx512f,+fma")
AVX2 = Machine("x86_64-unknown-linux-gnu", "haswell", "+avx,+avx2,+fma")
NEON = Machine("aarch64-unknown-linux-gnu", "neoverse-n1", "+neon")
LENGTHS = (0, 1, 2, 3, 4, 7, 20)


@tl.function
def rows(p: tl.f64[:, 2]) -> tl.f64:
    total = 0.0
    for i in range(p.shape[0] - 1):
        dx, dy = p[i + 1, 0] - p[i, 0], p[i + 1, 1] - p[i, 1]
        total += (dx * dx + dy * dy - 1.0) ** 2
    return total


@tl.function
def three_neighbours(p: tl.f64[:, 2]) -> tl.f64:
    total = 0.0
    for i in range(1, p.shape[0] - 1):
        total += (p[i - 1, 0] - 2.0 * p[i, 1] + p[i + 1, 0]) ** 2 * p[i, 0]
    return total


@tl.function
def downwards(p: tl.f64[:, 2]) -> tl.f64:
    total = 0.0
    for i in range(p.shape[0] - 1, 0, -1):
        total += p[i, 0] * p[i - 1, 1] + p[i, 1] ** 2
    return total


@tl.function
def far(p: tl.f64[:, 2]) -> tl.f64:
    """Cells that the iteration after the next one touches are left in memory."""
    total = 0.0
    for i in range(p.shape[0] - 2):
        total += (p[i, 0] - p[i + 2, 0]) ** 2 + p[i + 1, 1] * p[i, 1]
    return total


@tl.function
def recurrence(p: tl.f64[:, 2]) -> tl.f64:
    y = p
    for i in range(1, p.shape[0]):
        y[i, 0] = 0.5 * y[i - 1, 1] + p[i, 0]
        y[i, 1] = y[i - 1, 0] * y[i, 0]
    return tl.sum(y)


@tl.function
def swept(p: tl.f64[:, 2]) -> tl.f64:
    """Both neighbours change in every iteration, and one of them twice."""
    y = p
    for i in range(p.shape[0] - 1):
        y[i, 0] += y[i + 1, 0] * y[i, 1]
        y[i + 1, 0] -= 0.5 * y[i, 0]
        y[i + 1, 0] = y[i + 1, 0] + y[i, 1]
    return tl.sum(y * y)


@tl.function
def shared_column(p: tl.f64[:, 2]) -> tl.f64:
    """One index is data: nothing is known about it."""
    y = p
    for i in range(1, p.shape[0]):
        k = int(abs(p[i, 0])) % 2
        y[i, k] += y[i - 1, 0] + y[i - 1, k]
    return tl.sum(y * y)


def differences(f: Callable[[np.ndarray], float], p: np.ndarray) -> np.ndarray:
    """Central differences; functions are polynomials, for which a large step is accurate."""
    found = np.zeros(p.shape)
    for place in np.ndindex(p.shape):
        step = np.zeros(p.shape)
        step[place] = 1e-4
        found[place] = (8 * (f(p + step) - f(p - step)) - (f(p + 2 * step) - f(p - 2 * step))) / 12e-4
    return found


def in_python(function: Any) -> Callable[[np.ndarray], float]:
    """The function as Python runs it."""
    body = function.__wrapped__
    numpy = {**body.__globals__, "tl": np}
    plain = type(body)(body.__code__, numpy)
    return lambda p: float(plain(np.array(p)))


FUNCTIONS = (rows, three_neighbours, downwards, far, recurrence, swept, shared_column)


@pytest.mark.one_in(40)
@pytest.mark.parametrize("length", LENGTHS)
@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
def test_values_and_gradients(function: Any, length: int) -> None:
    p = np.random.default_rng(length).normal(size=(length, 2))
    expected = in_python(function)
    assert function(p) == pytest.approx(expected(p), rel=1e-13, abs=1e-13)
    for method in ("redundant", "reversible", "coarsened"):
        np.testing.assert_allclose(tl.grad(function, method=method)(p), differences(expected, p), rtol=1e-7, atol=1e-7)


def mapped_neighbours(x):
    return tl.sum(tl.map(lambda i: x[i] * x[i + 1], tl.iota(4)))


def generated_differences(x):
    return sum((x[i + 1] - x[i]) ** 2 for i in range(5))


def mapped_triples(x):
    return tl.sum(tl.map(lambda i: x[i] * x[i + 1] ** 2 * x[i + 2], tl.iota(3)))


# How many places there are is known when compiling; their adjoints are summed into memory, one loop for all of them.
FIXED_COUNTS = {
    mapped_neighbours: lambda x: float(np.sum(x[:4] * x[1:5])),
    generated_differences: lambda x: float(np.sum(np.diff(x[:6]) ** 2)),
    mapped_triples: lambda x: float(np.sum(x[:3] * x[1:4] ** 2 * x[2:5])),
}


@pytest.mark.parametrize("function", FIXED_COUNTS, ids=lambda f: f.__name__)
def test_gradients_of_fixed_numbers_of_places(function: Callable[..., Any]) -> None:
    x, expected = np.random.default_rng(3).normal(size=7), FIXED_COUNTS[function]
    value, gradient = tl.value_and_grad(function)(x)
    assert value == pytest.approx(expected(x), rel=1e-13, abs=1e-13)
    np.testing.assert_allclose(gradient, differences(expected, x), rtol=1e-7, atol=1e-7)


@pytest.mark.one_in(2)
@pytest.mark.parametrize("function", [tl.grad(rows), tl.grad(three_neighbours), tl.grad(downwards), recurrence])
def test_iterations_hand_on_cells(function: Any) -> None:
    text = tl.compile(function, (np.ones((5, 2)),)).ir("lower-scalar-replacement")
    assert "iter_args" in text.split("scf.yield")[0]


@tl.function
def springs(p: tl.f64[:, 2]) -> tl.f64:
    total = 0.0
    for i in range(p.shape[0] - 1):
        dx, dy = p[i + 1, 0] - p[i, 0], p[i + 1, 1] - p[i, 1]
        total += (tl.sqrt(dx * dx + dy * dy) - 1.0) ** 2
    return total


@pytest.mark.one_in(2)
@pytest.mark.parametrize(("machine", "root"), [(AVX512, "vsqrtpd"), (AVX2, "vsqrtpd"), (NEON, "fsqrt\td")])
def test_wide_registers_take_several_iterations(machine: Machine, root: str) -> None:
    text = tl.compile(tl.grad(springs), (np.ones((5, 2)),)).ir("lower-vectorise")
    rest = (CarriedCells(vector_bits=machine.vector_bits), Fma(), ToLLVM())
    with make_context(), ir.Location.unknown():
        module = ir.Module.parse(text)
        for each in rest:
            each.run(module)
        assert root in native_assembly(module, machine)
