"""Reductions of a term over a range of indices: sums, products, extremes, conjunctions, and where an extreme is."""

from __future__ import annotations

import math

from tapeless.passes.phi.graph.branches import BOOL, compare, gamma, truth
from tapeless.passes.phi.graph.contents import symbols
from tapeless.passes.phi.graph.elementary import cast, function
from tapeless.passes.phi.graph.graph import Graph
from tapeless.passes.phi.graph.loops.affine import powers
from tapeless.passes.phi.graph.nodes import FLOATS, Body, Node
from tapeless.passes.phi.graph.numbers import ONE, ZERO, Number, times
from tapeless.passes.phi.graph.products import multiply
from tapeless.passes.phi.graph.sums import linear, scaled_term, subtract

INDEX = "index"
PLACES = {"argmax": "max", "argmin": "min"}
REDUCTIONS = ("sum", "prod", "max", "min", "and", "or", *PLACES)


def reduction(g: Graph, name: str, low: Node, high: Node, body: Body) -> Node:
    """The term of a body for low <= i < high, put together: `sum`, `prod`, `max`, `min`, `and`, `or`.

    `argmax` and `argmin` are the first index where the extreme is, and `low` for an empty range. Empty ranges give what
    changes nothing. With `reassoc`, a coefficient comes out of a sum, and a term that is always the same is counted.
    """
    (term,) = body.results
    if _is_empty(low, high):
        return low if name in PLACES else nothing(g, name, term.type)
    if body.parameters[0] not in symbols([term]):
        same = _of_one_value(g, name, low, high, term)
        if same is not None:
            return same
    if name == "sum" and _may_reorder(g, term.type):
        coefficient, inner = scaled_term(term)
        if coefficient != 1:
            rest = reduction(g, name, low, high, Body(body.level, body.parameters, (inner,)))
            return linear(g, [(coefficient, rest)], ZERO, term.type)
    return g.node("loop", INDEX if name in PLACES else term.type, (low, high), (name, body))


def nothing(g: Graph, name: str, type_: str) -> Node:
    """The neutral element of a reduction, its value for no terms."""
    if type_ == BOOL:
        return truth(g, name == "and")
    known: dict[str, Number] = {"sum": ZERO, "prod": ONE, "max": -math.inf, "min": math.inf}
    return g.constant(known[name], type_)


def length(g: Graph, low: Node, high: Node) -> Node:
    """How many indices there are, low <= i < high."""
    many = subtract(g, high, low)
    if many.kind == "constant" or (low.kind == "constant" and low.constant == 0 and is_count(high)):
        return g.constant(max(many.constant, ZERO), INDEX) if many.kind == "constant" else many
    return function(g, "max", many, g.constant(0, INDEX))


def is_count(node: Node) -> bool:
    """Whether an integer is known not to be negative: a size, a number of steps, or a larger one of it and 0."""
    if node.kind == "function" and node.name == "max":
        return any(is_count(arg) for arg in node.args)
    if node.kind == "function" and node.name == "cast":
        return is_count(node.args[0])
    return node.kind in ("size", "part") or (node.kind == "constant" and node.constant >= 0)


def _is_empty(low: Node, high: Node) -> bool:
    return low is high or (low.kind == "constant" and high.kind == "constant" and low.constant >= high.constant)


def _may_reorder(g: Graph, type_: str) -> bool:
    return type_ not in FLOATS or g.allows("reassoc")


def _of_one_value(g: Graph, name: str, low: Node, high: Node, term: Node) -> Node | None:
    """A term that does not depend on the index."""
    if name in PLACES:
        return low
    if name in ("max", "min", "and", "or"):
        return gamma(g, compare(g, "lt", low, high), term, nothing(g, name, term.type), lazy=True)
    if not _may_reorder(g, term.type):
        return None
    many = length(g, low, high)
    if name == "sum":
        if term.kind == "constant" and many.kind == "constant":
            return g.constant(times(many.constant, term.constant), term.type)
        return multiply(g, cast(g, many, term.type), term)
    return powers(g, many, term)[0] if term.type in FLOATS else None
