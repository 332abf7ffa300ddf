"""Gradients of time loops: stored, by Treeverse, by Bennett's scheme, and closed forms or differences, agree."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tapeless as tl
from shared_context import shared_context
from tapeless.api.parameters import signature_types
from tapeless.frontend import Source, emit

from .compiled import compiled

START = np.array([1.0, 1.0, 1.0])
RHO = 28.0


@tl.function
def slope(y: tl.f64[3], rho: tl.f64) -> tl.f64[3]:
    dx = 10.0 * (y[1] - y[0])
    dy = y[0] * (rho - y[2]) - y[1]
    dz = y[0] * y[1] - 8.0 / 3.0 * y[2]
    return tl.stack((dx, dy, dz))


@tl.function
def runge_kutta(y: tl.f64[3], rho: tl.f64) -> tl.f64[3]:
    h = 0.005
    k1 = slope(y, rho)
    k2 = slope(y + 0.5 * h * k1, rho)
    k3 = slope(y + 0.5 * h * k2, rho)
    k4 = slope(y + h * k3, rho)
    return y + h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4)


@tl.function
def lorenz_stored(y: tl.f64[3], rho: tl.f64, n: tl.i64) -> tl.f64:
    for _ in range(n):
        y = runge_kutta(y, rho)
    return tl.sum(y * y)


@tl.function
def lorenz_chain(y: tl.f64[3], rho: tl.f64, n: tl.i64) -> tl.f64:
    for _ in tl.range(n, budget=4):
        y = runge_kutta(y, rho)
    return tl.sum(y * y)


@pytest.mark.one_in(2)
@pytest.mark.parametrize("n", [1, 10, 400])
def test_lorenz(n: int) -> None:
    """A chain does the same operations on the same states, so that not even chaos makes a difference."""
    stored = tl.grad(lorenz_stored, argnums=(0, 1), method="redundant")(START, RHO, n)
    chain = tl.grad(lorenz_chain, argnums=(0, 1), method="reversible")(START, RHO, n)
    np.testing.assert_allclose(chain[0], stored[0], rtol=1e-11)
    assert chain[1] == pytest.approx(stored[1], rel=1e-11)


def test_lorenz_against_differences() -> None:
    step, n = 1e-6, 100
    moved = [START + sign * step * np.eye(3)[k] for k in range(3) for sign in (1, -1)]
    values = np.array([lorenz_stored(y, RHO, n) for y in moved])
    found = tl.grad(lorenz_chain, method="reversible")(START, RHO, n)
    np.testing.assert_allclose(found, (values[::2] - values[1::2]) / (2 * step), rtol=1e-6)


@pytest.mark.thorough
def test_lorenz_curvature() -> None:
    found = tl.hessian(lorenz_chain, method="reversible")(START, RHO, 40)
    np.testing.assert_allclose(found, tl.hessian(lorenz_stored)(START, RHO, 40), rtol=1e-9)


CELLS, STEPS = 100, 100


@tl.function
def diffuse(u: tl.f64[:], weight: tl.f64[:]) -> tl.f64:
    for _ in tl.range(STEPS, budget=4):
        flow = 0.2 * (u[1:] - u[:-1])
        u = u + tl.concat((flow, tl.zeros(1))) - tl.concat((tl.zeros(1), flow))
    return tl.sum(u * weight) + tl.sum(u * u * u)


def test_diffusion() -> None:
    """The step is linear, so that the gradient of a weighted sum is the transposed step's power."""
    flow = 0.2 * (np.eye(CELLS - 1, CELLS, 1) - np.eye(CELLS - 1, CELLS))
    step = np.eye(CELLS) + np.eye(CELLS, CELLS - 1) @ flow - np.eye(CELLS, CELLS - 1, -1) @ flow
    power = np.linalg.matrix_power(step, STEPS)
    u = np.zeros(CELLS)
    u[CELLS // 3] = 1.0
    weight = np.linspace(-1.0, 2.0, CELLS)
    final = power @ u
    assert final.sum() == pytest.approx(1.0)
    assert diffuse(u, weight) == pytest.approx(final @ weight + (final**3).sum(), rel=1e-12)
    found = tl.grad(diffuse, argnums=(0, 1), method="reversible")(u, weight)
    np.testing.assert_allclose(found[0], power.T @ (weight + 3 * final**2), rtol=1e-11, atol=1e-13)
    np.testing.assert_allclose(found[1], final, rtol=1e-11, atol=1e-15)


def by_bennett(function: Any, *arguments: Any) -> Any:
    """The gradients of a function whose loops with a budget are run by Bennett's scheme, by the first two arguments."""
    source = Source.of(function)
    made = emit(source, signature_types(source.name, source.parameters, arguments), shared_context())
    text = (
        str(made.module).replace("{ad.budget", "{ad.bennett, ad.budget").replace("func.func @", "func.func private @")
    )
    assert "ad.bennett" in text
    request = f"""
    func.func @f(%y: tensor<3xf64>, %rho: f64, %n: i64) -> (tensor<3xf64>, f64) {{
      %one = arith.constant 1.0 : f64
      %r, %y_bar, %rho_bar = "ad.vjp"(%y, %rho, %n, %one) {{
        callee = @{made.name}, wrt = [0, 1], method = "reversible", operandSegmentSizes = array<i32: 3, 1>
      }} : (tensor<3xf64>, f64, i64, f64) -> (f64, tensor<3xf64>, f64)
      return %y_bar, %rho_bar : tensor<3xf64>, f64
    }}
    """
    return compiled(text.rstrip().removesuffix("}") + request + "}", "f", 3)


def lorenz_in_three_parts(y: tl.f64[3], rho: tl.f64, n: tl.i64) -> tl.f64:
    for _ in tl.range(n, budget=3):
        y = runge_kutta(y, rho)
    return tl.sum(y * y)


def test_lorenz_by_bennett() -> None:
    """Stored, by Treeverse with 4 states and by Bennett in 3 parts."""
    bennett = by_bennett(lorenz_in_three_parts, START, RHO, 10)
    for n in (0, 1, 2, 27, 100):
        stored = tl.grad(lorenz_stored, argnums=(0, 1), method="redundant")(START, RHO, n)
        for y_bar, rho_bar in (
            tl.grad(lorenz_chain, argnums=(0, 1), method="reversible")(START, RHO, n),
            bennett(START, RHO, n),
        ):
            np.testing.assert_allclose(y_bar, stored[0], rtol=1e-11)
            assert rho_bar == pytest.approx(stored[1], rel=1e-11)
