"""Statements that neither assign nor branch: expressions, `return`, nested functions, `pass`."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from tapeless.frontend.calls import closures
from tapeless.frontend.values.value import Value

if TYPE_CHECKING:
    from tapeless.frontend.translator import Translator

UNUSED = ("the value of this expression is not used", "assign it to a name or remove it; functions are pure")


def expression(t: Translator, statement: ast.Expr) -> None:
    """A doc string; a value that nothing uses is refused."""
    if not isinstance(statement.value, ast.Constant):
        raise t.error(*UNUSED)


def returned(t: Translator, statement: ast.Return) -> Value:
    return t.held(t.evaluate(statement.value))


def nested(t: Translator, statement: ast.FunctionDef) -> None:
    t.frame.names[statement.name] = closures.closure(t, statement)


def nothing(t: Translator, statement: ast.Pass) -> None:
    return None
