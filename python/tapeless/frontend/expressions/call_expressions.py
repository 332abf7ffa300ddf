"""Calls: `f(x)`, and `x.sum(axis=0)` for `tl.sum(x, axis=0)`."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from tapeless.frontend.expressions import atoms, comprehensions
from tapeless.frontend.structures.entries import entries_of
from tapeless.frontend.syntax.comprehensions import Comprehension
from tapeless.frontend.values.value import Array, Method, Rows, Tuple, Value
from tapeless.lang import OPERATORS, PYTHON, Operator

if TYPE_CHECKING:
    from tapeless.frontend.translator import Translator

_SPREAD = ("reshape", "transpose")
_JOINING = ("block", "column_stack", "concat", "concatenate", "dstack", "hstack", "stack", "vstack")
"""Operators that take arrays one by one."""


def call(t: Translator, node: ast.Call) -> Value:
    target = t.evaluate(node.func)
    if _adds_elements(target, node):
        return _sum_of_elements(t, node)
    arguments = [value for each in node.args for value in _arguments(t, target, each)]
    keywords: dict[str, Value] = {}
    for keyword in node.keywords:
        if keyword.arg is None:
            keywords |= entries_of(t, t.evaluate(keyword.value), keyword.value)
        else:
            keywords[keyword.arg] = _argument(t, target, keyword.value)
    if isinstance(target, Method):
        return _call_method(t, target, arguments, keywords)
    return t.call(target, arguments, keywords)


def _adds_elements(target: Value, node: ast.Call) -> bool:
    """Whether Python's `sum` adds the elements of a nest, whose inner loops may differ in length."""
    is_sum = target is PYTHON["sum"] and all(keyword.arg == "start" for keyword in node.keywords)
    elements = node.args[0] if is_sum and node.args and len(node.args) + len(node.keywords) <= 2 else None
    return isinstance(elements, Comprehension) and elements.is_nest and not elements.is_dict


def _sum_of_elements(t: Translator, node: ast.Call) -> Value:
    elements, *starts = node.args
    with t.at(elements):
        total = comprehensions.added(t, elements)
    for start in (*starts, *(keyword.value for keyword in node.keywords)):
        total = t.call(OPERATORS["add"], [total, t.evaluate(start)])
    return total


def _arguments(t: Translator, target: Value, node: ast.expr) -> tuple[Value, ...]:
    return atoms.spread(t, node) if isinstance(node, ast.Starred) else (_argument(t, target, node),)


def _argument(t: Translator, target: Value, node: ast.expr) -> Value:
    """An argument; operators on arrays take the elements of a comprehension as an array, of any length."""
    is_joined = isinstance(target, Operator) and target.__name__ in _JOINING
    if (
        isinstance(node, Comprehension)
        and not node.is_dict
        and isinstance(target, (Operator, Method))
        and not is_joined
    ):
        with t.at(node):
            found = comprehensions.as_array(t, node)
        is_sum = isinstance(target, Operator) and target.key == "builtins.sum"
        return Rows(found) if is_sum and isinstance(found, Array) else found
    return t.evaluate(node)


def _call_method(t: Translator, method: Method, arguments: list[Value], keywords: dict[str, Value]) -> Value:
    """`x.sum(axis=0)` is `tl.sum(x, axis=0)`; `x.reshape(2, 3)` takes its sizes one by one too."""
    if method.operator.__name__ in _SPREAD and len(arguments) > 1:
        arguments = [Tuple(tuple(arguments))]
    return t.call(method.operator, [method.array, *arguments], keywords)
