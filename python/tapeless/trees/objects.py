"""Which Python objects have parts, how they are taken apart, and how they are made again."""

from __future__ import annotations

import dataclasses
import functools
import weakref
from collections import OrderedDict
from collections.abc import Callable, Sequence
from types import BuiltinFunctionType, FunctionType, MethodType
from typing import Any

import numpy as np

from tapeless.dataclasses_on_use import dataclass
from tapeless.trees.nodes import (
    DICT,
    FIELDS,
    HELD,
    LANGUAGE,
    LIST,
    LIST_NODE,
    METHOD,
    METHOD_NODE,
    NAMED,
    OBJECT,
    PARTIAL,
    REGISTERED,
    TUPLE,
    TUPLE_NODE,
    Node,
)

PACKAGE = "tapeless"
"""What the classes of this package begin with; they have no parts."""

Parts = tuple[Node, Sequence[Any]]
Opener = Callable[[Any], Parts | None]
Flatten = Callable[[Any], tuple[Sequence[Any], Any]]
Unflatten = Callable[[Any, tuple[Any, ...]], Any]
# What users registered, and what was found out about other classes; a class that is gone needs neither.
registry: weakref.WeakKeyDictionary[type, tuple[Flatten, Unflatten]] = weakref.WeakKeyDictionary()
openers_found: weakref.WeakKeyDictionary[type, Opener | None] = weakref.WeakKeyDictionary()


def opened(value: Any) -> Parts | None:
    """A structure and its parts; None for leaves."""
    kind = type(value)
    try:
        opener = OPENERS[kind]
    except KeyError:
        opener = _opener_of(kind)
    return None if opener is None else opener(value)


def closed(node: Node, items: Sequence[Any]) -> Any:
    """The value of a structure with these parts."""
    return _CLOSE[node.kind](node, items)


def is_structure(cls: type) -> bool:
    """Whether objects of a class have parts."""
    return (OPENERS[cls] if cls in OPENERS else _opener_of(cls)) is not None


def is_static(value: Any) -> bool:
    """Whether a value that has no parts chooses code."""
    return (
        value is None
        or isinstance(value, (str, FunctionType, BuiltinFunctionType, np.ufunc, type))
        or hasattr(type(value), LANGUAGE)
    )


def _open_tuple(value: Any) -> Parts:
    return TUPLE_NODE, value


def _open_list(value: Any) -> Parts:
    return LIST_NODE, value


def _open_dict(value: Any) -> Parts:
    return Node(DICT, tuple(value), type(value)), tuple(value.values())


def _open_named(value: Any) -> Parts:
    return Node(NAMED, type(value)._fields, type(value)), value


def _open_fields(value: Any) -> Parts:
    names = tuple(each.name for each in dataclasses.fields(value))
    return Node(FIELDS, names, type(value)), [getattr(value, name) for name in names]


def _open_object(value: Any) -> Parts:
    attributes = attributes_of(value)
    return Node(OBJECT, tuple(attributes), type(value)), tuple(attributes.values())


def attributes_of(value: Any) -> dict[str, Any]:
    """The attributes that an object itself has, in a dictionary or in slots."""
    slots = (name for each in type(value).__mro__ for name in _slots(each))
    found = {name: getattr(value, name) for name in slots if hasattr(value, name)}
    return found | getattr(value, "__dict__", {})


def _slots(cls: type) -> Sequence[str]:
    slots = cls.__dict__.get("__slots__", ())
    names = (slots,) if isinstance(slots, str) else tuple(slots)
    return [name for name in names if name not in ("__dict__", "__weakref__")]


def _open_partial(value: Any) -> Parts:
    names = ("func", *(f"args[{k}]" for k in range(len(value.args))), *value.keywords)
    return Node(PARTIAL, names, type(value), len(value.args)), (value.func, *value.args, *value.keywords.values())


def _open_method(value: Any) -> Parts | None:
    """The object of a method is a structure of its attributes, whatever its class; compiled methods have no parts."""
    if not isinstance(value.__func__, FunctionType) and not hasattr(type(value.__func__), LANGUAGE):
        return None
    target = value.__self__
    is_known = isinstance(target, type) or opened(target) is not None
    return METHOD_NODE, (target if is_known else Attributes(target), value.__func__)


@dataclass(frozen=True, slots=True, eq=False)
class Attributes:
    """An object that is a structure of its attributes because one of its methods is called."""

    value: Any


def _make(node: Node, items: Sequence[Any], names: Sequence[str]) -> Any:
    """An object with attributes, whatever its class does when one is made."""
    assert node.cls is not None
    made: Any = object.__new__(node.cls)
    for name, item in zip(names, items, strict=True):
        object.__setattr__(made, name, item)
    return made


def _close_dict(node: Node, items: Sequence[Any]) -> Any:
    pairs = zip(node.keys, items, strict=True)
    return dict(pairs) if node.cls is dict else OrderedDict(pairs)


def _close_named(node: Node, items: Sequence[Any]) -> Any:
    return node.cls._make(items)  # type: ignore[union-attr]


def _close_registered(node: Node, items: Sequence[Any]) -> Any:
    assert node.cls is not None
    return registry[node.cls][1](node.aux, tuple(items))


def _close_partial(node: Node, items: Sequence[Any]) -> Any:
    function, *given = items
    return functools.partial(
        function, *given[: node.aux], **dict(zip(node.keys[1 + node.aux :], given[node.aux :], strict=True))
    )


OPENERS: dict[type, Opener | None] = {
    tuple: _open_tuple,
    list: _open_list,
    dict: _open_dict,
    OrderedDict: _open_dict,
    functools.partial: _open_partial,
    MethodType: _open_method,
    Attributes: lambda value: _open_object(value.value),
    np.ndarray: None,
    float: None,
    int: None,
    bool: None,
    str: None,
    type(None): None,
    FunctionType: None,
}
_CLOSE: dict[str, Callable[[Node, Sequence[Any]], Any]] = {
    TUPLE: lambda node, items: tuple(items),
    LIST: lambda node, items: list(items),
    DICT: _close_dict,
    NAMED: _close_named,
    FIELDS: lambda node, items: _make(node, items, node.keys),
    REGISTERED: _close_registered,
    OBJECT: lambda node, items: _make(node, items, node.keys),
    PARTIAL: _close_partial,
    METHOD: lambda node, items: MethodType(items[1], items[0]),
}


def _opener_of(cls: type) -> Opener | None:
    try:
        return openers_found[cls]
    except KeyError:
        pass
    opener: Opener | None = None
    if hasattr(cls, HELD):
        opener = _open_held
    elif cls.__module__.partition(".")[0] == PACKAGE:
        pass  # Types, kernels and the like have no parts.
    elif issubclass(cls, tuple) and hasattr(cls, "_fields"):
        opener = _open_named
    elif dataclasses.is_dataclass(cls):
        opener = _open_fields
    elif not issubclass(cls, (np.ndarray, np.generic)) and _has_functions(cls):
        opener = _open_object
    openers_found[cls] = opener
    return opener


def _open_held(value: Any) -> Parts:
    """A function of the language that holds some of its arguments, as the partial that it is."""
    return _open_partial(getattr(value, HELD))


def _has_functions(cls: type) -> bool:
    """Whether methods of a class are functions of the language: then its objects have meaning there."""
    return any(hasattr(type(each), LANGUAGE) for base in cls.__mro__ for each in vars(base).values())
