"""Expressions as statements: operators such as `tl.rot(a, b, theta)`, calls of procedures, doc strings."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from tapeless.errors import ArgumentError
from tapeless.frontend.reversible.operators import called_operator
from tapeless.frontend.reversible.statements import procedure_calls
from tapeless.frontend.reversible.statements.routines import undone
from tapeless.frontend.syntax.procedures import Procedure
from tapeless.lang import Operator

if TYPE_CHECKING:
    from tapeless.frontend.reversible.translator import ProcedureTranslator


def execute(t: ProcedureTranslator, statement: ast.Expr) -> None:
    """A statement without a target."""
    node = statement.value
    if isinstance(node, ast.Constant):
        return
    operator = called_operator(t, node)
    if operator is not None and operator in t.rules.operators:
        t.rules.operators[operator](t, *_arguments(t, operator, node))
        return
    function = t.evaluate(node.func) if isinstance(node, ast.Call) and operator is None else None
    if isinstance(function, Procedure):
        procedure_calls.call(t, function, node)
        return
    name = undone(statement)
    if name is not None:
        raise t.refusal(
            statement,
            f"'~{name}' undoes no routine of this block",
            f"write 'with tl.routine() as {name}:' before it, in the same block",
        )
    raise t.error("the value of this expression is not used", "add it to a cell, 'y += e', or remove it")


def _arguments(t: ProcedureTranslator, operator: Operator, node: ast.Call) -> list[ast.expr]:
    """The arguments of an operator, in the order of its parameters."""
    try:
        named = {keyword.arg or "**": keyword.value for keyword in node.keywords}
        return list(operator.__signature__.bind(*node.args, **named).args)
    except TypeError as error:
        raise t.error(f"{operator!r}: {error}", f"its parameters: {operator.__signature__}", ArgumentError) from None
