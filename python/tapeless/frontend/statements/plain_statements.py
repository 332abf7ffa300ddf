"""Statements that neither assign nor branch: expressions, `return`, nested functions, `pass`."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from tapeless.frontend.calls import closures
from tapeless.frontend.syntax.jumps import holds_result
from tapeless.frontend.values.frame import Unbound
from tapeless.frontend.values.value import Value

if TYPE_CHECKING:
    from tapeless.frontend.translator import Translator

UNUSED = ("the value of this expression is not used", "assign it to a name or remove it; functions are pure")


def expression(t: Translator, statement: ast.Expr) -> None:
    """A doc string; a value that nothing uses is refused."""
    if _is_print(t, statement.value):
        raise t.error("a compiled function cannot print", "return what is to be seen, and print it in the caller")
    if not isinstance(statement.value, ast.Constant):
        raise t.error(*UNUSED)


def _is_print(t: Translator, node: ast.expr) -> bool:
    function = node.func if isinstance(node, ast.Call) else None
    if not isinstance(function, ast.Name) or t.frame.find(function.id) is not None:
        return False
    return t.frame.source.captured.get(function.id) is print


def returned(t: Translator, statement: ast.Return) -> Value | None:
    """The value of a `return`; none if it stands for one in a loop that control never comes to."""
    node = statement.value
    if isinstance(node, ast.Name) and holds_result(node.id) and _has_no_value(t, node.id):
        return None
    return t.held(t.evaluate(statement.value))


def _has_no_value(t: Translator, name: str) -> bool:
    binding = t.frame.names.get(name)
    return binding is None or isinstance(binding, Unbound)


def nested(t: Translator, statement: ast.FunctionDef) -> None:
    t.frame.names[statement.name] = closures.closure(t, statement)


def nothing(t: Translator, statement: ast.Pass) -> None:
    return None
