"""Arrays in expressions: their elements, their sizes, and arrays of values."""

from __future__ import annotations

from collections.abc import Sequence

from tapeless.passes.phi.graph.graph import Graph
from tapeless.passes.phi.graph.nodes import Body, Node

INDEX = "index"


def is_array(type_: str) -> bool:
    """Whether a type is that of an array."""
    return type_.startswith("tensor<")


def element_type(type_: str) -> str:
    """The type of an array's elements."""
    return type_[type_.rindex("x") + 1 : -1]


def rank(type_: str) -> int:
    """How many indices an array has."""
    return type_.count("x")


def element(g: Graph, array: Node, *indices: Node) -> Node:
    """The element of an array at indices."""
    return g.node("element", element_type(array.type), (array, *indices))


def size(g: Graph, array: Node, axis: int = 0) -> Node:
    """How long an array is."""
    if array.kind == "loop" and array.name == "map":
        return array.args[0]
    extent = array.type[len("tensor<") : -1].split("x")[axis]
    return g.constant(int(extent), INDEX) if extent != "?" else g.node("size", INDEX, (array,), (axis,))


def array_of(g: Graph, width: Node, body: Body, type_: str | None = None) -> Node:
    """The array of a body's value for 0 <= i < width."""
    (value,) = body.results
    return g.node("loop", type_ or f"tensor<?x{value.type}>", (width,), ("map", body))


def indices(node: Node) -> Sequence[Node]:
    """The indices of an element."""
    return node.args[1:]
