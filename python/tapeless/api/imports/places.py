"""Structures of other libraries as trees of the language: a stand-in for each part says where the library has it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tapeless.annotations import Layout, Parts
from tapeless.dataclasses_on_use import dataclass
from tapeless.errors import ArgumentError
from tapeless.signature import REQUIRED, Parameter
from tapeless.trees import REGISTERED, Static, described, items_of, node_of, read
from tapeless.types import ArrayType, ScalarType, TypeTree


@dataclass(frozen=True)
class Place:
    """Stands for the part of a structure that a library has at a position."""

    position: int


def places_of(value: Any, name: str, library: str) -> Any:
    """The tree of a structure that has places as its parts."""

    def leaf(part: Any, path: str) -> Any:
        if isinstance(part, Place):
            return part
        raise ArgumentError(
            f"'{path}' is {described(part)}, which {library} takes apart, or keeps out of its trees, and the language "
            "does not; make its class known with tl.register(cls, flatten, unflatten), or pass a dict or a tuple"
        )

    return read(value, name, leaf)


def parameters_for(names: Sequence[str], trees: Sequence[TypeTree]) -> list[Parameter]:
    """A parameter for each argument, with its structure."""
    return [
        Parameter(name, tree, REQUIRED)
        if isinstance(tree, (ScalarType, ArrayType))
        else Parameter(name, None, REQUIRED, layout=_layout(tree))
        for name, tree in zip(names, trees, strict=True)
    ]


def _layout(tree: TypeTree) -> Layout:
    """The structure of an argument, with which calls compare theirs."""
    node = node_of(tree)
    if node is None:
        return None if isinstance(tree, Static) else tree
    if node.kind == REGISTERED:
        return None
    return Parts(node, tuple(_layout(item) for item in items_of(tree)))
