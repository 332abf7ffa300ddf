"""Calls of the language's own operators: arguments bound to their parameters, defaults filled in."""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from tapeless.errors import ArgumentError
from tapeless.frontend.calls import numpy_options, reduction_options, rows
from tapeless.frontend.values.value import Opaque, Tuple, Value, literal
from tapeless.lang import Operator

if TYPE_CHECKING:
    from tapeless.frontend.translator import Translator

VARIADIC = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
IN_PROCEDURES = "in a procedure, which is decorated with @tl.reversible"
MISPLACED = {
    "range": "use it as 'for i in tl.range(n):', or write tl.iota(n) for an array of these integers",
    "bounded": "use it as 'while tl.bounded(condition, n):'",
    "debug_print": "write tl.debug_print(...) as a statement of its own, in a function",
    "ancilla": f"use it as 'with tl.ancilla(0.0) as z:' {IN_PROCEDURES}",
    "routine": f"use it as 'with tl.routine() as r:' {IN_PROCEDURES}",
    "cond": f"use it as 'if tl.cond(pre, post):' {IN_PROCEDURES}",
    "new_stack": f"use it as 'with tl.ancilla(tl.new_stack(tl.f64, n)) as s:' {IN_PROCEDURES}",
    "recip": f"write tl.recip(x) as a statement of its own {IN_PROCEDURES}",
    "rot": f"write tl.rot(a, b, theta) as a statement of its own {IN_PROCEDURES}",
    "hadamard": f"write tl.hadamard(a, b) as a statement of its own {IN_PROCEDURES}",
    "push": f"write tl.push(s, x) as a statement of its own {IN_PROCEDURES}",
    "pop": f"write tl.pop(s, x) as a statement of its own {IN_PROCEDURES}",
}


def call(t: Translator, operator: Operator, arguments: Sequence[Value], keywords: Mapping[str, Value]) -> Value:
    """The result of an operator; arguments left out take its defaults."""
    if reduction_options.taken(operator, arguments, keywords):
        return reduction_options.call(t, operator, arguments, keywords)
    handler = t.session.handlers.operators.get(operator.key)
    if handler is None:
        raise t.error(f"{operator!r} cannot be called here", MISPLACED[operator.__name__])
    arguments, keywords = rows.as_arguments(t, operator, arguments, keywords)
    keywords = numpy_options.understood(t, operator, keywords)
    try:
        bound = operator.__signature__.bind(*arguments, **keywords)
    except TypeError as error:
        raise t.error(f"{operator!r}: {error}", f"its parameters: {operator.__signature__}", ArgumentError) from None
    given = set(bound.arguments)
    bound.apply_defaults()
    for parameter, value in bound.arguments.items():
        kind = operator.__signature__.parameters[parameter].kind
        if parameter not in given and kind not in VARIADIC:
            bound.arguments[parameter] = _default(value)
    return handler(t, *bound.args, **bound.kwargs)


def _default(value: Any) -> Value:
    if isinstance(value, tuple):
        return Tuple(tuple(_default(each) for each in value))
    return literal(value) if isinstance(value, (bool, int, float)) else Opaque(value)
