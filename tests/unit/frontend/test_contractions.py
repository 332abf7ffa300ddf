"""`einsum` and products of stacks of matrices are those of numpy: values, derivatives by every method, refusals."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tapeless as tl

from .running import check

pytestmark = pytest.mark.one_in(2)

METHODS = ("redundant", "reversible", "coarsened")
RNG = np.random.default_rng(5)


def r(*shape: int) -> np.ndarray:
    return RNG.normal(size=shape)


M, N, S, C, Q = r(2, 3), r(3, 4), r(3, 3), r(2, 3, 3), r(2, 3, 2, 3)
INTEGERS = np.arange(6, dtype=np.int32).reshape(2, 3)

# Functions that mean the same to numpy, and their arguments.
EINSUMS: list[tuple[Callable[..., Any], tuple[Any, ...]]] = [
    (lambda s: (np.einsum("ii->i", s), np.einsum("ii", s), np.einsum("ii->", s)), (S,)),
    (
        lambda c: (np.einsum("ijj->i", c), np.einsum("ijj->ji", c), np.einsum("...jj", c), np.einsum("...jj->...j", c)),
        (C,),
    ),
    (lambda c: (np.einsum("iij->j", c), np.einsum("iij", c), np.einsum("iij->ji", c)), (C.T,)),
    (lambda c: (np.einsum("iii", c), np.einsum("iii->i", c), np.einsum("ii...->...i", c)), (r(3, 3, 3),)),
    (lambda q: (np.einsum("ijij->ij", q), np.einsum("ijij", q), np.einsum("ijkj->ki", q)), (Q,)),
    (lambda s, m: (np.einsum("ii,ji->j", s, m), np.einsum("ii,jk", s, m), np.einsum("ii,jj->ij", s, s)), (S, M)),
    (lambda m, n: (np.einsum("ij,jk", m, n), np.einsum("ji,kj", n, m), np.einsum("ij,kj", m, n.T)), (M, N)),
    (
        lambda m, n: (
            np.einsum(" i j , j k -> i k ", m, n),
            np.einsum("i j", m),
            np.einsum("Ba", m),
            np.einsum("aB", m),
        ),
        (M, N),
    ),
    (lambda m, n, k: (np.einsum("ij,jk,kl->il", m, n, k), np.einsum("ij,jk,kl", m, n, k)), (M, N, r(4, 2))),
    (lambda x, y, z: (np.einsum("i,i,i->i", x, y, z), np.einsum("i,j,k->kij", x, y, z)), (r(3), r(3), r(3))),
    (
        lambda m: (np.einsum("i...", m), np.einsum("...", m), np.einsum("...i->i...", m), np.einsum("ij...->j...i", m)),
        (M,),
    ),
    (lambda c, m: (np.einsum("...i,...i", c, m), np.einsum("...i,...i->...", c, m)), (r(4, 2, 3), M)),
    (
        lambda x, m: (
            np.einsum(",ij->ij", x, m),
            np.einsum("...,...", m, x),
            np.einsum("->", x),
            np.einsum("i->...i", m[0]),
        ),
        (2.0, M),
    ),
    (lambda a, b: np.einsum("ij,jk", a, b), (r(2, 3), r(3, 1))),
    (lambda x: np.einsum("ij,jk->ik", x[:, None], x[None, :]), (r(4),)),
    (lambda m, n: np.einsum("ij,kj->ik", m, n[:, None, 0]), (M, N)),
    (
        lambda q, s: (np.einsum("pqrs,rq->ps", q, s[:2]), np.einsum("sr,prqs->pq", s, q)),
        (r(2, 3, 2, 3), S),
    ),
    (
        lambda c, m: (np.einsum("pk,spk->s", c[0], c), np.einsum("spk,sp->k", c, m), np.einsum("sp,spk->k", m, c)),
        (C, M),
    ),
    (
        lambda c, q: (np.einsum("kij,lijm->kml", c, q), np.einsum("ijk,ijlm->mlk", c, np.transpose(q, (3, 1, 0, 2)))),
        (r(2, 3, 4), r(3, 3, 4, 2)),
    ),
    (
        lambda c, d: (np.einsum("nd,nkd->nk", c[0], d), np.einsum("nkd,nkd->n", c, c), np.einsum("nkd,nkd", c, c)),
        (C, r(3, 4, 3)),
    ),
    (lambda m, n: np.einsum(m, [0, 1], n, [1, 2]), (M, N)),
    (lambda m, n: np.einsum(m, (0, 1), n, (1, 2), (2, 0)), (M, N)),
    (lambda m, n: (np.einsum("ij,jk", m, n), np.einsum("ij->i", m)), (M > 0, N > 0)),
    (lambda m: (np.einsum("ij,kj", m, m), np.einsum("ij->i", m)), (INTEGERS,)),
    (
        lambda m, n: (np.einsum("ij,jk", m, n), np.einsum("ij,i", m, [1.0, 2.0])),
        (M.astype(np.float32), N.astype(np.float32)),
    ),
    (lambda a, b: (np.einsum("ij,jk", a, b), np.einsum("ij->", a), np.einsum("ij->ji", b)), (r(2, 0), r(0, 3))),
]


@pytest.mark.parametrize("position", range(len(EINSUMS)))
def test_einsum_is_as_that_of_numpy(position: int) -> None:
    function, arguments = EINSUMS[position]
    is_single = any(np.asarray(each).dtype == np.float32 for each in arguments)
    check(function, *arguments, rtol=1e-5 if is_single else 1e-12)


# Shapes of two operands of `@`.
STACKS = [
    ((4, 2, 3), (4, 3, 2)),
    ((1, 2, 3), (4, 3, 2)),
    ((4, 2, 3), (1, 3, 2)),
    ((1, 2, 3), (1, 3, 2)),
    ((5, 1, 2, 3), (4, 3, 2)),
    ((1, 4, 2, 3), (5, 1, 3, 2)),
    ((2, 3), (5, 4, 3, 2)),
    ((4, 2, 3), (3, 2)),
    ((4, 2, 3), (3,)),
    ((3,), (4, 3, 2)),
    ((5, 1, 2, 3), (3,)),
    ((3, 2, 3), (3, 3)),
    ((0, 2, 3), (1, 3, 2)),
    ((1, 2, 3), (0, 3, 2)),
    ((4, 2, 0), (1, 0, 2)),
]


@pytest.mark.one_in(2)
@pytest.mark.parametrize("known", (True, False), ids=("sizes known", "sizes of the call"))
def test_stacks_of_matrices_are_multiplied_as_by_numpy(known: bool) -> None:
    """Sizes of 1 are found when compiling, or by the call."""

    def product(a, b):
        return a @ b, np.matmul(a, b)

    f = tl.function(product)
    for shapes in STACKS if known else STACKS[:6]:
        a, b = (r(*shape) for shape in shapes)
        if known:
            given = [tl.f64[shape] for shape in shapes]
            results = tl.compile(product, given)(a, b)
        else:
            results = f(a, b)
        for result in results:
            assert result.shape == (a @ b).shape
            np.testing.assert_allclose(result, a @ b, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize(
    ("subscripts", "shapes"),
    [
        ("i...j,...k", ((2, 5, 3), (1, 4))),
        ("...ij,...jk->...ik", ((5, 1, 2, 3), (4, 3, 2))),
        ("i...,i...->...", ((3, 2), (3, 1))),
        ("ij,jk", ((2, 1), (3, 4))),
    ],
)
def test_axes_of_arguments_that_have_size_1(subscripts: str, shapes: tuple[tuple[int, ...], ...]) -> None:
    a, b = (r(*shape) for shape in shapes)
    result, expected = tl.function(lambda a, b: np.einsum(subscripts, a, b))(a, b), np.einsum(subscripts, a, b)
    assert result.shape == expected.shape
    np.testing.assert_allclose(result, expected, rtol=1e-12, atol=1e-12)


def cut(x, k):
    """Products of stacks of which one has as many matrices as is known when running."""
    stack = np.reshape(x, (3, 2, 2))
    return stack[:k] @ stack + np.einsum("bij,bjk->bik", stack, stack[:k])


def test_stacks_of_one_matrix_are_found_when_running() -> None:
    f, x = tl.function(cut), r(12)
    for k in (3, 1, 3, 1):
        np.testing.assert_allclose(f(x, k), cut(x, k), rtol=1e-12)
    with pytest.raises(tl.ShapeMismatch, match="sizes 2 and 3 of axis 0 do not match"):
        f(x, 2)


def test_operands_are_read_in_the_order_that_they_have() -> None:
    """Axes are regrouped by reshapes alone where that will do, also where an operand has its summed axes first."""
    f64 = tl.f64
    for subscripts, shapes in (
        ("pk,spk->s", (f64[:, :], f64[:, :, :])),
        ("pqrs,rs->pq", (f64[:, :, :, :], f64[:, :])),
        ("ijk,ijl->kl", (f64[:, :, :], f64[:, :, :])),
        ("kij,lij->kl", (f64[:, :, :], f64[:, :, :])),
    ):
        text = tl.compile(lambda a, b, subscripts=subscripts: np.einsum(subscripts, a, b), shapes).ir("input")
        moved = [line for line in text.splitlines() if "soac.transpose" in line and line.count("?x") > 4]
        assert not moved, (subscripts, moved)


LOSSES: dict[str, Callable[..., Any]] = {
    "a vector": lambda x: np.einsum("pk,spk->s", np.reshape(x[2:8], (2, 3)), np.reshape(x, (2, 2, 3))),
    "two axes": lambda x: np.einsum("ijk,lij->kl", np.reshape(x, (3, 2, 2)), np.reshape(np.sin(x), (2, 3, 2))),
    "rows": lambda x: np.einsum("nd,nkd->nk", np.reshape(x[:6], (2, 3)), np.reshape(x, (2, 2, 3))),
    "pairs": lambda x: np.einsum("nd,nd->n", np.reshape(x, (3, 4)), np.reshape(x * x, (3, 4))),
    "diagonals": lambda x: np.einsum("iij->j", np.reshape(x, (2, 2, 3))) * np.einsum("ii", np.reshape(x[:9], (3, 3))),
    "ellipses": lambda x: np.einsum("...ij,...j->...i", np.reshape(x, (2, 1, 3, 2)), np.reshape(x, (2, 3, 2))),
    "three arrays": lambda x: np.einsum(
        "ij,jk,ki->i", np.reshape(x, (3, 4)), np.reshape(x, (4, 3)), np.sin(np.outer(x[:3], x[:3]))
    ),
    "axes of size 1": lambda x: np.einsum("ij,kj->ik", np.reshape(x, (6, 2)), x[:4, None]),
    "stacks": lambda x: np.reshape(x, (1, 3, 2, 2)) @ np.reshape(x, (3, 1, 2, 2)) @ x[:2],
    "stacks found when running": lambda x: np.reshape(x, (3, 2, 2))[: 1 + int(x[0])] @ np.reshape(x, (3, 2, 2)),
}


@pytest.mark.one_in(18)
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("name", LOSSES)
def test_derivatives(name: str, method: str) -> None:
    function, x = LOSSES[name], np.sin(np.arange(12.0)) + 0.3
    inner = tl.function(function)
    loss = tl.function(lambda x: np.sum(np.sin(inner(x))))
    steps = 1e-6 * np.eye(12)

    def slopes(f: Callable[..., Any], x: np.ndarray) -> np.ndarray:
        return np.array([(f(x + h) - f(x - h)) / 2e-6 for h in steps])

    expected = slopes(lambda x: np.sum(np.sin(function(x))), x)
    gradient = tl.grad(loss, method=method)
    np.testing.assert_allclose(gradient(x), expected, rtol=1e-6, atol=1e-6)
    np.testing.assert_allclose(tl.jvp(loss, (x,), (x,), method=method)[1], expected @ x, rtol=1e-6, atol=1e-6)
    many = tl.vmap(inner)(np.stack([x, x[::-1]]))
    np.testing.assert_allclose(many, [function(x), function(x[::-1])], rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(tl.hessian(loss, method=method)(x), slopes(gradient, x), rtol=1e-5, atol=1e-5)


def test_without_compiling() -> None:
    with tl.disable_jit():
        result = tl.function(lambda m, c: (np.einsum("ii->i", m), np.einsum("...ij,jk", c, m), c[:1] @ c))(S, C)
    for got, wanted in zip(result, (np.einsum("ii->i", S), np.einsum("...ij,jk", C, S), C[:1] @ C), strict=True):
        np.testing.assert_allclose(got, wanted, rtol=1e-12)
    np.testing.assert_allclose(tl.einsum("iij->j", C.T), np.einsum("iij->j", C.T), rtol=1e-12)


# What is wrong, and a spelling that a message tells of, which is right.
REFUSED: list[tuple[Callable[..., Any], tuple[Any, ...], str]] = [
    (lambda m: np.einsum("i.j", m), (M,), r"(?s)cannot read 'i\.j' for 1 arrays\n.*\nwrite a letter for each axis"),
    (lambda m: np.einsum("i...j...", m), (M,), "cannot read"),
    (lambda m: np.einsum("ij,jk", m), (M,), "cannot read 'ij,jk' for 1 arrays"),
    (lambda m: np.einsum("ij->i1", m), (M,), "cannot read"),
    (lambda m: np.einsum("i->i", m), (M,), "the indices 'i' for an array of rank 2"),
    (lambda m: np.einsum("...ijk", m), (M,), r"the indices '\.\.\.ijk' for an array of rank 2"),
    (lambda m: np.einsum("ij->k", m), (M,), "an index that no array has"),
    (
        lambda m: np.einsum("...j->j", m),
        (M,),
        r"(?s)lacks the axes that '\.\.\.' stands for\n.*\nwrite them in the result",
    ),
    (
        lambda x: np.einsum("i,i->ii", x, x),
        (M[0],),
        r"(?s)an index twice in the result\n.*\nleave it there once, .* with tl\.diag",
    ),
    (lambda m: np.einsum("ii", m), (M,), "sizes 2 and 3 of axis 1 do not match"),
    (lambda m: np.einsum("ii", m[:, :1]), (S,), "sizes 3 and 1 of axis 1 do not match"),
    (lambda m: np.einsum("ij,jk", m, m), (M,), "sizes 3 and 2 of axis 0 do not match"),
    (lambda m: np.einsum(m, m), (M,), "tl.einsum without the names of axes"),
    (lambda m: np.einsum(m, [0, 77]), (M,), "the number of an axis is not below 52"),
    (lambda c: c @ c[:2], (r(3, 2, 2),), r"sizes 3 and 2 of axis 0 .* shapes are \(3, 2, 2\) and \(2, 2, 2\)"),
    (lambda c: c @ c[:, :1], (r(3, 2, 2),), r"sizes 2 and 1 of axis 2 do not match"),
]


@pytest.mark.one_in(2)
@pytest.mark.parametrize("position", range(len(REFUSED)))
def test_refused(position: int) -> None:
    function, arguments, message = REFUSED[position]
    with pytest.raises(tl.TapelessError, match=message) as error:
        tl.function(function)(*arguments)
    assert "test_contractions.py" in str(error.value)


def test_what_messages_tell_to_write() -> None:
    f = tl.function(lambda m, x: (tl.sum(tl.einsum("...j->...j", m), axis=0), tl.diag(tl.einsum("i,i->i", x, x))))
    columns, matrix = f(M, M[0])
    np.testing.assert_allclose(columns, M.sum(axis=0))
    np.testing.assert_allclose(matrix, np.diag(M[0] ** 2))
