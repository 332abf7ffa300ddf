"""Logarithms of right-hand sides: products of log numbers are sums of the contents of their cells, and lose nothing."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from tapeless import lang
from tapeless.frontend.expressions import python_operators
from tapeless.frontend.reversible import reading
from tapeless.frontend.reversible.numbers.number_values import logarithm
from tapeless.frontend.reversible.operators import called_operator
from tapeless.frontend.values.value import Number

if TYPE_CHECKING:
    from tapeless.frontend.reversible.translator import ProcedureTranslator

SUMS: dict[type[ast.operator], ast.operator] = {ast.Mult: ast.Add(), ast.Div: ast.Sub()}


def logarithm_of(t: ProcedureTranslator, node: ast.expr) -> Number:
    """The logarithm of the value of an expression, which must be positive."""
    exact = _exact(t, node)
    return logarithm(t, t.number(t.evaluate(node), "the right-hand side")) if exact is None else exact


def _exact(t: ProcedureTranslator, node: ast.expr) -> Number | None:
    """The logarithm of an expression made with log numbers, without their values; None for any other."""
    if isinstance(node, ast.BinOp) and type(node.op) in SUMS:
        return _product(t, node)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow):
        return _power(t, node)
    if called_operator(t, node) is lang.exp and isinstance(node, ast.Call) and len(node.args) == 1:
        return t.number(t.evaluate(node.args[0]), "the exponent")
    return reading.held_logarithm(t, node)


def _product(t: ProcedureTranslator, node: ast.BinOp) -> Number | None:
    left, right = _exact(t, node.left), _exact(t, node.right)
    if left is None and right is None:
        return None
    left = logarithm_of(t, node.left) if left is None else left
    right = logarithm_of(t, node.right) if right is None else right
    return python_operators.combine(t, SUMS[type(node.op)], left, right)


def _power(t: ProcedureTranslator, node: ast.BinOp) -> Number | None:
    base = _exact(t, node.left)
    if base is None:
        return None
    return python_operators.combine(t, ast.Mult(), base, t.number(t.evaluate(node.right), "the exponent"))
