"""Gradients, Jacobians and Hessians of reversible programs against closed forms and differences."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tapeless as tl
from programs import procedures
from tapeless.methods import IMPLEMENTED

pytestmark = pytest.mark.one_in(3)


def differences(f: Callable[[np.ndarray], float], x: np.ndarray, step: float = 1e-6) -> np.ndarray:
    """The gradient by central differences."""
    gradient = np.zeros_like(x)
    for at in np.ndindex(x.shape):
        high, low = x.copy(), x.copy()
        high[at] += step
        low[at] -= step
        gradient[at] = (f(high) - f(low)) / (2 * step)
    return gradient


def test_norm() -> None:
    cells = (0.0, 0.0, np.array([1.0, 2.0, 3.0]))
    r, y, x = tl.grad(procedures.norm, loss=0, argnums=(0, 1, 2))(*cells)
    assert r == 1.0
    np.testing.assert_allclose(y, 0.1336306209562122, rtol=1e-14)
    np.testing.assert_allclose(x, [0.2672612419, 0.5345224838, 0.8017837257], rtol=1e-9)


def test_axpy_and_dot_leaves_the_arrays_of_the_caller_alone() -> None:
    y = np.ones(3)
    cells = (0.0, 0.5, np.array([1.0, 2.0, 3.0]), y, np.array([2.0, 0.0, 1.0]))
    gradient = tl.grad(procedures.axpy_and_dot, loss="o", argnums=(1, 2, 3, 4))
    for _ in range(2):
        a_bar, x_bar, y_bar, z_bar = gradient(*cells)
        assert a_bar == 5.0
        assert x_bar.tolist() == [1.0, 0.0, 0.5]
        assert y_bar.tolist() == [2.0, 0.0, 1.0]
        assert z_bar.tolist() == [1.5, 2.0, 2.5]
        assert y.tolist() == [1.0, 1.0, 1.0]


@pytest.mark.parametrize(("loss", "expected"), [(0, (2 / 13, 3 / 13)), (1, (-3 / 13, 2 / 13))])
def test_complex_logarithm(loss: int, expected: tuple[float, float]) -> None:
    gradient = tl.grad(procedures.complex_log, loss=loss, argnums=("re", "im"))(0.0, 0.0, 2.0, 3.0)
    np.testing.assert_allclose(gradient, expected, rtol=1e-14)


def test_fifth_power() -> None:
    value, gradient = tl.value_and_grad(procedures.fifth_power, loss=0, argnums=1)(0.0, 2.0)
    assert value == 32.0
    np.testing.assert_allclose(gradient, 80.0, rtol=1e-14)


def test_shared_reads_add_up() -> None:
    assert tl.grad(procedures.square, loss=0, argnums=1)(0.0, 3.0) == 6.0


def test_through_an_ancilla_that_starts_at_zero() -> None:
    assert tl.grad(procedures.through_an_ancilla, loss=0, argnums=(0, 1))(0.5, 3.0) == (1.0, 1.0)


def test_rotations() -> None:
    rng = np.random.default_rng(1)
    x, angles = rng.normal(size=4), rng.normal(size=6)
    x_bar, angles_bar = tl.grad(procedures.summed_rotations, loss=0, argnums=(1, 2))(0.0, x, angles)
    in_x = differences(lambda x: procedures.summed_rotations(0.0, x, angles)[0], x)
    in_angles = differences(lambda angles: procedures.summed_rotations(0.0, x, angles)[0], angles)
    np.testing.assert_allclose(x_bar, in_x, atol=1e-8)
    np.testing.assert_allclose(angles_bar, in_angles, atol=1e-8)


def test_pyramid() -> None:
    x, v = np.random.default_rng(2).normal(size=20), np.zeros((20, 20))
    gradient = tl.grad(procedures.pyramid, loss="y", argnums="x")(0.0, v, x)
    np.testing.assert_allclose(gradient, differences(lambda x: procedures.pyramid(0.0, v, x)[0], x), atol=1e-8)


def test_vjp_has_one_cotangent_and_one_adjoint_per_parameter() -> None:
    rng = np.random.default_rng(3)
    c, a, b = rng.normal(size=(3, 2)), rng.normal(size=(3, 4)), rng.normal(size=(4, 2))
    cotangent = rng.normal(size=(3, 2))
    out, pullback = tl.vjp(procedures.matmul, c, a, b)
    c_bar, a_bar, b_bar = pullback((cotangent, np.zeros_like(a), np.zeros_like(b)))
    np.testing.assert_allclose(out[0], c + a @ b, rtol=1e-12)
    np.testing.assert_allclose(c_bar, cotangent)
    np.testing.assert_allclose(a_bar, cotangent @ b.T, rtol=1e-12)
    np.testing.assert_allclose(b_bar, a.T @ cotangent, rtol=1e-12)


def test_shared_scalar_gets_the_sum() -> None:
    rng = np.random.default_rng(4)
    y, x, cotangent = rng.normal(size=50), rng.normal(size=50), rng.normal(size=50)
    _, pullback = tl.vjp(procedures.axpy, y, 1.5, x)
    y_bar, alpha_bar, x_bar = pullback((cotangent, 0.0, np.zeros(50)))
    np.testing.assert_allclose(y_bar, cotangent)
    np.testing.assert_allclose(alpha_bar, x @ cotangent, rtol=1e-12)
    np.testing.assert_allclose(x_bar, 1.5 * cotangent, rtol=1e-12)


def test_leapfrog() -> None:
    q, p = np.array([[0.5, 0.0], [-0.5, 0.1]]), np.array([[0.0, 0.7], [0.0, -0.7]])
    rest = (np.array([1.0, 2.0]), 1e-2, 100)

    def loss(q: np.ndarray) -> float:
        return float(procedures.leapfrog(q, p, *rest)[0][0, 0])

    seed = np.zeros((2, 2))
    seed[0, 0] = 1.0
    _, pullback = tl.vjp(procedures.leapfrog, q, p, *rest)
    adjoints = pullback((seed, np.zeros((2, 2)), np.zeros(2), 0.0, 0))
    np.testing.assert_allclose(adjoints[0], differences(loss, q), rtol=1e-6, atol=1e-8)


MIXTURE = (0.0, 2.0, 1.0, 3.0)
MIXTURE_GRADIENT = (-0.5666324724, -8.403254641, -4.244362443, -32.85609754)
MIXTURE_HESSIAN = {"bb": -6.799589669, "bc": -0.5666324724, "ad": -2.96997749, "bd": -45.38479617, "cd": -6.363315004,
                   "dd": -44.80753267}  # fmt: skip


def symmetric(entries: dict[str, float]) -> np.ndarray:
    matrix = np.zeros((4, 4))
    for (row, column), entry in entries.items():
        matrix["abcd".index(row), "abcd".index(column)] = matrix["abcd".index(column), "abcd".index(row)] = entry
    return matrix


def hessian_by_gradients(f: Any, *cells: float) -> np.ndarray:
    """The gradient of every entry of the gradient."""
    every = tuple(range(len(cells)))
    first = tl.grad(f, loss=0, argnums=every)

    @tl.function
    def entry(a: tl.f64, b: tl.f64, c: tl.f64, d: tl.f64):
        return tl.stack(first(a, b, c, d))

    return np.stack(tl.jacrev(entry, argnums=every)(*cells), axis=1)


def test_mixture() -> None:
    value, gradient = tl.value_and_grad(procedures.mixture, loss=0, argnums=(0, 1, 2, 3))(*MIXTURE)
    np.testing.assert_allclose(value, -10.85148722, rtol=1e-9)
    np.testing.assert_allclose(gradient, MIXTURE_GRADIENT, rtol=1e-9)


@pytest.mark.thorough
def test_hessians_by_both_routes() -> None:
    forward_over_reverse = np.array(tl.hessian(procedures.mixture, loss=0, argnums=(0, 1, 2, 3))(*MIXTURE))
    np.testing.assert_allclose(forward_over_reverse, symmetric(MIXTURE_HESSIAN), rtol=1e-8, atol=1e-8)
    np.testing.assert_allclose(
        hessian_by_gradients(procedures.mixture, *MIXTURE), forward_over_reverse, rtol=1e-8, atol=1e-8
    )


def test_hessian_of_a_product() -> None:
    hessian = np.array(tl.hessian(procedures.product, loss=0, argnums=(0, 1, 2))(1.0, 2.0, 3.0))
    assert hessian.tolist() == [[0, 0, 0], [0, 0, 1], [0, 1, 0]]


def test_adjoints_agree_with_an_ordinary_function() -> None:
    @tl.function
    def ordinary(a, b, c, d):
        a = a + b * c + b**d
        c = c + b / d
        return a * tl.cos(d) - c * tl.sin(d) + (a * tl.sin(d) + c * tl.cos(d)) * d

    for method in IMPLEMENTED:
        gradient = tl.grad(ordinary, argnums=(0, 1, 2, 3), method=method)(*MIXTURE)
        np.testing.assert_allclose(gradient, MIXTURE_GRADIENT, rtol=1e-9)
