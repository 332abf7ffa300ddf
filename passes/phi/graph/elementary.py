"""Elementary functions and casts, and their exact values at constants."""

from __future__ import annotations

import math

from tapeless.passes.phi.graph.graph import Graph
from tapeless.passes.phi.graph.nodes import Node
from tapeless.passes.phi.graph.numbers import is_integer

# Only where every implementation gives exactly this; anything else is left to run time.
EXACT = {
    ("exp", 0): 1,
    ("log", 1): 0,
    ("sin", 0): 0,
    ("cos", 0): 1,
    ("tan", 0): 0,
    ("sinh", 0): 0,
    ("cosh", 0): 1,
    ("tanh", 0): 0,
    ("asin", 0): 0,
    ("atan", 0): 0,
    ("erf", 0): 0,
    ("log1p", 0): 0,
    ("expm1", 0): 0,
}
CAST = "cast"


def function(g: Graph, name: str, *args: Node) -> Node:
    """A function of one or two values."""
    if len(args) == 1 and args[0].kind == "constant":
        value = args[0].constant
        if is_integer(value) and (name, int(value)) in EXACT:
            return g.constant(EXACT[name, int(value)], args[0].type)
        if name == "abs":
            return g.constant(value if value > 0 else -value, args[0].type)
    if name in ("max", "min"):
        if args[0] is args[1]:
            return args[0]
        if all(each.kind == "constant" for each in args):
            return _extreme(g, name, *args)
    return g.node("function", args[0].type, args, (name,))


def _extreme(g: Graph, name: str, a: Node, b: Node) -> Node:
    """The larger or smaller constant: NaN wins, and minus zero is less than zero."""
    for each in (a, b):
        if each.constant != each.constant:
            return each
    smaller, larger = sorted((a, b), key=lambda each: (each.constant, math.copysign(1.0, float(each.constant))))
    return larger if name == "max" else smaller


def cast(g: Graph, value: Node, type_: str) -> Node:
    """An integer as a float, or as an integer of another width."""
    if value.type == type_:
        return value
    if value.kind == "function" and value.name == CAST and {value.type, value.args[0].type} == {"index", "i64"}:
        return cast(g, value.args[0], type_)
    if value.kind == "constant":
        return g.constant(value.constant, type_)
    return g.node("function", type_, (value,), (CAST,))
