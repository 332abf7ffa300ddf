"""Names for functions of the module that are made from function values."""

from __future__ import annotations

from tapeless.frontend.syntax.procedures import Procedure
from tapeless.frontend.values.value import Checkpointed, Closure, Component, Decorated, Transform, Value
from tapeless.lang import Operator


def symbol_of(function: Value) -> str:
    """A name for functions of the module that are made from a function value."""
    if isinstance(function, (Decorated, Procedure)):
        return function.source.name
    if isinstance(function, Closure):
        return getattr(function.node, "name", "lambda")
    if isinstance(function, (Checkpointed, Transform)):
        return symbol_of(function.function)
    if isinstance(function, Component):
        return symbol_of(function.procedure)
    return function.__name__ if isinstance(function, Operator) else "pullback"
