"""Expressions with Python's operators: arithmetic, negation, comparisons."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import TYPE_CHECKING

from tapeless.errors import TypeMismatch
from tapeless.frontend.expressions import python_operators, sequences
from tapeless.frontend.syntax.procedures import Procedure
from tapeless.frontend.values.value import Array, Number, Opaque, Pending, Scalar, Tuple, Value, describe, literal

if TYPE_CHECKING:
    from tapeless.frontend.translator import Translator


def binary(t: Translator, node: ast.BinOp) -> Number | Tuple:
    left, right = t.evaluate(node.left), t.evaluate(node.right)
    joined = sequences.combined(t, node.op, left, right)
    if joined is not None:
        return joined
    return python_operators.combine(
        t, node.op, t.number(left, "the left operand"), t.number(right, "the right operand")
    )


def _operand(t: Translator, value: Value, role: str = "this operand", beside: Sequence[Value] = ()) -> Number:
    """A number or an array, or a list beside an array; alone, Python orders lists and has no signs for them."""
    if isinstance(value, Tuple) and not any(isinstance(each, (Array, Pending)) for each in beside):
        raise t.error(f"{role} is {describe(value)}", "use a number or an array here", TypeMismatch)
    return t.number(value, role)


def unary(t: Translator, node: ast.UnaryOp) -> Number | Procedure:
    value = t.evaluate(node.operand)
    if isinstance(value, Procedure) and isinstance(node.op, ast.Invert):
        return value.inverse
    if isinstance(node.op, ast.Not):
        return _negation(t, value)
    number = _operand(t, value)
    if isinstance(node.op, ast.USub):
        return python_operators.negate(t, number)
    return number if isinstance(node.op, ast.UAdd) else python_operators.invert(t, number)


def _negation(t: Translator, value: Value) -> Scalar:
    condition = t.truth(value)
    if isinstance(condition, bool):
        return literal(not condition)
    return python_operators.logical_not(t, value)


def comparison(t: Translator, node: ast.Compare) -> Number:
    """Comparisons; a chain is the conjunction of its links."""
    if any(isinstance(kind, (ast.Is, ast.IsNot)) for kind in node.ops):
        return _identity(t, node)
    values = [t.evaluate(each) for each in (node.left, *node.comparators)]
    if all(isinstance(value, Opaque) for value in values):
        return _of_objects(t, node, values)
    operands = [_operand(t, value, beside=values) for value in values]
    links = [
        python_operators.compare(t, type(kind), left, right)
        for kind, left, right in zip(node.ops, operands, operands[1:], strict=False)
    ]
    if len(links) > 1 and not all(isinstance(link, Scalar) for link in links):
        raise t.error("chained comparisons of arrays", "write (a < b) & (b < c)", TypeMismatch)
    result = links[0]
    for link in links[1:]:
        result = python_operators.conjunction(t, result, link)
    return result


def _of_objects(t: Translator, node: ast.Compare, values: Sequence[Value]) -> Scalar:
    """`mode == "fast"`: known when compiling."""
    if len(values) > 2 or not isinstance(node.ops[0], (ast.Eq, ast.NotEq)):
        raise t.error("strings and None are compared with == and != only", "write a == b", TypeMismatch)
    return literal((values[0].value == values[1].value) == isinstance(node.ops[0], ast.Eq))


def _identity(t: Translator, node: ast.Compare) -> Scalar:
    """`x is None`, `x is not None`: known when compiling."""
    values = [t.evaluate(each) for each in (node.left, *node.comparators)]
    are_none = [isinstance(value, Opaque) and value.value is None for value in values]
    if len(values) > 2 or not any(are_none):
        raise t.error("'is' compares with None only", "compare numbers with == and !=")
    return literal(all(are_none) == isinstance(node.ops[0], ast.Is))
