"""Reverse mode of recursive procedures: the adjoint of the inverse, which calls itself in turn."""

import numpy as np
import pytest

import tapeless as tl

from .procedures import even_steps, hadamard_matrix, hadamard_transform, steps, sum_of_sines
from .test_programs import PROGRAMS

pytestmark = pytest.mark.one_in(2)

X = np.linspace(-1.0, 2.0, 9)
W = np.random.default_rng(0).normal(size=9)


@tl.function
def sines(x: tl.f64[:]) -> tl.f64:
    return sum_of_sines(0.0, x, 0, len(x))[0]


@tl.function
def weighted(x: tl.f64[:], w: tl.f64[:]) -> tl.f64:
    y = hadamard_transform(x, 0, len(x))[0]
    return tl.sum(w * y * y)


@tl.function
def last_y(y: tl.f64, x: tl.f64, n: tl.i64) -> tl.f64:
    return even_steps(y, x, n)[0]


def test_by_halves():
    np.testing.assert_allclose(tl.grad(sines)(X), np.cos(X), rtol=1e-14)


def test_of_the_parameter_that_holds_the_loss():
    adjoint = tl.grad(sum_of_sines, loss=0, argnums=1)(0.5, X, 0, len(X))
    np.testing.assert_allclose(adjoint, np.cos(X), rtol=1e-14)


def test_of_arrays_that_are_changed():
    matrix, x, w = hadamard_matrix(8), X[:8], W[:8]
    wanted = matrix.T @ (2 * w * (matrix @ x))
    np.testing.assert_allclose(tl.grad(weighted)(x, w), wanted, rtol=1e-12, atol=1e-13)


@pytest.mark.thorough
def test_hessian():
    matrix, x, w = hadamard_matrix(8), X[:8], W[:8]
    wanted = matrix.T @ np.diag(2 * w) @ matrix
    np.testing.assert_allclose(tl.hessian(weighted)(x, w), wanted, rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(tl.hessian(sines)(X), np.diag(-np.sin(X)), rtol=1e-12, atol=1e-14)


def test_of_procedures_that_call_each_other():
    n, h = 7, 1e-6
    found = tl.grad(last_y, argnums=(0, 1))(0.5, 1.5, n)
    for adjoint, (dy, dx) in zip(found, ((h, 0.0), (0.0, h)), strict=True):
        there, back = steps(0.5 + dy, 1.5 + dx, n)[0], steps(0.5 - dy, 1.5 - dx, n)[0]
        assert adjoint == pytest.approx((there - back) / (2 * h), rel=1e-7)


def test_of_whole_procedures():
    """One cotangent and one adjoint per parameter; bounds have none."""
    y, back = tl.vjp(hadamard_transform, X[:8], 0, 8)
    np.testing.assert_allclose(y[0], hadamard_matrix(8) @ X[:8], rtol=1e-13, atol=1e-14)
    adjoint = back((W[:8], 0, 0))[0]
    np.testing.assert_allclose(adjoint, hadamard_matrix(8).T @ W[:8], rtol=1e-13, atol=1e-14)


@pytest.mark.one_in(3)
@pytest.mark.parametrize("name", ["tower", "quarters"])
def test_of_programs_with_loops_and_parts(name):
    """These are linear but for constants: <w, J v> from differences is <J' w, v>."""
    procedure, plain, arguments = PROGRAMS[name]
    floats = [k for k, each in enumerate(arguments) if isinstance(each, np.ndarray)]
    rng = np.random.default_rng(1)
    moved = {k: rng.normal(size=arguments[k].shape) for k in floats}
    there, here = plain(*copies(arguments, moved)), plain(*copies(arguments, {}))
    weights = [rng.normal(size=np.shape(each)) for each in here]
    rate = sum(np.sum(weights[k] * (there[k] - here[k])) for k in floats)
    _, back = tl.vjp(procedure, *arguments)
    bars = back(tuple(weights[k] if k in floats else 0 for k in range(len(arguments))))
    assert sum(np.sum(bars[k] * moved[k]) for k in floats) == pytest.approx(rate, rel=1e-12)


def test_arrays_that_change_places_need_known_sizes():
    """Nothing tells that the adjoints of two arrays have one size, unless their types do."""
    procedure, _, arguments = PROGRAMS["exchange"]
    _, back = tl.vjp(procedure, *arguments)
    with pytest.raises(tl.PipelineError, match="is recursive and gives back an array whose sizes are those of no arg"):
        back((np.ones(4), np.ones(4), 0))

    @tl.function
    def first_of_both(a: tl.f64[4], b: tl.f64[4]) -> tl.f64:
        x, y, _ = exchange_four(a, b, 3)
        return x[0] * y[0]

    a, b = tl.grad(first_of_both, argnums=(0, 1))(np.full(4, 2.0), np.full(4, 3.0))
    np.testing.assert_array_equal(a, [7.0, 0.0, 0.0, 0.0])
    np.testing.assert_array_equal(b, [4.0, 0.0, 0.0, 0.0])


@tl.reversible
def exchange_four(a: tl.f64[4], b: tl.f64[4], n: tl.In[tl.i64]):
    if n > 0:
        a, b = b, a
        a[0] += n
        exchange_four(a, b, n - 1)


def copies(arguments, moved):
    return [each + moved[k] if k in moved else np.copy(each)[()] for k, each in enumerate(arguments)]


def test_too_deep_a_recursion():
    with pytest.raises(tl.RecursionTooDeep):
        tl.grad(last_y)(0.5, 1.5, 10**7)
