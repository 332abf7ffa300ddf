"""Class R over several products: a factor that all users of a sum have goes into the sum, where that is cheaper."""

from __future__ import annotations

from collections.abc import Sequence

from tapeless.passes.phi.graph.graph import Graph
from tapeless.passes.phi.graph.nodes import Node
from tapeless.passes.phi.graph.numbers import ONE, ZERO, plus
from tapeless.passes.phi.graph.walk import inside, substitute
from tapeless.passes.phi.simplify.classes.regrouping import MOST_TERMS, REASSOC, distributed_over
from tapeless.passes.phi.simplify.match import Factors, factors, product
from tapeless.passes.phi.simplify.rule import Rule, Surroundings

ABSORBED = Rule("factor into a sum", "product", lambda g, node: None, REASSOC, cheaper=True)


def absorbed(g: Graph, roots: Sequence[Node]) -> list[Node] | None:
    """x * a * (b + 1 / a) and y * a * (b + 1 / a) as x * c and y * c with c = a * b + 1; None without any."""
    nodes = inside(roots)
    users: dict[Node, list[Node]] = {}
    for node in nodes:
        for arg in node.args:
            users.setdefault(arg, []).append(node)
    around = Surroundings(roots)
    kept = set(roots)
    for node in nodes:
        if node.kind == "sum" and node.is_float and node not in kept and len(node.args) <= MOST_TERMS:
            common = _common(node, users.get(node, []))
            if common:
                inner = distributed_over(g, list(common.items()), node, node.type)
                if around.is_less(node, inner):
                    return _replaced(g, roots, node, inner, common, users[node])
    return None


def _common(node: Node, users: Sequence[Node]) -> Factors:
    """The factors that all users have, if they are products of the sum and of something else."""
    powers = [factors(user) for user in users]
    if not all(user.kind == "product" and each.get(node) == ONE for user, each in zip(users, powers, strict=True)):
        return {}
    common: Factors = {}
    for base, exponent in (powers[0] if powers else {}).items():
        if base is not node and all(each.get(base, ZERO) == exponent for each in powers):
            common[base] = exponent
    return common


def _replaced(
    g: Graph, roots: Sequence[Node], node: Node, inner: Node, common: Factors, users: Sequence[Node]
) -> list[Node]:
    values = {}
    for user in users:
        left = {base: plus(exponent, -common.get(base, ZERO)) for base, exponent in factors(user).items()}
        del left[node]
        values[user] = product(g, [*left.items(), (inner, ONE)], node.type)
    return substitute(g, roots, values)
