"""Integer operators that stay affine or whose range is known, and the implications of comparisons."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TYPE_CHECKING

from tapeless.frontend.elementwise import arithmetic
from tapeless.frontend.values import exactness, integers, promotion
from tapeless.frontend.values.affine import Affine
from tapeless.frontend.values.value import Scalar, integer

if TYPE_CHECKING:
    from tapeless.frontend.translator import Translator

Facts = Callable[[Affine], tuple[Affine, ...]]


CONSEQUENCES: dict[type[ast.cmpop], tuple[Facts, Facts]] = {
    ast.Eq: (lambda d: (d, -d), lambda d: ()),
    ast.NotEq: (lambda d: (), lambda d: (d, -d)),
    ast.Lt: (lambda d: (-d - 1,), lambda d: (d,)),
    ast.LtE: (lambda d: (-d,), lambda d: (d - 1,)),
    ast.Gt: (lambda d: (d - 1,), lambda d: (-d,)),
    ast.GtE: (lambda d: (d,), lambda d: (-d - 1,)),
}


def consequences(
    t: Translator, kind: type[ast.cmpop], left: Affine, right: Affine
) -> tuple[tuple[Affine, ...], tuple[Affine, ...]]:
    """The facts of a comparison when it holds and when it does not; nothing about sums that may have wrapped."""
    if not all(exactness.is_exact(t.builder, each) for each in (left, right)):
        return (), ()
    holds, fails = CONSEQUENCES[kind]
    return holds(left - right), fails(left - right)


def affine_result(t: Translator, kind: type[ast.operator], left: Scalar, right: Scalar) -> Scalar | None:
    """Integer arithmetic that stays affine, or whose range is known."""
    if left.affine is None or right.affine is None:
        return None
    rule = _AFFINE.get(kind)
    result = rule(t, left.affine, right.affine) if rule else None
    if result is None:
        return None
    if not result.is_constant:
        promotion.check_literals(left, right)
    weak = left.weak and right.weak
    return integer(result if weak or not result.is_constant else Affine(integers.word(result.constant)), weak=weak)


def _affine_product(t: Translator, left: Affine, right: Affine) -> Affine | None:
    if left.is_constant:
        return right.times(left.constant)
    return left.times(right.constant) if right.is_constant else None


def _is_plain_division(t: Translator, left: Affine, right: Affine) -> bool:
    return (
        integers.is_nonnegative(t.builder, left)
        and integers.is_nonnegative(t.builder, right - 1)
        and exactness.is_exact(t.builder, left)
        and exactness.is_exact(t.builder, right)
    )


def _affine_quotient(t: Translator, left: Affine, right: Affine) -> Affine | None:
    if left.is_constant and right.is_constant and right.constant:
        return Affine(left.constant // right.constant)
    if not _is_plain_division(t, left, right):
        return None
    values = [integers.index_value(t.builder, each) for each in (left, right)]
    quotient = arithmetic.divide_by_positive(t.builder, *values)
    return integers.opaque(t.builder, quotient, lower=(Affine(0),), upper=(left,))


def _affine_remainder(t: Translator, left: Affine, right: Affine) -> Affine | None:
    if left.is_constant and right.is_constant and right.constant:
        return Affine(left.constant % right.constant)
    if not _is_plain_division(t, left, right):
        return None
    values = [integers.index_value(t.builder, each) for each in (left, right)]
    remainder = arithmetic.remainder_by_positive(t.builder, *values)
    return integers.opaque(t.builder, remainder, lower=(Affine(0),), upper=(right - 1, left))


_AFFINE: dict[type[ast.operator], Callable[[Translator, Affine, Affine], Affine | None]] = {
    ast.Add: lambda t, left, right: left + right,
    ast.Sub: lambda t, left, right: left - right,
    ast.Mult: _affine_product,
    ast.FloorDiv: _affine_quotient,
    ast.Mod: _affine_remainder,
}
