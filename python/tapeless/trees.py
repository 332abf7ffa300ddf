"""Structured values: which Python objects have parts, how they are taken apart, and how they are made again.

A tree describes a value. A tuple of trees is a tuple, a `Branch` any other structure, a `Static` what chooses code
(None, strings, functions), and anything else a leaf: a number or an array, its type, or its place among flat arguments.
"""

from __future__ import annotations

import dataclasses
import functools
import sys
import weakref
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from types import BuiltinFunctionType, FunctionType, MethodType
from typing import Any

import numpy as np

from tapeless.errors import ArgumentError, TypeMismatch
from tapeless.tracebacks import user_facing

MOST_NESTED = 128
"""How deep structures may be nested."""

MOST_LEAVES = 1024
"""How many numbers and arrays one argument may have."""

LANGUAGE = "__tapeless__"
"""An attribute of the classes whose objects are functions of the language."""

HELD = "as_partial"
"""An attribute of functions of the language that hold some of their arguments: the same as a partial."""

TUPLE, LIST, DICT, NAMED, FIELDS = "tuple", "list", "dict", "named tuple", "dataclass"
REGISTERED, OBJECT, PARTIAL, METHOD = "registered class", "object", "partial", "method"
SEQUENCES = (TUPLE, LIST, NAMED)


@dataclass(frozen=True, slots=True)
class Node:
    """A structure without its parts: its kind, the names of its parts, its class, and what else decides about it."""

    kind: str
    keys: tuple[Any, ...] = ()
    cls: type | None = None
    aux: Any = None
    # What tells numbers apart that are equal, since they choose other code: 1, 1.0 and True.
    exact: Any = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "exact", (_exact(self.keys), _exact(self.aux)))

    @property
    def is_sequence(self) -> bool:
        """Whether parts have positions, as those of tuples have."""
        return self.kind in SEQUENCES


def _exact(value: Any) -> Any:
    if type(value) is tuple:
        return tuple(map(_exact, value))
    return repr(value) if type(value) is float else type(value)


@dataclass(frozen=True, slots=True)
class Branch:
    """The tree of a structure that is no tuple."""

    node: Node
    items: tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Static:
    """The tree of a value that chooses code: a compiled version is for this very value."""

    value: Any


@dataclass(frozen=True, slots=True)
class Unusable:
    """An attribute of an object that means nothing in the language; only reading it is an error."""

    description: str


TUPLE_NODE = Node(TUPLE)
LIST_NODE = Node(LIST)
METHOD_NODE = Node(METHOD, ("__self__", "__func__"), MethodType)


def branch(node: Node, items: Sequence[Any]) -> Any:
    """The tree of a structure."""
    return tuple(items) if node.kind == TUPLE else Branch(node, tuple(items))


def node_of(tree: Any) -> Node | None:
    """The structure at the root of a tree; None for leaves and what is static."""
    if isinstance(tree, tuple):
        return TUPLE_NODE
    return tree.node if isinstance(tree, Branch) else None


def items_of(tree: Any) -> tuple[Any, ...]:
    """The parts at the root of a tree that has some."""
    return tree.items if isinstance(tree, Branch) else tree


def leaves(tree: Any) -> Iterator[Any]:
    """The leaves of a tree, in order."""
    if node_of(tree) is not None:
        for item in items_of(tree):
            yield from leaves(item)
    elif not isinstance(tree, Static):
        yield tree


def statics(tree: Any) -> Iterator[Any]:
    """What chooses code in a tree, in order."""
    if node_of(tree) is not None:
        for item in items_of(tree):
            yield from statics(item)
    elif isinstance(tree, Static):
        yield tree.value


def mapped(tree: Any, change: Callable[[Any], Any]) -> Any:
    """The tree with other leaves."""
    node = node_of(tree)
    if node is not None:
        return branch(node, [mapped(item, change) for item in items_of(tree)])
    return tree if isinstance(tree, Static) else change(tree)


def filled(tree: Any, values: Iterator[Any]) -> Any:
    """The tree whose leaves are values, in order."""
    return mapped(tree, lambda _: next(values))


def made(tree: Any) -> Any:
    """The value of a tree whose leaves are values."""
    node = node_of(tree)
    if node is not None:
        return closed(node, [made(item) for item in items_of(tree)])
    return tree.value if isinstance(tree, Static) else tree


def is_plain(tree: Any) -> bool:
    """Whether a tree is a leaf, or nothing but tuples and leaves."""
    if isinstance(tree, tuple):
        return all(map(is_plain, tree))
    return not isinstance(tree, (Branch, Static))


def step(node: Node, position: int) -> str:
    """How a part is named after its whole in messages: `['w']`, `[1]`, `.w`."""
    if node.kind == DICT:
        return f"[{node.keys[position]!r}]"
    if node.kind in (NAMED, FIELDS, OBJECT):
        return f".{node.keys[position]}"
    if node.kind == METHOD:
        return "" if position == 0 else ".__func__"
    if node.kind == PARTIAL:
        return f".{node.keys[position]}"
    return f"[{position}]"


def named_leaves(tree: Any, name: str) -> Iterator[tuple[str, Any]]:
    """The leaves of a tree with their paths, in order."""
    node = node_of(tree)
    if node is not None:
        for position, item in enumerate(items_of(tree)):
            yield from named_leaves(item, name + step(node, position))
    elif not isinstance(tree, Static):
        yield name, tree


def read(value: Any, name: str, leaf: Callable[[Any, str], Any], above: tuple[int, ...] = ()) -> Any:
    """The tree of a Python value; `leaf` makes leaves from numbers and arrays and the paths to them.

    `above` are the identities of the structures that the value is part of.
    """
    parts = opened(value)
    if parts is None:
        return Static(value) if is_static(value) else leaf(value, name)
    check_depth(value, name, above)
    node, items = parts
    make, inside = _read_attribute if node.kind == OBJECT else read, (*above, id(value))
    return branch(node, [make(item, name + step(node, k), leaf, inside) for k, item in enumerate(items)])


def is_endless(value: Any, above: tuple[int, ...]) -> bool:
    """Whether a value is part of itself, or nested very deeply; `above` are the structures that it is part of."""
    return id(value) in above or len(above) >= MOST_NESTED


def check_depth(value: Any, name: str, above: tuple[int, ...]) -> None:
    """Refuses what contains itself, and what is nested very deeply."""
    if id(value) in above:
        raise ArgumentError(f"'{name}' contains itself; pass structures without circles")
    if len(above) == MOST_NESTED:
        raise ArgumentError(f"'{name}' is nested more than {MOST_NESTED} deep; pass flatter structures")


def _read_attribute(value: Any, name: str, leaf: Callable[[Any, str], Any], above: tuple[int, ...]) -> Any:
    """An attribute of an object, which may mean nothing as long as it is not read."""
    try:
        return read(value, name, leaf, above)
    except (TypeMismatch, ArgumentError):
        return Static(Unusable(described(value)))


def copied(value: Any, copy: Callable[[Any], Any], above: tuple[int, ...] = ()) -> Any:
    """A value with copies of its leaves; circles stay as they are."""
    parts = None if is_endless(value, above) else opened(value)
    if parts is None:
        return copy(value)
    return closed(parts[0], [copied(item, copy, (*above, id(value))) for item in parts[1]])


def check_count(count: int, name: str) -> None:
    """Refuses structures with very many leaves: each is a parameter of compiled code."""
    if count > MOST_LEAVES:
        raise ArgumentError(
            f"'{name}' has {count} numbers and arrays, and each would be a parameter of its own; "
            f"pass at most {MOST_LEAVES}, for example np.asarray({name}) instead of a list of numbers"
        )


def described(value: Any) -> str:
    """A Python value in the words of a message: what structure it is, with which parts."""
    parts = opened(value)
    if parts is not None:
        return words(parts[0], len(parts[1]))
    if value is None:
        return "None"
    if isinstance(value, str):
        return f"the string {value!r}"
    if isinstance(value, np.ndarray) and value.ndim:
        return f"an array of {value.dtype} with {value.ndim} dimension{'s' if value.ndim > 1 else ''}"
    if is_static(value):
        return f"the function {getattr(value, '__name__', value)}"
    name = type(value).__name__
    return f"{'an' if name[:1].lower() in 'aeiou' else 'a'} {name}"


def words(node: Node, count: int) -> str:
    """A structure in the words of a message."""
    if node.kind == DICT:
        return f"a dict with {', '.join(map(repr, node.keys))}" if node.keys else "an empty dict"
    if node.kind in (TUPLE, LIST):
        return f"a {node.kind} of {count}"
    if node.kind in (PARTIAL, METHOD):
        return f"a {node.kind}"
    assert node.cls is not None
    name = node.cls.__name__
    return f"{'an' if name[:1].lower() in 'aeiou' else 'a'} {name}"


def expected(tree: Any) -> str:
    """What a tree stands for, in the words of a message."""
    node = node_of(tree)
    if node is not None:
        return words(node, len(items_of(tree)))
    if isinstance(tree, Static):
        return tree.value.description if isinstance(tree.value, Unusable) else described(tree.value)
    return "a number or an array"


def is_static(value: Any) -> bool:
    """Whether a value that has no parts chooses code."""
    return (
        value is None
        or isinstance(value, (str, FunctionType, BuiltinFunctionType, np.ufunc, type))
        or hasattr(type(value), LANGUAGE)
    )


Parts = tuple[Node, Sequence[Any]]
Opener = Callable[[Any], Parts | None]


def opened(value: Any) -> Parts | None:
    """A structure and its parts; None for what has none."""
    kind = type(value)
    try:
        opener = _OPENERS[kind]
    except KeyError:
        opener = _opener_of(kind)
    return None if opener is None else opener(value)


def closed(node: Node, items: Sequence[Any]) -> Any:
    """The value of a structure with these parts."""
    return _CLOSE[node.kind](node, items)


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
    attributes = _attributes(value)
    return Node(OBJECT, tuple(attributes), type(value)), tuple(attributes.values())


def _attributes(value: Any) -> dict[str, Any]:
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
    return _registered[node.cls][1](node.aux, tuple(items))


def _close_partial(node: Node, items: Sequence[Any]) -> Any:
    function, *given = items
    return functools.partial(
        function, *given[: node.aux], **dict(zip(node.keys[1 + node.aux :], given[node.aux :], strict=True))
    )


_OPENERS: dict[type, Opener | None] = {
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

Flatten = Callable[[Any], tuple[Sequence[Any], Any]]
Unflatten = Callable[[Any, tuple[Any, ...]], Any]
# What users registered, and what was found out about other classes; a class that is gone needs neither.
_registered: weakref.WeakKeyDictionary[type, tuple[Flatten, Unflatten]] = weakref.WeakKeyDictionary()
_found: weakref.WeakKeyDictionary[type, Opener | None] = weakref.WeakKeyDictionary()


def _opener_of(cls: type) -> Opener | None:
    try:
        return _found[cls]
    except KeyError:
        pass
    opener: Opener | None = None
    if hasattr(cls, HELD):
        opener = _open_held
    elif cls.__module__.partition(".")[0] == __package__:
        pass  # Types, kernels and the like have no parts.
    elif issubclass(cls, tuple) and hasattr(cls, "_fields"):
        opener = _open_named
    elif dataclasses.is_dataclass(cls):
        opener = _open_fields
    elif not issubclass(cls, (np.ndarray, np.generic)) and _has_functions(cls):
        opener = _open_object
    _found[cls] = opener
    return opener


def _open_held(value: Any) -> Parts:
    """A function of the language that holds some of its arguments, as the partial that it is."""
    return _open_partial(getattr(value, HELD))


def _has_functions(cls: type) -> bool:
    """Whether methods of a class are functions of the language: then its objects have meaning there."""
    return any(hasattr(type(each), LANGUAGE) for base in cls.__mro__ for each in vars(base).values())


@user_facing
def register(cls: type, flatten: Flatten, unflatten: Unflatten) -> type:
    """Has objects of a class be structures: arguments, results, and what gradients are like.

    `flatten(x)` gives the parts (numbers, arrays and structures of them) and what else makes up the object, which must
    be hashable: a version is compiled for each. `unflatten(rest, parts)` makes an object of them, also of derivatives.

    >>> class Line:
    ...     def __init__(self, slope, start):
    ...         self.slope, self.start = slope, start
    >>> _ = tl.register(Line, lambda line: ((line.slope, line.start), None), lambda _, parts: Line(*parts))
    >>> tl.grad(lambda line, x: line.slope * x + line.start)(Line(2.0, 1.0), 5.0).slope
    5.0
    """
    if not isinstance(cls, type):
        raise ArgumentError(f"tl.register takes a class, not {cls!r}; write tl.register(C, flatten, unflatten)")
    if cls in _OPENERS or issubclass(cls, (np.ndarray, np.generic, int, float, str)):
        raise ArgumentError(f"{cls.__name__} means something already; register a class of your own")
    if not (callable(flatten) and callable(unflatten)):
        raise ArgumentError("tl.register takes two functions; give flatten(x) -> (parts, rest), unflatten(rest, parts)")

    def open_registered(value: Any) -> Parts:
        return _flattened(cls, flatten, value)

    _registered[cls] = (flatten, unflatten)
    _found[cls] = open_registered
    return cls


def _flattened(cls: type, flatten: Flatten, value: Any) -> Parts:
    result = flatten(value)
    if not isinstance(result, tuple) or len(result) != 2:
        raise TypeMismatch(
            f"flatten of {cls.__name__} gives {described(result)}; return (parts, rest), where parts is a tuple"
        )
    parts, rest = tuple(result[0]), result[1]
    try:
        hash(rest)
    except TypeError:
        raise TypeMismatch(
            f"flatten of {cls.__name__} gives {described(rest)} as what is no part, which has no hash; "
            "make it a tuple or a string, and arrays parts"
        ) from None
    return Node(REGISTERED, (), cls, rest), parts


@dataclass(frozen=True, slots=True)
class Part:
    """Stands for a part of a structure in an object that shows where its class keeps it."""

    position: int


def shown_parts(node: Node, count: int) -> dict[str, Any]:
    """The attributes of an object of a registered class, with `Part(k)` where the k-th part is."""
    try:
        return _attributes(closed(node, [Part(k) for k in range(count)]))
    except Exception:  # whatever unflatten raises for what is no number or array
        return {}


def class_attributes(cls: type) -> dict[str, Any]:
    """What functions of the language can read from a class: methods, properties, constants, defaults."""
    found: dict[str, Any] = {}
    for base in reversed(cls.__mro__):
        own = vars(base) if base.__module__ != "builtins" else {}
        found |= {name: value for name, value in own.items() if _is_readable(name, value)}
    if dataclasses.is_dataclass(cls):
        found |= {each.name: each.default for each in dataclasses.fields(cls) if _is_readable(each.name, each.default)}
    return found | getattr(cls, "_field_defaults", {})


def _is_readable(name: str, value: Any) -> bool:
    if hasattr(type(value), LANGUAGE) or (isinstance(value, FunctionType) and name == "__call__"):
        return True
    if isinstance(value, (FunctionType, property)) and not name.startswith("__"):
        return True
    is_constant = isinstance(value, (bool, int, float, str, np.generic, np.ndarray, tuple, type(None)))
    return is_constant and not (name.startswith("__") and name.endswith("__"))


def class_name(cls: type | None) -> str:
    """What tells a class from others, also from those that no other process could find."""
    if cls is None:
        return ""
    return f"{cls.__module__}.{cls.__qualname__}{'' if is_found(cls) else f' {id(cls)}'}"


def is_found(cls: type) -> bool:
    """Whether another process finds a class by its name."""
    place: Any = sys.modules.get(cls.__module__)
    for name in cls.__qualname__.split("."):
        place = getattr(place, name, None)
    return place is cls


def is_registered(cls: type) -> bool:
    """Whether a class was given to `register` in this process."""
    return cls in _registered


def is_structure(cls: type) -> bool:
    """Whether objects of a class have parts."""
    return (_OPENERS[cls] if cls in _OPENERS else _opener_of(cls)) is not None
