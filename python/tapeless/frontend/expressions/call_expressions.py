"""Calls: `f(x)`, and `x.sum(axis=0)` for `tl.sum(x, axis=0)`."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from tapeless.frontend.values.value import Method, Tuple, Value

if TYPE_CHECKING:
    from tapeless.frontend.translator import Translator

_SPREAD = ("reshape", "transpose")


def call(t: Translator, node: ast.Call) -> Value:
    target = t.evaluate(node.func)
    arguments = [t.evaluate(each) for each in node.args]
    keywords = {}
    for keyword in node.keywords:
        if keyword.arg is None:
            raise t.error("'**' unpacking is not supported", "write the arguments out")
        keywords[keyword.arg] = t.evaluate(keyword.value)
    if isinstance(target, Method):
        return _call_method(t, target, arguments, keywords)
    return t.call(target, arguments, keywords)


def _call_method(t: Translator, method: Method, arguments: list[Value], keywords: dict[str, Value]) -> Value:
    """`x.sum(axis=0)` is `tl.sum(x, axis=0)`; `x.reshape(2, 3)` takes its sizes one by one too."""
    if method.operator.__name__ in _SPREAD and len(arguments) > 1:
        arguments = [Tuple(tuple(arguments))]
    return t.call(method.operator, [method.array, *arguments], keywords)
