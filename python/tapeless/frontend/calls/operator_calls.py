"""Calls of the language's own operators: arguments bound to their parameters, defaults filled in."""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from tapeless.errors import ArgumentError
from tapeless.frontend.values.value import Opaque, Value, literal
from tapeless.lang import Operator

if TYPE_CHECKING:
    from tapeless.frontend.translator import Translator

VARIADIC = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
MISPLACED = {
    "range": "for i in tl.range(n):",
    "bounded": "while tl.bounded(condition, n):",
}


def call(t: Translator, operator: Operator, arguments: Sequence[Value], keywords: Mapping[str, Value]) -> Value:
    """The result of an operator; arguments left out take its defaults."""
    name = operator.__name__
    handler = t.session.handlers.operators.get(name)
    if handler is None:
        raise t.error(f"tl.{name} cannot be called here", f"use it as '{MISPLACED[name]}'")
    try:
        bound = operator.__signature__.bind(*arguments, **keywords)
    except TypeError as error:
        raise t.error(f"tl.{name}: {error}", f"its parameters: {operator.__signature__}", ArgumentError) from None
    given = set(bound.arguments)
    bound.apply_defaults()
    for parameter, value in bound.arguments.items():
        kind = operator.__signature__.parameters[parameter].kind
        if parameter not in given and kind not in VARIADIC:
            bound.arguments[parameter] = _default(value)
    return handler(t, *bound.args, **bound.kwargs)


def _default(value: Any) -> Value:
    return literal(value) if isinstance(value, (bool, int, float)) else Opaque(value)
