"""The smallest expressions: constants, names, tuples and lists of expressions."""

from __future__ import annotations

import ast
import inspect
from typing import TYPE_CHECKING

from tapeless.errors import TypeMismatch
from tapeless.frontend.values.capture import captured_value
from tapeless.frontend.values.frame import Binding, Delayed, Unbound
from tapeless.frontend.values.value import Opaque, Tuple, Value, describe, literal
from tapeless.trees import LIST_NODE, TUPLE_NODE

if TYPE_CHECKING:
    from tapeless.frontend.translator import Translator


def constant(t: Translator, node: ast.Constant) -> Value:
    value = node.value
    if isinstance(value, (str, type(None), type(...))):
        return Opaque(value)
    if isinstance(value, int) and not -(2**63) <= value < 2**63:
        raise t.error(f"the integer {value} does not fit into 64 bits", "write it as a float")
    return literal(value)


def name(t: Translator, node: ast.Name) -> Value:
    frame = t.frame.find(node.id)
    if frame is None:
        return _outside(t, node.id)
    binding = frame.names.get(node.id)
    if isinstance(binding, Delayed):
        binding = binding.compute()
        if frame is t.frame:
            frame.names[node.id] = binding
    return _bound(t, node.id, binding)


def _bound(t: Translator, identifier: str, binding: Binding | None) -> Value:
    if binding is None and _is_object_of_method(t, identifier):
        raise t.error(
            f"'{identifier}' is the object of a bound method, which a compiled function does not see",
            "pass what it needs as arguments, or take them from the object before the function is defined",
        )
    if binding is None:
        raise t.error(f"'{identifier}' is read before it has a value", "assign it on every path that leads here")
    if isinstance(binding, Unbound):
        raise t.error(binding.reason, binding.instead)
    return binding


def _is_object_of_method(t: Translator, identifier: str) -> bool:
    function = t.frame.source.function
    return inspect.ismethod(function) and identifier == next(iter(function.__code__.co_varnames), None)


def _outside(t: Translator, identifier: str) -> Value:
    try:
        value = t.frame.source.lookup(identifier)
    except KeyError:
        raise t.error(
            f"'{identifier}' is not defined", "define it before the function, or pass it as an argument"
        ) from None
    return captured_value(t, value, identifier)


def tuple_(t: Translator, node: ast.Tuple | ast.List) -> Tuple:
    """Several values; a list is a tuple that comes back as a list, since values do not change."""
    kind = LIST_NODE if isinstance(node, ast.List) else TUPLE_NODE
    return Tuple(tuple(item for element in node.elts for item in spread(t, element)), kind)


def spread(t: Translator, node: ast.expr) -> tuple[Value, ...]:
    """The values that an expression stands for: one, or with `*` those of a tuple or a list."""
    if not isinstance(node, ast.Starred):
        return (t.evaluate(node),)
    value = t.evaluate(node.value)
    if not isinstance(value, Tuple):
        raise t.error(
            f"'*' before {describe(value)}", "use it before tuples and lists, whose length is known", TypeMismatch
        )
    return value.items
