"""Class N: rules that hold for numbers, but not for NaN and infinity."""

from __future__ import annotations

import math

from tapeless.passes.phi.graph.branches import gamma, is_lazy, truth
from tapeless.passes.phi.graph.elementary import function
from tapeless.passes.phi.graph.graph import Graph
from tapeless.passes.phi.graph.nodes import Node
from tapeless.passes.phi.graph.numbers import ONE
from tapeless.passes.phi.simplify.match import factors, is_function, product
from tapeless.passes.phi.simplify.rule import Rule

FINITE = frozenset({"nnan", "ninf", "nsz"})
NO_NAN = frozenset({"nnan", "nsz"})
NEUTRAL = {"max": -math.inf, "min": math.inf}


def selected_factor(g: Graph, node: Node) -> Node | None:
    """gamma(c, 1, 0) * x = gamma(c, x, 0)"""
    parts = factors(node)
    for base, exponent in parts.items():
        if base.kind == "gamma" and exponent == ONE and any(_is(arm, 0) for arm in base.args[1:]):
            rest = [each for each in parts.items() if each[0] is not base]
            arms = (product(g, [(arm, ONE), *rest], node.type) for arm in base.args[1:])
            return gamma(g, base.args[0], *arms, lazy=is_lazy(base))
    return None


def extreme(g: Graph, node: Node) -> Node | None:
    """gamma(a < b, a, b) = min(a, b), gamma(a < b, b, a) = max(a, b)"""
    condition, then, otherwise = node.args
    if condition.kind != "compare" or condition.name not in ("lt", "le") or not node.is_float:
        return None
    if (then, otherwise) == condition.args:
        return function(g, "min", then, otherwise)
    return function(g, "max", otherwise, then) if (otherwise, then) == condition.args else None


def neutral_bound(g: Graph, node: Node) -> Node | None:
    """max(x, -inf) = x, min(x, inf) = x"""
    if not is_function(node, *NEUTRAL):
        return None
    for one, other in (node.args, node.args[::-1]):
        if _is(other, NEUTRAL[node.name]):
            return one
    return None


def absorbed_bound(g: Graph, node: Node) -> Node | None:
    """max(x, min(x, y)) = x"""
    if not is_function(node, "max", "min"):
        return None
    for one, other in (node.args, node.args[::-1]):
        if is_function(other, "min" if node.name == "max" else "max") and one in other.args:
            return one
    return None


def sign_times_value(g: Graph, node: Node) -> Node | None:
    """sign(x) * x = |x|"""
    parts = factors(node)
    for base, exponent in parts.items():
        if is_function(base, "sign") and exponent == ONE and parts.get(base.args[0], 0) >= ONE:
            inner = base.args[0]
            rest = [each for each in parts.items() if each[0] not in (base, inner)]
            absolute = function(g, "abs", inner)
            return product(g, [*rest, (absolute, ONE), (inner, parts[inner] - ONE)], node.type)
    return None


def compared_with_itself(g: Graph, node: Node) -> Node | None:
    """x == x holds, x < x does not"""
    return truth(g, node.name in ("eq", "le")) if node.args[0] is node.args[1] else None


def _is(node: Node, value: float) -> bool:
    return node.kind == "constant" and node.constant == value


NO_NANS = (
    Rule("selected factor", "product", selected_factor, FINITE),
    Rule("extreme", "gamma", extreme, NO_NAN),
    Rule("neutral bound", "function", neutral_bound, NO_NAN),
    Rule("absorbed bound", "function", absorbed_bound, NO_NAN),
    Rule("sign times value", "product", sign_times_value, FINITE),
    Rule("compared with itself", "compare", compared_with_itself, frozenset({"nnan"})),
)
