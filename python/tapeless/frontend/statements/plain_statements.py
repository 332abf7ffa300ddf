"""Statements that neither assign nor branch: expressions, `return`, nested functions, `pass`."""

from __future__ import annotations

import ast
from collections.abc import Hashable
from typing import TYPE_CHECKING, Any

from tapeless import lang
from tapeless.frontend.calls import closures
from tapeless.frontend.syntax import scoping
from tapeless.frontend.syntax.jumps import holds_result
from tapeless.frontend.values.frame import Unbound
from tapeless.frontend.values.value import Value

if TYPE_CHECKING:
    from tapeless.frontend.translator import Translator

# What Python does where it runs functions itself.
ONLY_BY_PYTHON: dict[Any, str] = {print: "print", breakpoint: "stop in a debugger"}
BY_PYTHON = "call it inside of 'with tl.disable_jit():', where Python runs it, or use tl.debug_print"
UNUSED = ("the value of this expression is not used", "assign it to a name or remove it; functions are pure")


def expression(t: Translator, statement: ast.Expr) -> None:
    """A doc string; a value that nothing uses is refused."""
    called = _called(t, statement.value)
    if called is lang.debug_print:
        return  # Python runs functions that print; what is compiled of them are their derivatives, which do not.
    if called is not None and called in ONLY_BY_PYTHON:
        raise t.error(f"a compiled function cannot {ONLY_BY_PYTHON[called]}", BY_PYTHON)
    if isinstance(statement.value, ast.Call) and isinstance(statement.value.func, ast.Attribute):
        t.evaluate(statement.value.func)
    if not isinstance(statement.value, ast.Constant):
        raise t.error(*UNUSED)


def _called(t: Translator, node: ast.expr) -> Any:
    """The function of Python that a statement calls by its name."""
    name = scoping.dotted_name(node.func) if isinstance(node, ast.Call) else None
    if name is None or t.frame.find(name.split(".")[0]) is not None:
        return None
    found = t.frame.source.captured.get(name)
    return found if isinstance(found, Hashable) else None


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
