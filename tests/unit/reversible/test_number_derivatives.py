"""Derivatives of procedures on fixed-point and log numbers: those of the functions of floats that they round."""

import math

import numpy as np
import pytest

import tapeless as tl

pytestmark = pytest.mark.one_in(3)


@tl.reversible
def coupled(y: tl.fixed43, x: tl.fixed43[:]):
    for i in range(len(x)):
        y += tl.sin(x[i]) * x[i]
        x[i] -= tl.cos(y)
        x[i] = -x[i]


def reference(y, x):
    x = np.array(x)
    for i in range(len(x)):
        y = y + np.sin(x[i]) * x[i]
        x[i] = -(x[i] - np.cos(y))
    return y, x


X = np.array([0.3, 0.7, -1.2])


def gradient(step=1e-20):
    columns = [reference(0.5 + 0j, X + 1j * step * row)[0].imag / step for row in np.eye(3)]
    return np.array(columns)


def test_gradient_on_the_grid():
    dy, dx = tl.grad(coupled, loss="y", argnums=(0, 1))(0.5, X)
    assert dy == pytest.approx(1.0)
    assert dx == pytest.approx(gradient(), rel=1e-11)


def test_tangents_and_cotangents_agree():
    tangents = (0.25, np.array([1.0, -2.0, 0.5]))
    (y, x), (dy, dx) = tl.jvp(coupled, (0.5, X), tangents)
    assert (y, x.tolist()) == (float(coupled(0.5, X)[0]), np.asarray(coupled(0.5, X)[1]).tolist())
    _, pullback = tl.vjp(coupled, 0.5, X)
    weights = (1.5, np.array([0.2, 0.4, -1.0]))
    adjoints = pullback(weights)
    forward = weights[0] * dy + weights[1] @ dx
    backward = adjoints[0] * tangents[0] + adjoints[1] @ tangents[1]
    assert forward == pytest.approx(backward, rel=1e-13)


def test_hessian_on_the_grid():
    @tl.reversible
    def quartic(y: tl.fixed43, x: tl.In[tl.fixed43[:]]):
        with tl.ancilla(tl.fixed43(0.0)) as s:
            with tl.routine() as r:
                s += tl.sum(x * x)
            y += s * s
            ~r

    expected = 8.0 * np.outer(X, X) + 4.0 * (X @ X) * np.eye(3)
    assert tl.hessian(quartic, loss=0, argnums=1)(0.0, X) == pytest.approx(expected, rel=1e-11)


def test_an_ancilla_on_the_grid_between_floats_keeps_the_derivative():
    @tl.reversible
    def through(y: tl.f64, x: tl.In[tl.f64]):
        with tl.ancilla(tl.fixed43(0.0)) as z:
            with tl.routine() as r:
                z += tl.exp(x)
            y += z * z
            ~r

    assert tl.grad(through, loss=0, argnums=1)(0.0, 0.4) == pytest.approx(2.0 * math.exp(0.8), rel=1e-12)


@tl.reversible
def exponential(y: tl.fixed43, x: tl.In[tl.fixed43]):
    """The exponential by its series; terms are log numbers on the grid."""
    with tl.ancilla(tl.ulog43(1.0)) as term:
        y += 1.0
        for n in range(1, 60):
            term *= x / n
            y += term
        for n in range(1, 60):
            term /= x / (60 - n)


def test_exponential_by_log_numbers_on_the_grid():
    far = exponential(0.0, 3.5)
    assert float(far[0]) == pytest.approx(33.1154519587, abs=1e-9)
    assert (~exponential)(*far)[0] == tl.fixed43(0.0)
    assert tl.grad(exponential, loss=0, argnums=1)(0.0, 3.5) == pytest.approx(33.1154519587, abs=1e-9)


def test_derivative_of_a_log_number_is_that_of_its_value():
    @tl.reversible
    def product(u: tl.ulog, x: tl.In[tl.f64], v: tl.In[tl.ulog]):
        u *= x * x * v

    du, dx, dv = tl.grad(product, loss=0, argnums=(0, 1, 2))(2.0, 3.0, 5.0)
    assert (du, dx, dv) == pytest.approx((45.0, 60.0, 18.0), rel=1e-14)
    assert tl.hessian(product, loss=0, argnums=1)(2.0, 3.0, 5.0) == pytest.approx(20.0, rel=1e-13)


@tl.reversible
def turn(a: tl.fixed43, b: tl.fixed43, angle: tl.In[tl.f64]):
    """Close to a rotation, by shears."""
    a -= tl.tan(0.5 * angle) * b
    b += tl.sin(angle) * a
    a -= tl.tan(0.5 * angle) * b
    a, b = b, a


@tl.reversible
def rows(s: tl.fixed43, m: tl.fixed43[:, :], angles: tl.In[tl.f64[:]]):
    for i in range(len(m)):
        turn(m[i, 0], m[i, 1], angles[i])
        s += m[i, 0] * m[i, 0] * m[i, 1]
    m[:, 1] += tl.sin(m[:, 0])
    s += tl.sum(m[:, 1])


def rows_of_floats(s, m, angles):
    m = np.array(m)
    for i in range(len(m)):
        a, b = m[i, 0], m[i, 1]
        a = a - np.tan(0.5 * angles[i]) * b
        b = b + np.sin(angles[i]) * a
        a = a - np.tan(0.5 * angles[i]) * b
        m[i] = b, a
        s = s + m[i, 0] * m[i, 0] * m[i, 1]
    return s + np.sum(m[:, 1] + np.sin(m[:, 0]))


def test_parts_swaps_and_calls_on_the_grid():
    m, angles = np.array([[0.3, -0.4], [1.1, 0.2]]), np.array([0.7, -0.2])
    dm, dangles = tl.grad(rows, loss="s", argnums=("m", "angles"))(0.0, m, angles)
    step = 1e-20
    for (k, j), value in np.ndenumerate(dm):
        moved = m.astype(complex)
        moved[k, j] += 1j * step
        assert value == pytest.approx(rows_of_floats(0.0, moved, angles).imag / step, rel=1e-11)
    for k, value in enumerate(dangles):
        moved = angles.astype(complex)
        moved[k] += 1j * step
        assert value == pytest.approx(rows_of_floats(0.0, m.astype(complex), moved).imag / step, rel=1e-11)


@pytest.mark.thorough
def test_second_derivatives_agree_in_both_orders_of_modes():
    m = np.array([[0.3, -0.4], [1.1, 0.2]])

    @tl.function
    def loss(angles):
        return rows(0.0, m, angles)[0]

    angles = np.array([0.7, -0.2])
    by_reverse = tl.jacrev(tl.grad(loss))(angles)
    by_forward = tl.jacfwd(tl.grad(loss))(angles)
    step = 1e-5
    slope = tl.grad(loss)
    differences = [(slope(angles + d) - slope(angles - d)) / (2 * step) for d in step * np.eye(2)]
    assert by_forward == pytest.approx(by_reverse, rel=1e-12)
    assert by_forward == pytest.approx(np.array(differences), rel=1e-6, abs=1e-6)
