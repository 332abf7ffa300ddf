"""Class S, merges of branches: common code of the arms is hoisted, and an arm knows its condition.

An operation goes into the arms of a merge only where it costs less there, because something folds or cancels: a row of
k branches stays as large as it was.
"""

from __future__ import annotations

from tapeless.passes.phi.graph.branches import gamma, is_lazy, truth
from tapeless.passes.phi.graph.build import rebuilt
from tapeless.passes.phi.graph.contents import few_inside
from tapeless.passes.phi.graph.elementary import CAST, function
from tapeless.passes.phi.graph.graph import Graph
from tapeless.passes.phi.graph.nodes import Node
from tapeless.passes.phi.graph.numbers import ONE, ZERO
from tapeless.passes.phi.graph.walk import substitute
from tapeless.passes.phi.simplify.branches.assumed import implied
from tapeless.passes.phi.simplify.match import Factors, combined, factors, product, terms
from tapeless.passes.phi.simplify.rule import Rule

LARGEST_ARM = 60


def same_condition(g: Graph, node: Node) -> Node | None:
    """gamma(c, a, b) + gamma(c, d, e) = gamma(c, a + d, b + e)"""
    conditions = [arg.args[0] for arg in node.args if arg.kind == "gamma"]
    for condition in conditions:
        if conditions.count(condition) > 1:
            return _into_arms(g, node, condition)
    return None


def into_arms(g: Graph, node: Node) -> Node | None:
    """f(gamma(c, a, b)) = gamma(c, f(a), f(b))"""
    for arg in node.args:
        if arg.kind == "gamma" and any(_may_fold(node, arg, arm) for arm in arg.args[1:]):
            return _into_arms(g, node, arg.args[0])
    return None


def _may_fold(node: Node, merge: Node, arm: Node) -> bool:
    """Whether an operation may become simpler with an arm in the place of the merge."""
    if node.kind == "function" or arm.kind == "constant":
        return arm.kind in ("constant", "function", "sum")
    others = {arg for arg in node.args if arg is not merge}
    if node.kind == "sum":
        return any(term in others for _, term in terms(arm))
    return any(base in others for _, term in terms(arm) for base in factors(term)) or not others


def _into_arms(g: Graph, node: Node, condition: Node) -> Node:
    arms = []
    for side in (1, 2):
        args = [arg.args[side] if arg.kind == "gamma" and arg.args[0] is condition else arg for arg in node.args]
        arms.append(rebuilt(g, node, args, ()))
    lazy = any(is_lazy(arg) and arg.args[0] is condition for arg in node.args)
    return gamma(g, condition, *arms, lazy=lazy)


def common_terms(g: Graph, node: Node) -> Node | None:
    """gamma(c, a + k, b + k) = gamma(c, a, b) + k"""
    condition, *arms = node.args
    if not node.is_float or not all(arm.kind == "sum" for arm in arms):
        return None
    common = [each for each in terms(arms[0]) if each in terms(arms[1])]
    rests = [[each for each in terms(arm) if each not in common] for arm in arms]
    if not common or (not g.allows("reassoc") and any(_count(arm) > 2 for arm in arms)):
        return None
    constants = [arm.constant for arm in arms]
    same = constants[0] if constants[0] == constants[1] else ZERO
    merged = gamma(
        g,
        condition,
        *(combined(g, rest, value - same, node.type) for rest, value in zip(rests, constants, strict=True)),
        lazy=is_lazy(node),
    )
    if not g.allows("reassoc"):
        return combined(g, [*common, (ONE, merged)], ZERO, node.type) if same == 0 and len(common) == 1 else None
    return combined(g, [*common, (ONE, merged)], same, node.type)


def common_factors(g: Graph, node: Node) -> Node | None:
    """gamma(c, a * k, b * k) = gamma(c, a, b) * k"""
    condition, *arms = node.args
    if not node.is_float or not g.allows("reassoc") or not all(arm.kind == "product" for arm in arms):
        return None
    powers = [factors(arm) for arm in arms]
    common = {base: exponent for base, exponent in powers[0].items() if powers[1].get(base) == exponent}
    if not common:
        return None
    merged = gamma(g, condition, *(_rest(g, each, common, node.type) for each in powers), lazy=is_lazy(node))
    return product(g, [*common.items(), (merged, ONE)], node.type)


def common_function(g: Graph, node: Node) -> Node | None:
    """gamma(c, f(a), f(b)) = f(gamma(c, a, b))"""
    condition, *arms = node.args
    same = all(arm.kind == "function" and arm.data == arms[0].data for arm in arms)
    if not same or arms[0].name == CAST:
        return None
    args = zip(*(arm.args for arm in arms), strict=True)
    return function(g, arms[0].name, *(gamma(g, condition, *pair, lazy=is_lazy(node)) for pair in args))


def known_condition(g: Graph, node: Node) -> Node | None:
    """gamma(c, f(gamma(c, a, b)), d) = gamma(c, f(a), d), also for conditions that c implies"""
    condition, *arms = node.args
    result = []
    for arm, holds in zip(arms, (True, False), strict=True):
        nodes = few_inside(arm, LARGEST_ARM) or []
        known = implied(condition, holds, [each for each in nodes if each.type == "i1"])
        values = {each: truth(g, value) for each, value in known.items() if each.kind != "constant"}
        result.append(substitute(g, [arm], values)[0] if values else arm)
    return gamma(g, condition, *result, lazy=is_lazy(node))


def _count(node: Node) -> int:
    return len(node.args) + (node.constant != 0)


def _rest(g: Graph, powers: Factors, common: Factors, type_: str) -> Node:
    return product(g, [each for each in powers.items() if each[0] not in common], type_)


ARMS = (
    Rule("known condition", "gamma", known_condition, cheaper=True),
    Rule("common terms of arms", "gamma", common_terms, cheaper=True),
    Rule("common factors of arms", "gamma", common_factors, cheaper=True),
    Rule("common function of arms", "gamma", common_function, cheaper=True),
    *(
        Rule(f"same condition in a {kind}", kind, same_condition, cheaper=True)
        for kind in ("sum", "product", "function")
    ),
    *(Rule(f"{kind} into arms", kind, into_arms, cheaper=True) for kind in ("sum", "product", "function")),
)
