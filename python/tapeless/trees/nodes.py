"""Trees that describe structured values, and the structures at their roots.

A tuple of trees is a tuple, a `Branch` any other structure, a `Static` what chooses code (None, strings, functions),
and anything else a leaf: a number or an array, its type, or its place among flat arguments.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from types import MethodType
from typing import Any

from tapeless.dataclasses_on_use import dataclass

LANGUAGE = "__tapeless__"
"""An attribute of the classes whose objects are functions of the language."""

HELD = "as_partial"
"""An attribute of functions of the language that hold some of their arguments: the same as a partial."""

TUPLE, LIST, DICT, NAMED, FIELDS = "tuple", "list", "dict", "named tuple", "dataclass"
REGISTERED, OBJECT, PARTIAL, METHOD = "registered class", "object", "partial", "method"
SEQUENCES = (TUPLE, LIST, NAMED)


@dataclass(frozen=True, slots=True)
class Node:
    """A structure without its parts: its kind, the names of its parts, its class, and other static data."""

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
    """The structure at the root of a tree; None for leaves and static parts."""
    if isinstance(tree, tuple):
        return TUPLE_NODE
    return tree.node if isinstance(tree, Branch) else None


def items_of(tree: Any) -> tuple[Any, ...]:
    """The parts at the root of a tree that has some."""
    return tree.items if isinstance(tree, Branch) else tree


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
