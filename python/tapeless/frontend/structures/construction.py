"""New structures: constructors of named tuples and dataclasses, and structures with some parts replaced."""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from tapeless.errors import ArgumentError, TypeMismatch
from tapeless.frontend.structures.entries import dict_of
from tapeless.frontend.values import binding
from tapeless.frontend.values.capture import captured_value
from tapeless.frontend.values.value import STRUCTURES, Opaque, Structured, Value, describe, structured
from tapeless.trees import FIELDS, NAMED, Node, is_registered

if TYPE_CHECKING:
    from tapeless.frontend.translator import Translator


@dataclasses.dataclass(frozen=True)
class Method:
    """A method of a dict or a named tuple that is yet to be called."""

    value: Structured
    run: Callable[..., Value]


def call_opaque(t: Translator, function: Opaque, arguments: Sequence[Value], keywords: Mapping[str, Value]) -> Value:
    """A call of a Python object: a method of a structure, or a class that makes one."""
    found = function.value
    if isinstance(found, Method):
        return _ran(t, found, arguments, keywords)
    if isinstance(found, Node):
        return structured(found, arguments)
    if found is dataclasses.replace:
        return _replaced_fields(t, arguments, keywords)
    if found is dict and not arguments:
        return dict_of(keywords)
    if isinstance(found, type) and hasattr(found, "_fields"):
        defaults = found._field_defaults
        return _constructed(t, Node(NAMED, found._fields, found), found._fields, defaults, arguments, keywords)
    if isinstance(found, type) and dataclasses.is_dataclass(found):
        return _constructed_fields(t, found, arguments, keywords)
    if isinstance(found, type) and is_registered(found):
        raise t.error(
            f"{found.__name__} has its own way of being made, which compiled code does not run",
            f"return the values, and make the {found.__name__} in the caller",
        )
    raise t.error(
        f"{describe(function)} cannot be called", "call a tl.function, a nested function or a tl operator", TypeMismatch
    )


def _ran(t: Translator, method: Method, arguments: Sequence[Value], keywords: Mapping[str, Value]) -> Value:
    try:
        inspect.signature(method.run).bind(t, method.value, *arguments, **keywords)
    except TypeError as error:
        raise t.error(
            f"this method of {describe(method.value)}: {error}", "call it as in Python", ArgumentError
        ) from None
    return method.run(t, method.value, *arguments, **keywords)


def _constructed_fields(t: Translator, cls: Any, arguments: Sequence[Value], keywords: Mapping[str, Value]) -> Value:
    if hasattr(cls, "__post_init__") or not cls.__dataclass_params__.init:
        raise t.error(
            f"{cls.__name__} has its own way of being made, which compiled code does not run",
            f"return the values, and make the {cls.__name__} in the caller",
        )
    fields = dataclasses.fields(cls)
    positional = [each.name for each in fields if each.init and not each.kw_only]
    defaults = {each.name: each.default for each in fields if each.default is not dataclasses.MISSING}
    node = Node(FIELDS, tuple(each.name for each in fields), cls)
    return _constructed(t, node, positional, defaults, arguments, keywords)


def _constructed(
    t: Translator,
    node: Node,
    positional: Sequence[str],
    defaults: Mapping[str, Any],
    arguments: Sequence[Value],
    keywords: Mapping[str, Value],
) -> Value:
    known = {name: captured_value(t, value, name) for name, value in defaults.items()}
    title = node.cls.__name__ if node.cls is not None else node.kind
    given = binding.bind(t, title, positional, node.keys, known, arguments, keywords)
    return structured(node, [given[name] for name in node.keys])


def _replaced_fields(t: Translator, arguments: Sequence[Value], keywords: Mapping[str, Value]) -> Value:
    if len(arguments) != 1 or not isinstance(arguments[0], STRUCTURES) or arguments[0].node.kind != FIELDS:
        raise t.error("dataclasses.replace takes one object of a dataclass", "write replace(x, field=value)")
    return replaced(t, arguments[0], **keywords)


def replaced(t: Translator, value: Structured, **changed: Value) -> Value:
    """The structure with other values for some of its fields."""
    for name in changed:
        if name not in value.node.keys:
            raise t.error(
                f"{describe(value)} has no field '{name}'", f"it has {', '.join(value.node.keys)}", ArgumentError
            )
    pairs = zip(value.node.keys, value.items, strict=True)
    return structured(value.node, [changed.get(name, part) for name, part in pairs])
