"""Derivatives of `np.linalg`: closed forms, and every method in every transformation against differences of numpy."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pytest

import tapeless as tl
from emulated_gpu.kernels import emulated_cuda
from programs.axes import METHODS

pytestmark = pytest.mark.one_in(2)

RANDOM = np.random.default_rng(5)
A, B, C = RANDOM.normal(size=(3, 3)), RANDOM.normal(size=3), RANDOM.normal(size=(3, 2))
DEFINITE = A @ A.T + np.eye(3)
WEIGHTS = RANDOM.normal(size=(3, 3))


class Case(NamedTuple):
    """A loss that means the same to numpy and to the language, and where it is differentiated by its first argument."""

    loss: Callable[..., Any]
    arguments: tuple[Any, ...]


CASES = {
    "solve": Case(lambda a, b: np.sum(np.sin(np.linalg.solve(a, b))), (A, B)),
    "solve for b": Case(lambda b, a: np.sum(np.sin(np.linalg.solve(a, b))), (B, A)),
    "solve for columns": Case(lambda a, b: np.sum(np.sin(np.linalg.solve(a, b))), (A, C)),
    "solve for stacks": Case(lambda a, b: np.sum(np.sin(np.linalg.solve(a, b))), (np.stack([A, DEFINITE]), B)),
    "inv": Case(lambda a: np.sum(np.sin(np.linalg.inv(a))), (A,)),
    "det": Case(lambda a: np.sin(np.linalg.det(a)), (A,)),
    "slogdet": Case(lambda a: np.sin(np.linalg.slogdet(a)[1]) * np.linalg.slogdet(a)[0], (A,)),
    "cholesky": Case(lambda a: np.sum(np.sin(np.linalg.cholesky(a)) * WEIGHTS), (DEFINITE,)),
    "cholesky of the upper triangle": Case(
        lambda a: np.sum(np.sin(np.linalg.cholesky(a, upper=True)) * WEIGHTS), (DEFINITE,)
    ),
    "norms": Case(
        lambda a: (
            np.linalg.norm(a) * np.linalg.norm(a, 1)
            + np.linalg.norm(a, np.inf)
            + np.sum(np.linalg.norm(a, axis=0) * np.linalg.norm(a, 1, axis=1) * np.linalg.norm(a, 3, axis=1))
        ),
        (A,),
    ),
}


def difference(f: Callable[..., Any], x: Any, direction: Any, step: float) -> Any:
    return (np.asarray(f(x + step * direction)) - f(x - step * direction)) / (2.0 * step)


def along(x: Any) -> Any:
    return np.random.default_rng(7).normal(size=x.shape)


def check_gradient(case: Case, method: str) -> None:
    x, *rest = case.arguments
    value, found = tl.value_and_grad(tl.function(case.loss), method=method)(x, *rest)
    np.testing.assert_allclose(value, case.loss(x, *rest), rtol=1e-12)
    for direction in (along(x), np.eye(1, x.size, 1).reshape(x.shape)):
        wanted = difference(lambda x: case.loss(x, *rest), x, direction, 1e-6)
        np.testing.assert_allclose(np.sum(found * direction), wanted, rtol=1e-6, atol=1e-8)


def check_tangent(case: Case, method: str) -> None:
    x, *rest = case.arguments
    tangents = (along(x), *(np.zeros_like(each) for each in rest))
    value, found = tl.jvp(tl.function(case.loss), case.arguments, tangents, method=method)
    np.testing.assert_allclose(value, case.loss(x, *rest), rtol=1e-12)
    wanted = difference(lambda x: case.loss(x, *rest), x, tangents[0], 1e-6)
    np.testing.assert_allclose(found, wanted, rtol=1e-6, atol=1e-8)


def check_batch(case: Case, method: str) -> None:
    x, *rest = case.arguments
    batch = np.stack([x, 1.1 * x])
    gradient = tl.grad(tl.function(case.loss), method=method)
    found = tl.vmap(gradient, in_axes=(0, *(None for _ in rest)))(batch, *rest)
    for each, one in zip(found, batch, strict=True):
        wanted = difference(lambda x: case.loss(x, *rest), one, along(x), 1e-6)
        np.testing.assert_allclose(np.sum(each * along(x)), wanted, rtol=1e-6, atol=1e-8)


def check_curvature(case: Case, method: str) -> None:
    x, *rest = case.arguments
    found = tl.hessian(tl.function(case.loss), method=method)(x, *rest)
    v, w = along(x), np.random.default_rng(8).normal(size=x.shape)
    slope = lambda x: difference(lambda x: case.loss(x, *rest), x, v, 1e-4)  # noqa: E731
    wanted = difference(slope, x, w, 1e-4)
    np.testing.assert_allclose(np.tensordot(np.tensordot(found, w, x.ndim), v, x.ndim), wanted, rtol=1e-4, atol=1e-5)


def check_gpu(case: Case, method: str) -> None:
    gradient = tl.value_and_grad(tl.function(case.loss), method=method)
    expected = gradient(*case.arguments)
    with emulated_cuda() as gpu:
        found = tl.compile(gradient, case.arguments, target="cuda")(*case.arguments)
        gpu.check_guards()
    for each, wanted in zip(found, expected, strict=True):
        np.testing.assert_allclose(each, wanted, rtol=1e-12, atol=1e-13)


TRANSFORMATIONS = [check_gradient, check_tangent, check_batch, check_curvature, check_gpu]


@pytest.mark.one_in(160)
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("transformation", TRANSFORMATIONS, ids=lambda each: each.__name__)
@pytest.mark.parametrize("name", CASES)
def test_derivatives(name: str, transformation: Callable[[Case, str], None], method: str) -> None:
    transformation(CASES[name], method)


def test_closed_forms() -> None:
    logarithm = tl.grad(tl.function(lambda a: np.linalg.slogdet(a)[1]))
    np.testing.assert_allclose(logarithm(A), np.linalg.inv(A).T, rtol=1e-12)
    singles = A.astype(np.float32)
    assert logarithm(singles).dtype == np.float32
    np.testing.assert_allclose(logarithm(singles), np.linalg.inv(A).T, rtol=1e-4)
    assert logarithm(np.zeros((0, 0))).shape == (0, 0)


def cofactors(a: Any) -> Any:
    """The determinants of what is left without a row and a column, with signs."""
    n = len(a)
    found = np.empty((n, n))
    for i in range(n):
        for j in range(n):
            rest = np.delete(np.delete(a, i, 0), j, 1)
            found[i, j] = (-1) ** (i + j) * (np.linalg.det(rest) if n > 1 else 1.0)
    return found


SINGULAR = [
    np.zeros((1, 1)),
    np.array([[0.0, 1.0], [0.0, 0.0]]),
    np.array([[1.0, 2.0], [2.0, 4.0]]),
    np.zeros((2, 2)),
    np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0]]),
    np.array([[0.0, 0.0, 2.0], [0.0, 3.0, 1.0], [0.0, 1.0, 5.0]]),
    np.array([[0.0, 1.0, 2.0], [0.0, 0.0, 3.0], [0.0, 0.0, 0.0]]),
    np.outer(B, B),
    np.diag([1.0, 0.0, 2.0, 3.0])[[2, 0, 1, 3]],
]


def test_the_gradient_of_the_determinant_are_the_cofactors_also_without_an_inverse() -> None:
    gradient = tl.grad(tl.function(lambda a: np.linalg.det(a)))
    for matrix in (A, DEFINITE, *SINGULAR):
        np.testing.assert_allclose(gradient(matrix), cofactors(matrix), rtol=1e-10, atol=1e-13)


def test_the_norm_of_zeros_has_no_derivative() -> None:
    gradient = tl.grad(tl.function(lambda x: np.linalg.norm(x)))
    assert np.isnan(gradient(np.zeros(3))).all()
