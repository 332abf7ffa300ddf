"""New structures: constructors of classes, and structures with some parts replaced."""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from types import FunctionType
from typing import TYPE_CHECKING, Any, TypeGuard

import numpy as np

from tapeless import lang
from tapeless.errors import ArgumentError, TypeMismatch
from tapeless.frontend.structures.entries import dict_of
from tapeless.frontend.structures.stand_ins import made_by_class
from tapeless.frontend.values import binding
from tapeless.frontend.values.value import STRUCTURES, Opaque, Structured, Tuple, Value, describe, structured
from tapeless.trees import DICT, FIELDS, LIST, NAMED, TUPLE, Node, is_structure
from tapeless.types import ScalarType

if TYPE_CHECKING:
    from tapeless.frontend.translator import Translator

NONE = Opaque(None)
BY_NAME = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)


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
    if isinstance(found, FunctionType) and found in DATACLASS_FUNCTIONS:
        return DATACLASS_FUNCTIONS[found](t, arguments, keywords)
    if isinstance(found, ScalarType):
        return _converted(t, found, repr(found), arguments, keywords)
    if isinstance(found, type) and issubclass(found, np.generic):
        return _converted(t, found, f"np.{found.__name__}", arguments, keywords)
    if found is dict and not arguments:
        return dict_of(keywords)
    if isinstance(found, type) and is_structure(found):
        return _constructed(t, found, arguments, keywords)
    raise t.error(
        f"{describe(function)} cannot be called", "call a tl.function, a nested function or a tl operator", TypeMismatch
    )


def _converted(
    t: Translator, dtype: Any, name: str, arguments: Sequence[Value], keywords: Mapping[str, Value]
) -> Value:
    """`tl.f32(x)` or `np.float32(x)`: a number, or an array, converted to a type."""
    if len(arguments) != 1 or keywords:
        raise t.error(f"{name} takes one number or array", f"write {name}(x)", ArgumentError)
    return t.call(lang.OPERATORS["astype"], [arguments[0], Opaque(dtype)])


def _ran(t: Translator, method: Method, arguments: Sequence[Value], keywords: Mapping[str, Value]) -> Value:
    try:
        inspect.signature(method.run).bind(t, method.value, *arguments, **keywords)
    except TypeError as error:
        raise t.error(
            f"this method of {describe(method.value)}: {error}", "call it as in Python", ArgumentError
        ) from None
    return method.run(t, method.value, *arguments, **keywords)


def _constructed(t: Translator, cls: type, arguments: Sequence[Value], keywords: Mapping[str, Value]) -> Value:
    """An object of a class, with messages for arguments as those of functions have."""
    parameters: Mapping[str, inspect.Parameter] = {}
    with suppress(TypeError, ValueError):  # some do not tell
        parameters = inspect.signature(cls).parameters
    if parameters and all(each.kind in BY_NAME for each in parameters.values()):
        positional = [name for name, each in parameters.items() if each.kind is not inspect.Parameter.KEYWORD_ONLY]
        known = {name: NONE for name, each in parameters.items() if each.default is not inspect.Parameter.empty}
        binding.bind(t, cls.__name__, positional, [*parameters], known, arguments, keywords)
    return made_by_class(t, cls, arguments, keywords)


def _replaced_fields(t: Translator, arguments: Sequence[Value], keywords: Mapping[str, Value]) -> Value:
    """`dataclasses.replace`, which makes a new object by the constructor, of all fields that this takes."""
    if len(arguments) != 1 or not _is_dataclass(arguments[0]):
        raise t.error("dataclasses.replace takes one object of a dataclass", "write replace(x, field=value)")
    value = _only_dataclass(t, "replace", arguments, {})
    cls: Any = value.node.cls
    taken = {each.name for each in dataclasses.fields(cls) if each.init}
    fields = {name: item for name, item in zip(value.node.keys, value.items, strict=True) if name in taken}
    for name in keywords:
        if name in value.node.keys and name not in taken:
            raise t.error(f"'{name}' is no argument of {cls.__name__}", "replace other fields", ArgumentError)
    return _constructed(t, cls, [], {**fields, **keywords})


def _as_dict(t: Translator, arguments: Sequence[Value], keywords: Mapping[str, Value]) -> Value:
    return _without_classes(_only_dataclass(t, "asdict", arguments, keywords), dict_of)


def _as_tuple(t: Translator, arguments: Sequence[Value], keywords: Mapping[str, Value]) -> Value:
    return _without_classes(
        _only_dataclass(t, "astuple", arguments, keywords), lambda fields: Tuple(tuple(fields.values()))
    )


def _only_dataclass(t: Translator, name: str, arguments: Sequence[Value], keywords: Mapping[str, Value]) -> Structured:
    if keywords or len(arguments) != 1 or not _is_dataclass(arguments[0]):
        raise t.error(f"dataclasses.{name} takes one object of a dataclass", f"write {name}(x)", ArgumentError)
    return arguments[0]


def _is_dataclass(value: Value) -> TypeGuard[Structured]:
    return isinstance(value, STRUCTURES) and value.node.kind == FIELDS


def _without_classes(value: Value, make: Callable[[Mapping[str, Value]], Value]) -> Value:
    """A structure with all objects of dataclasses in it made something else of their fields."""
    if not isinstance(value, STRUCTURES) or value.node.kind not in (FIELDS, NAMED, TUPLE, LIST, DICT):
        return value
    items = [_without_classes(item, make) for item in value.items]
    return (
        make(dict(zip(value.node.keys, items, strict=True))) if _is_dataclass(value) else structured(value.node, items)
    )


DATACLASS_FUNCTIONS: dict[Any, Callable[..., Value]] = {
    dataclasses.replace: _replaced_fields,
    dataclasses.asdict: _as_dict,
    dataclasses.astuple: _as_tuple,
}


def replaced(t: Translator, value: Structured, **changed: Value) -> Value:
    """The structure with other values for some of its fields."""
    for name in changed:
        if name not in value.node.keys:
            raise t.error(
                f"{describe(value)} has no field '{name}'", f"it has {', '.join(value.node.keys)}", ArgumentError
            )
    pairs = zip(value.node.keys, value.items, strict=True)
    return structured(value.node, [changed.get(name, part) for name, part in pairs])
