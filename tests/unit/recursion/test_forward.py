"""Forward mode of recursive procedures, against closed forms and differences."""

import numpy as np
import pytest

import tapeless as tl

from .procedures import even_steps, hadamard_matrix, hadamard_transform, steps, sum_of_sines

X = np.linspace(-1.0, 2.0, 9)
V = np.random.default_rng(0).normal(size=9)


@tl.function
def sines(x: tl.f64[:]) -> tl.f64:
    return sum_of_sines(0.0, x, 0, len(x))[0]


@tl.function
def transform(x: tl.f64[:]):
    return hadamard_transform(x, 0, len(x))[0]


@tl.function
def last_y(y: tl.f64, x: tl.f64, n: tl.i64) -> tl.f64:
    return even_steps(y, x, n)[0]


def test_of_numbers():
    value, tangent = tl.jvp(sines, (X,), (V,))
    assert value == pytest.approx(np.sin(X).sum(), rel=1e-14)
    assert tangent == pytest.approx(np.cos(X) @ V, rel=1e-13)


def test_of_arrays_that_are_changed():
    value, tangent = tl.jvp(transform, (X[:8],), (V[:8],))
    matrix = hadamard_matrix(8)
    np.testing.assert_allclose(value, matrix @ X[:8], rtol=1e-13, atol=1e-14)
    np.testing.assert_allclose(tangent, matrix @ V[:8], rtol=1e-13, atol=1e-14)


def test_in_many_directions():
    np.testing.assert_allclose(tl.jacfwd(sines)(X), np.cos(X), rtol=1e-14)
    np.testing.assert_allclose(tl.jacfwd(transform)(X[:8]), hadamard_matrix(8), rtol=1e-13, atol=1e-14)


@pytest.mark.parametrize("seed", [(1.0, 0.0), (0.0, 1.0), (0.5, -2.0)])
def test_of_procedures_that_call_each_other(seed):
    """Which arguments move decides what is made; those that do not have no tangents."""
    n, h = 7, 1e-6
    there, back = (steps(0.5 + sign * h * seed[0], 1.5 + sign * h * seed[1], n)[0] for sign in (1, -1))
    value, tangent = tl.jvp(last_y, (0.5, 1.5, n), (*seed, 0))
    assert value == pytest.approx(steps(0.5, 1.5, n)[0], rel=1e-14)
    assert tangent == pytest.approx((there - back) / (2 * h), rel=1e-7)


def test_of_forward_mode():
    n, h = 7, 1e-4
    second = tl.jvp(tl.jacfwd(last_y), (0.5, 1.5, n), (1.0, 0.0, 0))[1]
    there, here, back = (steps(0.5 + move, 1.5, n)[0] for move in (h, 0.0, -h))
    assert second == pytest.approx((there - 2 * here + back) / h**2, rel=1e-5)


def test_too_deep_a_recursion():
    with pytest.raises(tl.RecursionTooDeep):
        tl.jvp(last_y, (0.5, 1.5, 10**7), (1.0, 0.0, 0))


def test_reverse_mode_of_forward_mode_is_refused():
    @tl.function
    def slope(x: tl.f64[:]) -> tl.f64:
        return tl.jvp(sines, (x,), (x,))[1]

    with pytest.raises(tl.NoRuleError, match="its callee is recursive and has no rule; use forward mode here"):
        tl.grad(slope)(X)
