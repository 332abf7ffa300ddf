"""Systems of linear equations, inverses, determinants and Cholesky factors, of one matrix or of stacks of them.

What is computed is written in the language (`frontend/library`). A matrix that has no result is found here, where the
place in the program is known: the check belongs to the call.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from typing import Any

from tapeless.errors import ShapeMismatch
from tapeless.frontend.composed.terms import Language, Term, as_value
from tapeless.frontend.elementwise import broadcasting
from tapeless.frontend.library import cholesky as symmetric
from tapeless.frontend.library import determinants, elimination
from tapeless.frontend.library.written import Written
from tapeless.frontend.operators import mapping
from tapeless.frontend.values import promotion
from tapeless.frontend.values.affine import Affine
from tapeless.frontend.values.value import Array, Decorated

Body = Callable[..., Any]

SINGULAR = "the matrix is singular; use one that has an inverse"
INDEFINITE = "the matrix is not positive definite; use one that is symmetric and has positive eigenvalues"


def solve(tl: Language, a: Any, b: Any) -> Term:
    """x of `a @ x = b`; b is a vector for all matrices, or has as many columns as the result."""
    matrix, right = _matrix(tl, a, "solve"), tl.array(b, "the right-hand side")
    dtype, _ = promotion.common([(matrix.dtype, False), (right.dtype, False)])
    matrix, right = (tl.array(tl.astype(each, promotion.floating(dtype))) for each in (matrix, right))
    axis = max(right.rank - 2, 0)
    shapes = (matrix.dims, right.dims)
    broadcasting.same_size(tl.t, matrix.dims[-1], right.dims[axis], axis, shapes, "give one row for each equation")

    def solved(one: Term, side: Term) -> Term:
        lu, order, _ = _factors(tl, one, must_be_regular=True)
        return _call(tl, elimination.solve, one, lu, order, side)

    return _stacked(tl, solved, (matrix, 2), (right, min(right.rank, 2)))


def inv(tl: Language, a: Any) -> Term:
    def inverted(one: Term) -> Term:
        lu, order, _ = _factors(tl, one, must_be_regular=True)
        return _call(tl, elimination.inverse, one, lu, order)

    return _stacked(tl, inverted, (_matrix(tl, a, "inv"), 2))


def det(tl: Language, a: Any) -> Term:
    def determined(one: Term) -> Term:
        return _call(tl, determinants.determinant, one, *_factors(tl, one, must_be_regular=False))

    return _stacked(tl, determined, (_matrix(tl, a, "det"), 2))


def slogdet(tl: Language, a: Any) -> tuple[Term, Term]:
    def determined(one: Term) -> tuple[Term, Term]:
        lu, order, is_odd = _factors(tl, one, must_be_regular=False)
        sign = _call(tl, determinants.sign_of_determinant, lu, is_odd)
        return sign, _call(tl, determinants.log_determinant, one, lu, order)

    return _stacked(tl, determined, (_matrix(tl, a, "slogdet"), 2))


def cholesky(tl: Language, a: Any, *, upper: Any) -> Term:
    """The lower factor, from the lower triangle; or the upper one, from the upper triangle."""
    is_upper = tl.t.flag(tl.number(upper, "'upper'").value, "upper")

    def factored(one: Term) -> Term:
        lower = _call(tl, symmetric.cholesky, tl.transpose(one) if is_upper else one)
        tl.require(tl.all(tl.diagonal(tl.stop_gradient(lower)) > 0), INDEFINITE, "LinAlgError")
        return tl.transpose(lower) if is_upper else lower

    return _stacked(tl, factored, (_matrix(tl, a, "cholesky"), 2))


def _matrix(tl: Language, argument: Any, name: str) -> Term:
    """An argument that must be square matrices, as floats."""
    array = tl.array(argument, "the matrix")
    if array.rank < 2:
        raise tl.t.error(
            f"tl.linalg.{name} of an array of rank {array.rank}", "use a matrix, or a stack of them", ShapeMismatch
        )
    size = broadcasting.same_size(tl.t, array.dims[-2], array.dims[-1], array.rank - 1, instead="use a square matrix")
    array = tl.array(tl.astype(array, promotion.floating(array.dtype)))
    dims = (*array.dims[:-2], size, size)
    return Term(tl.t, Array(array.dtype, dims, broadcasting.with_static_sizes(tl.t, array.value.ssa, dims)))


def matrix_power(tl: Language, a: Any, n: Any) -> Term:
    """By squares; a negative power is that of the inverse."""
    matrix, power = tl.array(a), tl.constant(n, "the power")
    if matrix.rank < 2:
        raise tl.t.error("the power of a vector", "use a square matrix", ShapeMismatch)
    size = broadcasting.same_size(tl.t, matrix.dims[-2], matrix.dims[-1], matrix.rank - 1)
    if not power:
        return tl.eye(size, dtype=matrix.dtype).broadcast(matrix.dims)
    base = result = matrix if power > 0 else inv(tl, matrix)
    for bit in f"{abs(power):b}"[1:]:
        result = tl.matmul(result, result)
        result = tl.matmul(result, base) if bit == "1" else result
    return result


def multi_dot(tl: Language, arrays: Any) -> Term:
    """A product of matrices from the left, or from the right if the last is a vector."""
    if not isinstance(arrays, tuple) or len(arrays) < 2:
        raise tl.t.error("np.linalg.multi_dot takes two or more matrices", "write np.linalg.multi_dot([a, b, c])")
    parts = [tl.array(each) for each in arrays]
    if parts[-1].rank == 1:
        return reduce(lambda product, each: tl.matmul(each, product), reversed(parts))
    return reduce(tl.matmul, parts)


def _factors(tl: Language, matrix: Term, *, must_be_regular: bool) -> tuple[Term, Term, Term]:
    """The factors of a matrix, found once. They have no derivative; what uses them has that of the matrix."""
    builder, array = tl.t.builder, tl.t.array(matrix.value).ssa
    factors = builder.remembered((elimination.factor, array))
    if factors is None:
        factors = _call(tl, elimination.factor, tl.stop_gradient(matrix))
        builder.remember((elimination.factor, array), factors)
    if must_be_regular and builder.remembered((SINGULAR, array)) is None:
        tl.require(tl.all(tl.diagonal(factors[0]).differs(0)), SINGULAR, "LinAlgError")
        builder.remember((SINGULAR, array), array)
    return factors


def _call(tl: Language, function: Written, *arguments: Term) -> Any:
    return tl.term(tl.t.call(Decorated(function.source), [each.value for each in arguments]))


def _stacked(tl: Language, body: Body, *operands: tuple[Term, int]) -> Any:
    """The body on operands, each of some rank; leading axes are those of stacks, and one of size 1 goes with any."""
    depth = max(each.rank - rank for each, rank in operands)
    if not depth:
        return body(*(each for each, _ in operands))
    arrays = [_without_unit_axis(each, rank, depth) for each, rank in operands]
    mapped = [each.rank - rank == depth for each, (_, rank) in zip(arrays, operands, strict=True)]
    if not any(mapped):
        arrays, mapped = [each for each, _ in operands], [each.rank - rank == depth for each, rank in operands]

    def rows(parts: list[Any]) -> Any:
        given = iter(parts)
        inner = [
            (Term(tl.t, next(given)) if is_mapped else each, rank)
            for each, is_mapped, (_, rank) in zip(arrays, mapped, operands, strict=True)
        ]
        return as_value(_stacked(tl, body, *inner))

    chosen = [tl.t.array(each.value) for each, is_mapped in zip(arrays, mapped, strict=True) if is_mapped]
    return tl.term(mapping.map_rows(tl.t, chosen, rows))


def _without_unit_axis(operand: Term, rank: int, depth: int) -> Term:
    is_unit = operand.rank - rank == depth and operand.dims[0] == Affine(1)
    return operand.at(0, 0) if is_unit else operand
