"""Structures of parameters as expressions of functions that the package writes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from tapeless.runtime.structures import Structure
from tapeless.trees import Static, Unusable, items_of, node_of


def cotangent_text(structure: Structure, names: Mapping[int, str], objects: dict[str, Any]) -> str:
    """Parameters in the structure of a result; integers and bools have no cotangent, nor have strings and functions."""
    return written(structure, lambda place: names.get(place, "0"), objects, lambda _: "None")


def argument_text(structure: Structure, leaf: Callable[[Any], str], objects: dict[str, Any]) -> str:
    """Parameters in the structure of an argument, with its static parts as they are."""

    def static(value: Any) -> str:
        return "None" if value is None or isinstance(value, Unusable) else _named(value, objects)

    return written(structure, leaf, objects, static)


def written(tree: Any, leaf: Callable[[Any], str], objects: dict[str, Any], static: Callable[[Any], str]) -> str:
    """A tree as an expression; `objects` gets its names beside parameters, such as constructors of structures."""
    node = node_of(tree)
    if node is None:
        return static(tree.value) if isinstance(tree, Static) else leaf(tree)
    parts = "".join(written(part, leaf, objects, static) + ", " for part in items_of(tree))
    return f"({parts})" if isinstance(tree, tuple) else f"{_named(node, objects)}({parts})"


def _named(value: Any, objects: dict[str, Any]) -> str:
    name = f"made{len(objects)}"
    objects[name] = value
    return name
