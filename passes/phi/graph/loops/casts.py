"""Integers as numbers of other types."""

from __future__ import annotations

from tapeless.passes.phi.graph.graph import Graph
from tapeless.passes.phi.graph.nodes import Node

CAST = "cast"


def cast(g: Graph, value: Node, type_: str) -> Node:
    """An integer as a float, or as an integer of another width."""
    if value.type == type_:
        return value
    if value.kind == "function" and value.name == CAST and {value.type, value.args[0].type} == {"index", "i64"}:
        return cast(g, value.args[0], type_)
    if value.kind == "constant":
        return g.constant(value.constant, type_)
    return g.node("function", type_, (value,), (CAST,))
