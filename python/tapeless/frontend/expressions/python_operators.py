"""Python's operators on numbers: constants fold, integers stay affine, everything else is elementwise."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.errors import TypeMismatch
from tapeless.frontend.elementwise import arithmetic, functions, powers
from tapeless.frontend.elementwise.application import ScalarFunction, apply
from tapeless.frontend.expressions import affine_operators
from tapeless.frontend.operators import linear_algebra
from tapeless.frontend.syntax import updates
from tapeless.frontend.values.value import Number, Scalar, literal
from tapeless.types import bool_, i64

if TYPE_CHECKING:
    from tapeless.frontend.translator import Translator


@dataclass(frozen=True)
class Rule:
    """How an operator is written, folded on constants, and computed."""

    symbol: str
    fold: Callable[[Any, Any], Any]
    function: ScalarFunction | None = None


def _numeric(symbol: str, fold: Callable[[Any, Any], Any], emit: arithmetic.Emit) -> Rule:
    return Rule(symbol, fold, ScalarFunction(symbol, functions.numbers, emit))


def _comparison(symbol: str, name: str) -> Rule:
    emit = arithmetic.comparison(name)
    return Rule(symbol, getattr(operator, name), ScalarFunction(symbol, functions.comparisons, emit))


BINARY: dict[type[ast.operator], Rule] = {
    ast.Add: _numeric("+", operator.add, arithmetic.add),
    ast.Sub: _numeric("-", operator.sub, arithmetic.subtract),
    ast.Mult: _numeric("*", operator.mul, arithmetic.multiply),
    ast.Div: Rule("/", operator.truediv, ScalarFunction("/", functions.floats, arithmetic.divide)),
    ast.FloorDiv: _numeric("//", operator.floordiv, arithmetic.floor_divide),
    ast.Mod: _numeric("%", operator.mod, arithmetic.modulo),
    ast.Pow: Rule("**", operator.pow),
    ast.BitAnd: _numeric("&", operator.and_, arithmetic.bit_and),
    ast.BitOr: _numeric("|", operator.or_, arithmetic.bit_or),
    ast.BitXor: _numeric("^", operator.xor, arithmetic.bit_xor),
    ast.LShift: _numeric("<<", operator.lshift, arithmetic.shift_left),
    ast.RShift: _numeric(">>", operator.rshift, arithmetic.shift_right),
    updates.Maximum: Rule("maximum", max, functions.FUNCTIONS["maximum"]),
    updates.Minimum: Rule("minimum", min, functions.FUNCTIONS["minimum"]),
}

COMPARISONS: dict[type[ast.cmpop], Rule] = {
    ast.Eq: _comparison("==", "eq"),
    ast.NotEq: _comparison("!=", "ne"),
    ast.Lt: _comparison("<", "lt"),
    ast.LtE: _comparison("<=", "le"),
    ast.Gt: _comparison(">", "gt"),
    ast.GtE: _comparison(">=", "ge"),
}

_LARGEST_EXPONENT = 4096
_BITWISE = (ast.BitAnd, ast.BitOr, ast.BitXor)
_SHIFTS = (ast.LShift, ast.RShift)
_ON_BOOL_ARRAYS = (ast.Add, ast.Mult, ast.BitAnd, ast.BitOr, ast.BitXor)


def binary(t: Translator, kind: type[ast.operator], left: Number, right: Number) -> Number:
    """`left op right`."""
    rule = BINARY[kind]
    if isinstance(left, Scalar) and isinstance(right, Scalar):
        known = _fold(rule, left, right) or affine_operators.affine_result(t, kind, left, right)
        if known is not None:
            return known
    _check_kinds(t, kind, rule, left, right)
    if kind is ast.Pow:
        return powers.power(t, left, right)
    if (
        kind in _BITWISE
        and isinstance(left, Scalar)
        and isinstance(right, Scalar)
        and left.dtype == right.dtype == bool_
    ):
        return apply(t, ScalarFunction(rule.symbol, functions.comparisons, rule.function.emit), left, right)
    return apply(t, rule.function, left, right)


def combine(t: Translator, operator: ast.operator, left: Number, right: Number) -> Number:
    """`left op right`, matrix products included."""
    if isinstance(operator, ast.MatMult):
        return linear_algebra.matmul(t, left, right)
    return binary(t, type(operator), left, right)


def compare(t: Translator, kind: type[ast.cmpop], left: Number, right: Number) -> Number:
    """`left op right` for a comparison."""
    rule = COMPARISONS[kind]
    if isinstance(left, Scalar) and isinstance(right, Scalar):
        known = _fold(rule, left, right)
        if known is not None:
            return known
        if left.affine is not None and right.affine is not None:
            if left.affine.is_constant and right.affine.is_constant:
                return literal(rule.fold(left.affine.constant, right.affine.constant))
            implies, denies = affine_operators.consequences(t, kind, left.affine, right.affine)
            return replace(apply(t, rule.function, left, right), implies=implies, denies=denies)
    return apply(t, rule.function, left, right)


def negate(t: Translator, value: Number) -> Number:
    if isinstance(value, Scalar):
        if value.affine is not None:
            return Scalar(i64, affine=-value.affine, weak=value.weak)
        if value.literal is not None and (value.weak or value.dtype.is_bool):
            return literal(-value.literal)
        if value.constant is not None and value.dtype.is_float:
            return replace(value, constant=-value.constant)
    if value.dtype.is_bool and not isinstance(value, Scalar):
        raise t.error("'-' of a bool array", "write ~x, or convert with tl.astype(x, tl.i64)", TypeMismatch)
    return apply(t, ScalarFunction("-", functions.numbers, functions.negate), value)


def logical_not(t: Translator, value: Scalar) -> Scalar:
    """`not value` of a bool."""
    if value.literal is not None:
        return literal(not value.literal)
    return replace(apply(t, _NOT, value), implies=value.denies, denies=value.implies)


def conjunction(t: Translator, left: Scalar, right: Scalar) -> Scalar:
    """Both of two conditions."""
    both = apply(t, ScalarFunction("and", functions.comparisons, arithmetic.bit_and), left, right)
    return replace(both, implies=left.implies + right.implies)


def invert(t: Translator, value: Number) -> Number:
    """`~value` of bools and integers."""
    if value.dtype.is_float:
        raise t.error("'~' of floats", "use it on bools and integers", TypeMismatch)
    if value.dtype.is_bool:
        return apply(t, _NOT, value)
    return binary(t, ast.Sub, negate(t, value), literal(1))


def _emit_not(builder: Any, dtype: Any, value: ir.Value) -> ir.Value:
    return builder.value("arith.xori", value.type, [value, builder.constant(True, value.type)])


_NOT = ScalarFunction("not", functions.comparisons, _emit_not)


def _fold(rule: Rule, left: Scalar, right: Scalar) -> Scalar | None:
    """The result of constants, when both are weak literals and Python can compute it."""
    if left.literal is None or right.literal is None or not (left.weak and right.weak):
        return None
    if rule.symbol == "**" and isinstance(right.literal, int) and abs(right.literal) > _LARGEST_EXPONENT:
        return None
    if rule.symbol == "<<" and right.literal > _LARGEST_EXPONENT:
        return None
    try:
        result = rule.fold(left.literal, right.literal)
    except (ArithmeticError, ValueError, TypeError):
        return None
    return None if isinstance(result, complex) else literal(result)


def _check_kinds(t: Translator, kind: type[ast.operator], rule: Rule, left: Number, right: Number) -> None:
    kinds = {left.dtype.kind, right.dtype.kind}
    if kind in (*_BITWISE, *_SHIFTS) and "float" in kinds:
        raise t.error(f"'{rule.symbol}' of floats", "use it on bools and integers", TypeMismatch)
    if kind in _SHIFTS and isinstance(right, Scalar) and right.literal is not None and right.literal < 0:
        raise t.error(f"a shift by {right.literal}", "shift by a number that is not negative")
    are_scalars = isinstance(left, Scalar) and isinstance(right, Scalar)
    if kinds == {"bool"} and kind not in _ON_BOOL_ARRAYS and not are_scalars:
        raise t.error(f"'{rule.symbol}' of bool arrays", "convert one of them with tl.astype(x, tl.i64)", TypeMismatch)
