"""Trees of Python values: read, walked, filled with other leaves, put into words."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from tapeless.errors import ArgumentError, TypeMismatch
from tapeless.trees.nodes import OBJECT, Branch, Static, Unusable, branch, items_of, node_of, step, words
from tapeless.trees.objects import closed, is_static, opened

MOST_NESTED = 128
"""How deep structures may be nested."""

MOST_LEAVES = 1024
"""How many numbers and arrays one argument may have."""


def leaves(tree: Any) -> Iterator[Any]:
    """The leaves of a tree, in order."""
    if node_of(tree) is not None:
        for item in items_of(tree):
            yield from leaves(item)
    elif not isinstance(tree, Static):
        yield tree


def statics(tree: Any) -> Iterator[Any]:
    """The static values of a tree, in order."""
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
    """Refuses structures that contain themselves, and very deep ones."""
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
    """A Python value in the words of a message: its structure, with its parts."""
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


def expected(tree: Any) -> str:
    """A description of a tree for messages."""
    node = node_of(tree)
    if node is not None:
        return words(node, len(items_of(tree)))
    if isinstance(tree, Static):
        return tree.value.description if isinstance(tree.value, Unusable) else described(tree.value)
    return "a number or an array"
