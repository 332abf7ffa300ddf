"""Names for functions of the module that are made from function values."""

from __future__ import annotations

from tapeless.frontend.syntax.procedures import Procedure
from tapeless.frontend.values.value import Checkpointed, Closure, Component, Decorated, Record, Transform, Value
from tapeless.lang import Operator
from tapeless.trees import METHOD, PARTIAL

# Where in a structure that can be called the function is.
CALLED = {METHOD: 1, PARTIAL: 0}


def symbol_of(function: Value) -> str:
    """A name for functions of the module that are made from a function value."""
    if isinstance(function, (Decorated, Procedure)):
        return function.source.name
    if isinstance(function, Closure):
        return getattr(function.node, "name", "lambda")
    if isinstance(function, (Checkpointed, Transform)):
        return symbol_of(function.function)
    if isinstance(function, Record):
        place = CALLED.get(function.node.kind)
        return "call" if place is None else symbol_of(function.items[place])
    if isinstance(function, Component):
        return symbol_of(function.procedure)
    return function.__name__ if isinstance(function, Operator) else "pullback"
