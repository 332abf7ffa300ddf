"""Attributes of structures: parts, constants of their classes, and methods, which are functions of the language."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from tapeless.errors import TypeMismatch
from tapeless.frontend.structures import entries
from tapeless.frontend.structures.construction import Method, replaced
from tapeless.frontend.structures.entries import dict_of, readable
from tapeless.frontend.values.capture import captured_value
from tapeless.frontend.values.value import FUNCTIONS, Decorated, Opaque, Record, Structured, Tuple, Value, describe
from tapeless.trees import DICT, METHOD, METHOD_NODE, NAMED, PARTIAL, REGISTERED, Part, class_attributes, shown_parts

if TYPE_CHECKING:
    from tapeless.frontend.translator import Translator


METHODS: dict[str, Mapping[str, Callable[..., Value]]] = {
    DICT: entries.METHODS,
    NAMED: {
        "_replace": replaced,
        "_asdict": lambda t, value: dict_of(dict(zip(value.node.keys, value.items, strict=True))),
    },
}
WITHOUT_ATTRIBUTES = (DICT, PARTIAL, METHOD, REGISTERED)


def attribute(t: Translator, value: Structured, node: ast.Attribute) -> Value:
    """`params.w`: a part, a constant of the class, or a method of it."""
    name, kind = node.attr, value.node
    if kind.kind not in WITHOUT_ATTRIBUTES and name in kind.keys:
        return readable(t, value.items[kind.keys.index(name)], node)
    if kind.kind == REGISTERED:
        shown = shown_parts(kind, len(value.items))
        if name in shown:
            return _shown(t, value, shown[name], node)
    method = METHODS.get(kind.kind, {}).get(name)
    if method is not None:
        return Opaque(Method(value, method))
    known = class_attributes(kind.cls) if kind.cls is not None and kind.kind != DICT else {}
    if name in known:
        return _of_class(t, value, known[name], node)
    raise t.error(
        f"'{ast.unparse(node.value)}' is {describe(value)}, which has no attribute '{name}'", _attributes_of(value)
    )


def _of_class(t: Translator, value: Structured, found: Any, node: ast.Attribute) -> Value:
    """The attribute of a class for its objects: a method, a property, which is computed, or a constant."""
    path = ast.unparse(node)
    if isinstance(found, property):
        return t.call(captured_value(t, found.fget, path), [value])
    meant = captured_value(t, found, path)
    return bound(value, meant) if isinstance(meant, Decorated) else meant


def _shown(t: Translator, value: Structured, found: Any, node: ast.Attribute) -> Value:
    """The kind of an attribute of a registered class: one of the parts, or static data of the structure."""
    if isinstance(found, Part):
        return value.items[found.position]
    if isinstance(found, (tuple, list, dict)):
        parts = found.values() if isinstance(found, dict) else found
        made = [_shown(t, value, each, node) for each in parts]
        return dict_of(dict(zip(found, made, strict=True))) if isinstance(found, dict) else Tuple(tuple(made))
    return captured_value(t, found, ast.unparse(node))


def _attributes_of(value: Structured) -> str:
    node = value.node
    if node.kind == DICT:
        return "read its entries with x['key'], or use x.keys(), x.values(), x.items(), x.get(key)"
    names = [*node.keys] if node.kind != REGISTERED else [*shown_parts(node, len(value.items))]
    names += [name for name in (class_attributes(node.cls) if node.cls is not None else ()) if name not in names]
    public = [str(name) for name in names if not str(name).startswith("__")]
    return f"it has {', '.join(public)}" if public else "it has none"


def bound(value: Value, function: Value) -> Record:
    """A method of an object, as a function of the other arguments."""
    return Record((value, function), METHOD_NODE)


def call(t: Translator, value: Record, arguments: Sequence[Value], keywords: Mapping[str, Value]) -> Value:
    """A call of a structure: a partial, a method, or an object whose class has `__call__`."""
    node = value.node
    if node.kind == METHOD:
        return t.call(value.items[1], [value.items[0], *arguments], keywords)
    if node.kind == PARTIAL:
        function, *given = value.items
        named = dict(zip(node.keys[1 + node.aux :], given[node.aux :], strict=True))
        return t.call(function, [*given[: node.aux], *arguments], {**named, **keywords})
    method = call_method(value)
    if method is None:
        raise t.error(
            f"{describe(value)} cannot be called",
            "call a function, or give its class a method __call__",
            TypeMismatch,
        )
    return t.call(captured_value(t, method, "__call__"), [value, *arguments], keywords)


def call_method(value: Value) -> Any:
    """The method by which an object can be called, or None."""
    node = value.node if isinstance(value, Record) else None
    if node is None or node.cls is None or node.kind in (DICT, METHOD, PARTIAL):
        return None
    return class_attributes(node.cls).get("__call__")


def is_function(value: Value) -> bool:
    """Whether a value can be called: functions, partials, methods, objects with `__call__`."""
    if isinstance(value, Record):
        return value.node.kind in (METHOD, PARTIAL) or call_method(value) is not None
    return isinstance(value, FUNCTIONS)
