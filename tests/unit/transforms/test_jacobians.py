"""Jacobians and Hessians: shapes, nesting of results and arguments, both modes."""

import re

import numpy as np
import pytest

import tapeless as tl

pytestmark = pytest.mark.one_in(2)

X = np.array([0.5, -1.25, 2.0])
MODES = [tl.jacfwd, tl.jacrev]


def differences(f, x, step=1e-6):
    """The Jacobian by central differences."""
    columns = []
    for k in range(x.size):
        moved = np.zeros(x.size)
        moved[k] = step
        moved = moved.reshape(x.shape)
        columns.append((f(x + moved) - f(x - moved)) / (2.0 * step))
    shape = np.shape(columns[0])
    return np.moveaxis(np.array(columns), 0, -1).reshape(shape + x.shape)


@pytest.mark.parametrize("jacobian", MODES)
def test_vector_to_vector(jacobian):
    matrix = np.arange(6.0).reshape(2, 3)
    found = jacobian(lambda x: tl.sin(matrix @ x))(X)
    np.testing.assert_allclose(found, np.cos(matrix @ X)[:, None] * matrix, rtol=1e-13)


@pytest.mark.parametrize("jacobian", MODES)
def test_shape_is_result_then_argument(jacobian):
    a = np.arange(1.0, 7.0).reshape(2, 3)

    def f(a):
        return a @ a.T * a[0, 0]

    found = jacobian(f)(a)
    assert found.shape == (2, 2, 2, 3)
    np.testing.assert_allclose(found, differences(lambda a: a @ a.T * a[0, 0], a), rtol=1e-7, atol=1e-6)


@pytest.mark.parametrize("jacobian", MODES)
def test_scalars_on_either_side(jacobian):
    assert jacobian(tl.sin)(0.3) == pytest.approx(np.cos(0.3))
    np.testing.assert_allclose(jacobian(lambda x: tl.sum(x * x))(X), 2.0 * X)
    np.testing.assert_allclose(jacobian(lambda s: s * s * tl.stack((1.0, 2.0)))(3.0), [6.0, 12.0])
    a = np.arange(6.0).reshape(2, 3)
    np.testing.assert_allclose(jacobian(lambda a: tl.sum(a * a))(a), 2.0 * a)


@pytest.mark.parametrize("jacobian", MODES)
def test_several_results_and_arguments_nest_results_outermost(jacobian):
    def f(x, s):
        return x * s, (tl.sum(x), s * s)

    (rows, s_rows), ((total, s_total), (square, s_square)) = jacobian(f, argnums=(0, 1))(X, 3.0)
    np.testing.assert_allclose(rows, 3.0 * np.eye(3))
    np.testing.assert_allclose(s_rows, X)
    np.testing.assert_allclose(total, np.ones(3))
    assert s_total == 0.0
    np.testing.assert_array_equal(square, np.zeros(3))
    assert s_square == 6.0


def test_results_with_a_common_part():
    def f(x):
        return tl.exp(x) * tl.sum(tl.sin(x))

    expected = np.diag(np.exp(X) * np.sin(X).sum()) + np.outer(np.exp(X), np.cos(X))
    for jacobian in MODES:
        np.testing.assert_allclose(jacobian(f)(X), expected, rtol=1e-13)


def test_all_rows_share_one_forward_execution():
    def f(x):
        y = x
        for _ in range(10):
            y = tl.sin(y) * x
        return y

    for jacobian in MODES:
        text = tl.compile(jacobian(f), tl.f64[:]).ir("fuse")
        over_seeds = re.split(r'\n    %\w+ = "soac.map"', text)[-1]
        assert over_seeds.count("scf.for") == 1 and "math." not in over_seeds
    np.testing.assert_allclose(tl.jacrev(f)(X), tl.jacfwd(f)(X), rtol=1e-12)


def test_hessian():
    def f(x):
        return tl.sum(x) ** 3 + x[0] * x[1]

    expected = np.full((3, 3), 6.0 * X.sum())
    expected[0, 1] += 1.0
    expected[1, 0] += 1.0
    np.testing.assert_allclose(tl.hessian(f)(X), expected, rtol=1e-13)


def test_hessian_of_several_arguments():
    (xx, xy), (yx, yy) = tl.hessian(lambda x, y: tl.sum(x * x) * y**3, argnums=(0, 1))(X, 2.0)
    np.testing.assert_allclose(xx, 16.0 * np.eye(3))
    np.testing.assert_allclose(xy, 2.0 * X * 12.0)
    np.testing.assert_allclose(yx, xy)
    assert yy == pytest.approx(X @ X * 12.0)


@pytest.mark.one_in(4)
@pytest.mark.parametrize("outer", MODES)
@pytest.mark.parametrize("inner", [*MODES, tl.grad])
def test_modes_compose_to_the_hessian(outer, inner):
    def f(x):
        return tl.sum(tl.sin(x)) * x[0]

    expected = np.diag(-np.sin(X) * X[0])
    expected[0] += np.cos(X)
    expected[:, 0] += np.cos(X)
    np.testing.assert_allclose(outer(inner(f))(X), expected, rtol=1e-12)


@pytest.mark.parametrize("jacobian", MODES)
def test_empty_arguments(jacobian):
    assert jacobian(lambda x: x * x)(np.zeros(0)).shape == (0, 0)


@pytest.mark.parametrize("jacobian", MODES)
def test_single_precision(jacobian):
    found = jacobian(lambda x: x * x)(X.astype(np.float32))
    assert found.dtype == np.float32
    np.testing.assert_allclose(found, np.diag(2.0 * X), rtol=1e-6)


def _of_large_seeds(x, ct):
    return (ct * tl.exp(x) if ct > 0.5 else -ct,)


def _as_often_as_the_seed_says(x, ct):
    total = 0.0
    for _ in range(int(ct * 3.0)):
        total += tl.exp(x)
    return (total,)


@pytest.mark.parametrize(("rule", "factor"), [(_of_large_seeds, 1.0), (_as_often_as_the_seed_says, 3.0)])
def test_rules_whose_course_depends_on_the_seed(rule, factor):
    """Branches and loops that a user's rule steers by its cotangent are not shared by the seeds."""

    @tl.custom_vjp
    def f(x):
        return tl.sin(x)

    f.defvjp(lambda x: (tl.sin(x), x), rule)
    jacobian = tl.jacrev(lambda xs: tl.map(lambda x: f(x), xs))(X)
    np.testing.assert_allclose(jacobian, np.diag(factor * np.exp(X)), rtol=1e-12)
