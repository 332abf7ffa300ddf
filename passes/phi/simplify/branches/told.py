"""Class S, facts from conditions: in the arm of x > 0, x is positive, and every rule may use it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from tapeless.passes.phi.graph.branches import gamma, is_lazy
from tapeless.passes.phi.graph.contents import few_inside
from tapeless.passes.phi.graph.graph import Graph
from tapeless.passes.phi.graph.nodes import Node
from tapeless.passes.phi.graph.numbers import is_integer
from tapeless.passes.phi.graph.walk import substitute
from tapeless.passes.phi.simplify.branches.assumed import facts_in_arm
from tapeless.passes.phi.simplify.fixpoint import Fixpoint
from tapeless.passes.phi.simplify.match import is_function
from tapeless.passes.phi.simplify.rule import Rule

LARGEST_ARM = 60
ASKING = ("abs", "exp", "log", "pow")


def facts_of_conditions(rules: Sequence[Rule]) -> Rule:
    """The rule that simplifies arms by other rules, with the facts that their condition implies."""

    def rewrite(g: Graph, node: Node) -> Node | None:
        """gamma(x > 0, |x|, 0) = gamma(x > 0, x, 0)"""
        condition, *arms = node.args
        allowed = [rule for rule in rules if g.allows(*rule.flags)]
        sides = zip(arms, (True, False), strict=True)
        changed = (_arm(g, arm, condition, holds, allowed) for arm, holds in sides)
        return gamma(g, condition, *changed, lazy=is_lazy(node))

    return Rule("facts of a condition", "gamma", rewrite, cheaper=True)


def _arm(g: Graph, arm: Node, condition: Node, holds: bool, rules: Sequence[Rule]) -> Node:
    """The arm with symbols that carry the facts for the values that have them, simplified, and turned back."""
    for value, facts in facts_in_arm(g, condition, holds):
        nodes = few_inside(arm, LARGEST_ARM) or []
        if value in nodes and any(map(_uses_facts, nodes)):
            told = g.symbol(("told", value.place, facts), value.type, facts)
            simpler = Fixpoint(g, rules, Counter()).improved(substitute(g, [arm], {value: told}))
            (arm,) = substitute(g, simpler, {told: value})
    return arm


def _uses_facts(node: Node) -> bool:
    """Whether some rule asks for the sign of a node's arguments: of quotients, roots and a few functions."""
    if node.kind == "product":
        return any(exponent < 0 or not is_integer(exponent) for exponent in node.exponents)
    return is_function(node, *ASKING)
