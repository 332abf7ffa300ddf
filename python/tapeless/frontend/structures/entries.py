"""Dicts: written out, read by key, and their methods."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from tapeless.errors import ArgumentError, IndexOutOfRange, TypeMismatch
from tapeless.frontend.values.value import Opaque, Record, Scalar, Structured, Tuple, Value, describe, literal
from tapeless.spelling import nearest_or_all
from tapeless.trees import DICT, LIST, TUPLE_NODE, Node, Unusable

if TYPE_CHECKING:
    from tapeless.frontend.translator import Translator


def dict_(t: Translator, node: ast.Dict) -> Record:
    """`{"w": w, **rest}`: keys are constants."""
    entries: dict[Any, Value] = {}
    for key, value in zip(node.keys, node.values, strict=True):
        if key is None:
            entries |= entries_of(t, t.evaluate(value), value)
        else:
            entries[constant_key(t, t.evaluate(key), key)] = t.evaluate(value)
    return dict_of(entries)


def dict_of(entries: Mapping[Any, Value], cls: type | None = dict) -> Record:
    """A dict with these entries."""
    return Record(tuple(entries.values()), Node(DICT, tuple(entries), cls))


def entries_of(t: Translator, value: Value, node: ast.expr) -> dict[Any, Value]:
    """The entries of a dict that stands behind `**`."""
    if isinstance(value, Record) and value.node.kind == DICT:
        return dict(zip(value.node.keys, value.items, strict=True))
    raise t.error(f"'{ast.unparse(node)}' is {describe(value)}, and '**' takes a dict", "write the entries out")


def constant_key(t: Translator, value: Value, node: ast.expr) -> Any:
    """A key of a dict: a string, a number or a tuple of them that is known when compiling."""
    if isinstance(value, Opaque) and isinstance(value.value, (str, type(None))):
        return value.value
    if isinstance(value, Scalar) and value.literal is not None:
        return value.literal
    if isinstance(value, Tuple):
        return tuple(constant_key(t, item, node) for item in value.items)
    raise t.error(
        f"the key '{ast.unparse(node)}' is {describe(value)}, which is not known when compiling",
        "write a string or a constant; use an array for what is looked up when running",
        TypeMismatch,
    )


def readable(t: Translator, value: Value, node: ast.expr) -> Value:
    """A part that is read, which must mean something."""
    if isinstance(value, Opaque) and isinstance(value.value, Unusable):
        raise t.error(
            f"'{ast.unparse(node)}' is {value.value.description}, which means nothing in the language",
            "use parts that are numbers, arrays, structures of them, strings or functions",
            TypeMismatch,
        )
    return value


def item_of(t: Translator, value: Structured, node: ast.Subscript) -> Value:
    """`params["w"]`, `layers[1]`, `layers[:-1]`."""
    if isinstance(value, Tuple) and isinstance(node.slice, ast.Slice):
        return _sliced(t, value, node.slice)
    if isinstance(value, Tuple):
        return readable(t, value.items[_position(t, value, node)], node)
    found = dict(zip(value.node.keys, value.items, strict=True))
    key = _key(t, value, node)
    if key not in found:
        path, keys = ast.unparse(node.value), [str(each) for each in found]
        raise t.error(f"'{path}' has no entry {key!r}{nearest_or_all(str(key), keys)}", None, ArgumentError)
    return readable(t, found[key], node)


def with_item(t: Translator, value: Structured, node: ast.Subscript, part: Value) -> Value:
    """The dict or list with another value for an entry, which may be new in a dict."""
    if isinstance(value, Tuple):
        if value.node.kind != LIST:
            raise t.error(
                f"'{ast.unparse(node.value)}' is {describe(value)}, which does not change",
                "make a new one",
                TypeMismatch,
            )
        position = _position(t, value, node)
        return Tuple((*value.items[:position], part, *value.items[position + 1 :]), value.node)
    key = _key(t, value, node)
    return dict_of({**dict(zip(value.node.keys, value.items, strict=True)), key: part}, value.node.cls)


def _key(t: Translator, value: Record, node: ast.Subscript) -> Any:
    path, index = ast.unparse(node.value), node.slice
    if value.node.kind != DICT:
        raise t.error(f"'{path}' is {describe(value)}, which has no entries", "read its attributes", TypeMismatch)
    if isinstance(index, ast.Slice):
        raise t.error(f"'{path}' is {describe(value)}, which cannot be sliced", "read its entries", TypeMismatch)
    return constant_key(t, t.evaluate(index), index)


def _position(t: Translator, value: Tuple, node: ast.Subscript) -> int:
    kind, count = value.node.kind, len(value.items)
    if isinstance(node.slice, ast.Slice):
        raise t.error(f"a slice of a {kind} cannot be replaced", "make a new one, or replace parts one by one")
    position = t.constant(t.evaluate(node.slice), f"the index of a {kind}")
    if not -count <= position < count:
        raise t.error(f"index {position} is out of range for a {kind} of {count}", None, IndexOutOfRange)
    return position % count


def _sliced(t: Translator, value: Tuple, node: ast.Slice) -> Tuple:
    """Some parts of a list, or of a tuple, as a list or a tuple; the bounds are known when compiling."""
    role = f"a bound of a slice of a {value.node.kind}"
    given = [each and t.constant(t.evaluate(each), role) for each in (node.lower, node.upper, node.step)]
    if given[2] == 0:
        raise t.error("the step of a slice is 0", "use a step that is not 0", ArgumentError)
    return Tuple(value.items[slice(*given)], value.node if value.node.kind == LIST else TUPLE_NODE)


def _keys(t: Translator, value: Structured) -> Tuple:
    return Tuple(tuple(key_value(key) for key in value.node.keys))


def _values(t: Translator, value: Structured) -> Tuple:
    return Tuple(value.items)


def _items(t: Translator, value: Structured) -> Tuple:
    pairs = zip(value.node.keys, value.items, strict=True)
    return Tuple(tuple(Tuple((key_value(key), part)) for key, part in pairs))


def _get(t: Translator, value: Structured, key: Value, default: Value | None = None) -> Value:
    found = dict(zip(value.node.keys, value.items, strict=True))
    wanted = key.value if isinstance(key, Opaque) else key.literal if isinstance(key, Scalar) else None
    return found.get(wanted, Opaque(None) if default is None else default)


def key_value(key: Any) -> Value:
    """A key as a value."""
    if isinstance(key, tuple):
        return Tuple(tuple(map(key_value, key)))
    return literal(key) if isinstance(key, (bool, int, float)) else Opaque(key)


METHODS: dict[str, Callable[..., Value]] = {"keys": _keys, "values": _values, "items": _items, "get": _get}
