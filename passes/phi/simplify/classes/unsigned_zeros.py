"""Class Z: rules that may change the sign of a zero."""

from __future__ import annotations

from tapeless.passes.phi.graph.branches import gamma, is_lazy
from tapeless.passes.phi.graph.facts import has
from tapeless.passes.phi.graph.graph import Graph
from tapeless.passes.phi.graph.nodes import Node
from tapeless.passes.phi.graph.sums import scaled_term
from tapeless.passes.phi.simplify.match import added, combined, is_function, pairs, terms, without
from tapeless.passes.phi.simplify.rule import Rule

NSZ = frozenset({"nsz"})


def negated_sum(g: Graph, node: Node) -> Node | None:
    """-(a - b) = b - a"""
    coefficient, inner = scaled_term(node)
    if coefficient != -1 or inner.kind != "sum":
        return None
    return combined(g, [(-factor, term) for factor, term in terms(inner)], -added(inner), node.type)


def complementary_arms(g: Graph, node: Node) -> Node | None:
    """gamma(c, x, 0) + gamma(c, 0, y) = gamma(c, x, y)"""
    parts = terms(node)
    for i, j in pairs(len(parts)):
        (first, a), (second, b) = parts[i], parts[j]
        same = first == second and a.kind == b.kind == "gamma" and a.args[0] is b.args[0] and node.is_float
        if same and _is_zero(a.args[2]) and _is_zero(b.args[1]):
            merged = gamma(g, a.args[0], a.args[1], b.args[2], lazy=is_lazy(a) or is_lazy(b))
            return combined(g, [*without(parts, i, j), (first, merged)], added(node), node.type)
    return None


def absolute_value(g: Graph, node: Node) -> Node | None:
    """|x| = x for x that is not negative"""
    return node.args[0] if is_function(node, "abs") and has(node.args[0], "nonneg") else None


def zero_times_finite(g: Graph, node: Node) -> Node | None:
    """0 * x = 0 for x that is one of some finite constants"""
    parts = [(factor, term) for factor, term in terms(node) if factor != 0 or not _is_finite(term)]
    if len(parts) == len(node.args) or not node.is_float:
        return None
    return combined(g, parts, added(node), node.type)


def _is_zero(node: Node) -> bool:
    return node.kind == "constant" and node.constant == 0


def _is_finite(node: Node) -> bool:
    if node.kind == "gamma":
        return all(_is_finite(arm) for arm in node.args[1:])
    if node.kind == "sum":
        return all(_is_finite(arg) for arg in node.args)
    if node.kind == "product":
        return all(_is_finite(arg) and exponent > 0 for arg, exponent in zip(node.args, node.exponents, strict=True))
    return node.kind == "constant" and abs(float(node.constant)) < float("inf")


UNSIGNED_ZEROS = (
    Rule("negated sum", "sum", negated_sum, NSZ),
    Rule("complementary arms", "sum", complementary_arms, NSZ),
    Rule("absolute value of what is not negative", "function", absolute_value, NSZ, given="x not negative"),
    Rule("zero times finite", "sum", zero_times_finite, NSZ, given="x a merge of finite constants"),
)
