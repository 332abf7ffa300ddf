"""`np.linalg` inside functions, against numpy: shapes, numbers, stacks of matrices, orders of norms, refusals."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tapeless as tl
from frontend.running import check, compare, run, text
from tapeless import lang
from tapeless.frontend.values.instead import LINALG

pytestmark = pytest.mark.one_in(3)

RANDOM = np.random.default_rng(3)
SIZES = (1, 2, 3, 7)
MATRICES = {n: RANDOM.normal(size=(n, n)) for n in SIZES}
STACK = RANDOM.normal(size=(2, 3, 3, 3))
SQUARE = MATRICES[3]
POSITIVE = SQUARE @ SQUARE.T + np.eye(3)
NEEDS_EXCHANGES = np.array([[0.0, 2.0, 1.0], [1.0, 0.0, 3.0], [4.0, 1.0, 0.0]])
WHOLE = np.array([[2, 1], [1, 3]])
VECTOR = np.array([3.0, -4.0, 0.5])


def systems(a, b, c):
    return np.linalg.solve(a, b), np.linalg.solve(a, c), np.linalg.inv(a)


def determinants(a):
    sign, logarithm = np.linalg.slogdet(a)
    return np.linalg.det(a), sign, logarithm


def factors(a):
    return np.linalg.cholesky(a), np.linalg.cholesky(a, upper=True)


def single(x: Any) -> Any:
    return np.asarray(x, np.float32)


@pytest.mark.one_in(3)
@pytest.mark.parametrize("n", SIZES)
def test_sizes(n: int) -> None:
    a = MATRICES[n]
    definite = a @ a.T + np.eye(n)
    b, c = RANDOM.normal(size=n), RANDOM.normal(size=(n, 2))
    check(systems, a, b, c, rtol=1e-11)
    check(determinants, a, rtol=1e-11)
    check(factors, definite, rtol=1e-11)


def of_known_size(a: tl.f64[3, 3], b: tl.f64[3]):
    sign, logarithm = np.linalg.slogdet(a)
    return np.linalg.solve(a, b), np.linalg.inv(a), np.linalg.det(a), sign, logarithm, np.linalg.cholesky(a)


def of_known_size_in_singles(a: tl.f32[3, 3], b: tl.f32[3]):
    sign, logarithm = np.linalg.slogdet(a)
    return np.linalg.solve(a, b), np.linalg.inv(a), np.linalg.det(a), sign, logarithm, np.linalg.cholesky(a)


def test_sizes_that_are_known_when_compiling() -> None:
    check(of_known_size, POSITIVE, VECTOR)
    result = check(of_known_size_in_singles, single(POSITIVE), single(VECTOR), rtol=1e-5)
    assert {np.asarray(each).dtype for each in result} == {np.dtype(np.float32)}


@pytest.mark.one_in(3)
@pytest.mark.parametrize("n", (0, 1, 40))
def test_compiled(n: int) -> None:
    a = np.random.default_rng(n).normal(size=(n, n))
    b, c = RANDOM.normal(size=n), RANDOM.normal(size=(n, 2))
    compare(tl.function(everything)(a, b, c), everything(a, b, c), rtol=1e-10)


def everything(a, b, c):
    definite = a @ a.T + np.eye(a.shape[0])
    sign, logarithm = np.linalg.slogdet(a)
    return np.linalg.solve(a, b), np.linalg.solve(a, c), sign, logarithm, np.linalg.cholesky(definite)


def test_kinds_of_numbers() -> None:
    check(lambda a, b: (np.linalg.solve(a, b), np.linalg.inv(a), np.linalg.det(a)), WHOLE, WHOLE)
    mixed = run(lambda a, b: np.linalg.solve(a, b), single(SQUARE), VECTOR)
    assert mixed.dtype == np.float64
    np.testing.assert_allclose(mixed, np.linalg.solve(SQUARE, VECTOR), rtol=1e-5)


def test_exchanged_rows() -> None:
    for a in (NEEDS_EXCHANGES, NEEDS_EXCHANGES[::-1].copy()):
        check(systems, a, VECTOR, a)
        check(determinants, a)


def test_determinants_of_singular_matrices_and_products_out_of_range() -> None:
    check(determinants, np.array([[1.0, 2.0], [2.0, 4.0]]))
    check(lambda a: np.linalg.det(a), np.diag([1e200, 1e200, 1e-300]), expected=1e100)
    check(lambda a: np.linalg.det(a), np.diag([1e-200, -1e-200, 1e300]), expected=-1e-100, rtol=1e-112)


STACKED: list[tuple[Callable[..., Any], tuple[Any, ...]]] = [
    (lambda a, b: np.linalg.solve(a, b), (STACK[0], STACK[0, :, :, :2])),
    (lambda a, b: np.linalg.solve(a, b), (STACK, VECTOR)),
    (lambda a, b: np.linalg.solve(a, b), (STACK, STACK)),
    (lambda a, b: np.linalg.solve(a, b), (SQUARE, STACK[0])),
    (lambda a, b: np.linalg.solve(a, b), (STACK[0], SQUARE)),
    (lambda a, b: np.linalg.solve(a[:, None], b), (STACK[0], STACK[0])),
    (lambda a, b: np.linalg.solve(a[None], b[None]), (SQUARE, SQUARE)),
    (lambda a: (np.linalg.inv(a), np.linalg.det(a)), (STACK,)),
    (determinants, (STACK,)),
    (lambda a: np.linalg.cholesky(a), (STACK[0] @ np.swapaxes(STACK[0], 1, 2) + np.eye(3),)),
]


@pytest.mark.one_in(3)
@pytest.mark.parametrize(("function", "arguments"), STACKED, ids=range(len(STACKED)))
def test_stacks_of_matrices(function: Callable[..., Any], arguments: tuple[Any, ...]) -> None:
    check(function, *arguments, rtol=1e-11)


CUBE = np.sin(np.arange(24.0)).reshape(2, 3, 4)
NORMS: list[tuple[Callable[..., Any], tuple[Any, ...]]] = [
    (lambda x: (np.linalg.norm(x), np.linalg.norm(x, keepdims=True)), (CUBE,)),
    (lambda x: (np.linalg.norm(x), np.linalg.norm(x, axis=0), np.linalg.norm(x, None, 1, True)), (CUBE,)),
    (lambda x: (np.linalg.norm(x, 1), np.linalg.norm(x, 2), np.linalg.norm(x, 0), np.linalg.norm(x, 3)), (VECTOR,)),
    (lambda x: (np.linalg.norm(x, np.inf), np.linalg.norm(x, ord=-np.inf), np.linalg.norm(x, -1.5)), (VECTOR,)),
    (lambda m: (np.linalg.norm(m), np.linalg.norm(m, "fro"), np.linalg.norm(m, 1), np.linalg.norm(m, -1)), (SQUARE,)),
    (lambda m: (np.linalg.norm(m, np.inf), np.linalg.norm(m, -np.inf, keepdims=True)), (SQUARE,)),
    (lambda m: (np.linalg.norm(m, 1, axis=1), np.linalg.norm(m, np.inf, 0, True)), (SQUARE,)),
    (
        lambda x: (
            np.linalg.norm(x, axis=(0, 2)),
            np.linalg.norm(x, "fro", axis=(2, 0)),
            np.linalg.norm(x, 1, axis=(2, 0), keepdims=True),
            np.linalg.norm(x, -np.inf, axis=(-1, 1)),
        ),
        (CUBE,),
    ),
    (lambda x: np.linalg.norm(x), (np.zeros(0),)),
    (lambda x: np.linalg.norm(x, 1), (WHOLE,)),
    (lambda x: np.linalg.norm(x, 1), (single(VECTOR),)),
    (lambda x: np.linalg.norm(x), (-2.5,)),
]


@pytest.mark.parametrize(("function", "arguments"), NORMS, ids=range(len(NORMS)))
def test_norms(function: Callable[..., Any], arguments: tuple[Any, ...]) -> None:
    check(function, *arguments, rtol=1e-6 if np.asarray(arguments[0]).dtype == np.float32 else 1e-12)


REFUSED: list[tuple[Callable[..., Any], str]] = [
    (lambda a: np.linalg.norm(a, 2), r"needs singular values\n.*\n.*\nuse ord='fro', 1 or np\.inf"),
    (lambda a: np.linalg.norm(a, "nuc"), "needs singular values"),
    (lambda a: np.linalg.norm(a, 3), "3 is no norm of matrices"),
    (lambda a: np.linalg.norm(a[0], "fro"), "the norm 'fro' is one of matrices"),
    (lambda a: np.linalg.norm(a, a[0, 0]), "the order of a norm is not known when compiling"),
    (lambda a: np.linalg.norm(a[None], 1), "a norm along 3 axes"),
    (lambda a: np.linalg.solve(a[0], a[0]), r"tl\.linalg\.solve of an array of rank 1"),
    (lambda a: np.linalg.inv(tl.ones((2, 3))), r"sizes 2 and 3 of axis 1 do not match\n.*\n.*\nuse a square matrix"),
    (lambda a: np.linalg.solve(tl.eye(3), tl.ones(2)), "sizes 3 and 2 of axis 0 do not match"),
    (lambda a: np.linalg.solve(a), "missing a required argument: 'b'"),
    (lambda a: np.linalg.sovle(a, a), r"did you mean 'np\.linalg\.solve'"),
    (lambda a: tl.linalg.choleski(a), r"did you mean 'tl\.linalg\.cholesky'"),
    (
        lambda a: np.linalg.eigh(a),
        r"'np\.linalg\.eigh' is not a function of the language\n.*\n.*\nwrite np\.linalg\.eigh",
    ),
    (lambda a: np.linalg.lstsq(a, a[0]), r"write np\.linalg\.solve\(x\.T @ x, x\.T @ y\) for a matrix"),
]


@pytest.mark.parametrize(("function", "message"), REFUSED, ids=[each[1] for each in REFUSED])
def test_refused(function: Callable[..., Any], message: str) -> None:
    with pytest.raises(tl.TapelessError, match=message) as error:
        tl.function(function)(SQUARE)
    assert "test_linalg.py:" in str(error.value)


def test_every_name_of_numpy_works_or_is_refused_with_what_to_write() -> None:
    works = {name for name in np.linalg.__all__ if lang.meaning(getattr(np.linalg, name))} | {"LinAlgError"}
    assert {*tl.linalg.__all__} < works
    assert {*LINALG} | works == {*np.linalg.__all__}
    assert not {*LINALG} & works


FAILING: list[tuple[Callable[..., Any], Any, str]] = [
    (lambda a: np.linalg.solve(a, a[0]), np.ones((3, 3)), "the matrix is singular"),
    (lambda a: tl.linalg.inv(a), np.zeros((2, 2)), "the matrix is singular"),
    (lambda a: tl.map(lambda m: np.linalg.inv(m), a), np.stack([SQUARE, SQUARE * 0]), "the matrix is singular"),
    (lambda a: np.linalg.inv(a), np.stack([SQUARE, SQUARE * 0]), "the matrix is singular"),
    (lambda a: np.linalg.cholesky(a), -np.eye(2), "the matrix is not positive definite"),
    (lambda a: np.linalg.cholesky(a), np.full((2, 2), np.nan), "the matrix is not positive definite"),
    (lambda a: tl.grad(lambda m: np.linalg.inv(m)[0, 0])(a), np.ones((3, 3)), "the matrix is singular"),
]


@pytest.mark.one_in(5)
@pytest.mark.parametrize(("function", "matrix", "message"), FAILING, ids=range(len(FAILING)))
def test_matrices_without_a_result(function: Callable[..., Any], matrix: Any, message: str) -> None:
    """An error at the line of the call that is one of ours and one of numpy's; without checks, no error."""
    with pytest.raises(np.linalg.LinAlgError, match=message) as error:
        tl.function(function)(matrix)
    assert isinstance(error.value, tl.LinAlgError) and isinstance(error.value, tl.TapelessError)
    assert "test_linalg.py:" in str(error.value)


def test_without_checks_results_are_not_finite() -> None:
    solved = tl.jit(lambda a: np.linalg.solve(a, a[0]), checks="off")(np.ones((2, 2)))
    assert not np.isfinite(solved).all()


def test_a_matrix_is_factored_once() -> None:
    def several(a, b):
        total = np.linalg.det(a) + np.sum(np.linalg.solve(a, b)) + np.sum(np.linalg.inv(a))
        for i in range(2):
            total += np.sum(np.linalg.solve(a, b + i))
        return total

    assert text(several, SQUARE, VECTOR).count("call @factor") == 1
    check(several, SQUARE, VECTOR, rtol=1e-11)

    def changed(a, b):
        x = np.linalg.solve(a, b)
        a[0, 0] += 1.0
        return x, np.linalg.solve(a, b)

    assert text(changed, SQUARE, VECTOR).count("call @factor") == 2
    np.testing.assert_allclose(
        run(changed, SQUARE, VECTOR)[1], np.linalg.solve(SQUARE + np.eye(3) * np.eye(1, 3), VECTOR), rtol=1e-11
    )

    def in_a_branch(a, b):
        if b[0] > 0:
            x = np.linalg.solve(a, b)
        else:
            x = b
        return x + np.linalg.solve(a, b)

    assert text(in_a_branch, SQUARE, VECTOR).count("call @factor") == 2
    check(in_a_branch, SQUARE, VECTOR, rtol=1e-11)


def test_not_a_number_is_no_singular_matrix() -> None:
    check(lambda a: np.linalg.inv(a), np.full((2, 2), np.nan))


def test_matrices_that_are_not_square_when_running() -> None:
    with pytest.raises(tl.ShapeMismatch, match="sizes 2 and 3 of axis 1"):
        tl.function(lambda a: np.linalg.det(a))(np.ones((2, 3)))


def test_errors_and_operators_are_pickled() -> None:
    assert pickle.loads(pickle.dumps(tl.linalg.solve)) is tl.linalg.solve
    assert repr(tl.linalg.norm) == "tl.linalg.norm"
