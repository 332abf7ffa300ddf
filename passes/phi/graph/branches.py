"""Comparisons, connectives, and the merge of two branches."""

from __future__ import annotations

import operator
from functools import lru_cache

from tapeless.passes.phi.graph.contents import bodies_of
from tapeless.passes.phi.graph.graph import Graph
from tapeless.passes.phi.graph.nodes import Node

COMPARISONS = {
    "eq": operator.eq,
    "ne": operator.ne,
    "lt": operator.lt,
    "le": operator.le,
    "gt": operator.gt,
    "ge": operator.ge,
}
SWAPPED = {"eq": "eq", "ne": "ne", "lt": "gt", "le": "ge", "gt": "lt", "ge": "le"}
BOOL = "i1"
LAZY = "lazy"
HARMFUL = ("element", "opaque")


def truth(g: Graph, value: bool) -> Node:
    """The constant true or false."""
    return g.constant(int(value), BOOL)


def compare(g: Graph, predicate: str, a: Node, b: Node) -> Node:
    """Whether a stands in a relation to b; `gt` and `ge` are written the other way round."""
    if a.kind == "constant" and b.kind == "constant":
        return truth(g, COMPARISONS[predicate](a.constant, b.constant))
    if a is b and not a.is_float:
        return truth(g, predicate in ("eq", "le", "ge"))
    if predicate in ("gt", "ge") or (predicate in ("eq", "ne") and b.place < a.place):
        predicate, a, b = SWAPPED[predicate], b, a
    return g.node("compare", BOOL, (a, b), (predicate,))


def negation(g: Graph, a: Node) -> Node:
    """Not a. A comparison of floats is not turned round: it is false for NaN."""
    if a.kind == "constant":
        return truth(g, not a.constant)
    if a.kind == "logic" and a.name == "not":
        return a.args[0]
    return g.node("logic", BOOL, (a,), ("not",))


def connect(g: Graph, connective: str, a: Node, b: Node) -> Node:
    """`and`, `or`, `xor`."""
    a, b = sorted((a, b), key=lambda each: each.place)
    for known, other in ((a, b), (b, a)):
        if known.kind == "constant":
            return _with_constant(g, connective, bool(known.constant), other)
    if a is b:
        return truth(g, False) if connective == "xor" else a
    if negation(g, a) is b:
        return truth(g, connective != "and")
    return g.node("logic", BOOL, (a, b), (connective,))


def _with_constant(g: Graph, connective: str, known: bool, other: Node) -> Node:
    if connective == "xor":
        return negation(g, other) if known else other
    if known == (connective == "or"):
        return truth(g, known)
    return other


def gamma(g: Graph, condition: Node, then: Node, otherwise: Node, *, lazy: bool = False) -> Node:
    """`then` where the condition holds, else `otherwise`; equal arms need no condition.

    Of a `lazy` one only the arm that is taken should be computed: it comes from a branch, not from a choice of values.
    """
    if condition.kind == "logic" and condition.name == "not":
        condition, then, otherwise = condition.args[0], otherwise, then
    if then.kind == "gamma" and then.args[0] is condition:
        then = then.args[1]
    if otherwise.kind == "gamma" and otherwise.args[0] is condition:
        otherwise = otherwise.args[2]
    if condition.kind == "constant":
        return then if condition.constant else otherwise
    if then is otherwise:
        return then
    if then.type == BOOL and (not lazy or (is_harmless(then) and is_harmless(otherwise))):
        return _of_bools(g, condition, then, otherwise)
    return g.node("gamma", then.type, (condition, then, otherwise), (LAZY,) if lazy else ())


def is_lazy(node: Node) -> bool:
    """Whether a node is a merge of which only one arm should be computed."""
    return node.kind == "gamma" and node.data == (LAZY,)


@lru_cache(maxsize=65536)
def is_harmless(node: Node) -> bool:
    """Whether computing a node is safe where the program does not; a branch may itself stand in the arm of another."""
    if node.kind in HARMFUL:
        return False
    results = [each for body in bodies_of(node) for each in body.results]
    return all(is_harmless(each) for each in (*node.args, *results))


def _of_bools(g: Graph, condition: Node, then: Node, otherwise: Node) -> Node:
    yes = connect(g, "and", condition, then)
    return connect(g, "or", yes, connect(g, "and", negation(g, condition), otherwise))
