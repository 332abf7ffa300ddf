"""Expressions made simpler by all rules that their flags allow."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import field

from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.phi.cost import cost
from tapeless.passes.phi.factor.share import cheapest
from tapeless.passes.phi.graph.graph import Graph
from tapeless.passes.phi.graph.nodes import Node
from tapeless.passes.phi.graph.numbers import ONE, ZERO, plus
from tapeless.passes.phi.graph.walk import inside, substitute
from tapeless.passes.phi.simplify.branches.arms import ARMS
from tapeless.passes.phi.simplify.branches.told import facts_of_conditions
from tapeless.passes.phi.simplify.classes.always import ALWAYS
from tapeless.passes.phi.simplify.classes.cancelling import CANCELLING
from tapeless.passes.phi.simplify.classes.no_nans import NO_NANS
from tapeless.passes.phi.simplify.classes.reciprocals import ARCP, RECIPROCALS, one_divisor
from tapeless.passes.phi.simplify.classes.regrouping import MOST_TERMS, REASSOC, REGROUPING, distributed_over
from tapeless.passes.phi.simplify.classes.stable import STABLE
from tapeless.passes.phi.simplify.classes.unsigned_zeros import UNSIGNED_ZEROS
from tapeless.passes.phi.simplify.fixpoint import Fixpoint
from tapeless.passes.phi.simplify.functions.exponentials import EXPONENTIALS
from tapeless.passes.phi.simplify.functions.powers import POWERS
from tapeless.passes.phi.simplify.functions.sigmoids import SIGMOIDS
from tapeless.passes.phi.simplify.functions.trigonometric import TRIGONOMETRIC
from tapeless.passes.phi.simplify.match import Factors, factors, product
from tapeless.passes.phi.simplify.rule import Rule, Surroundings

JOINT = Rule("one divisor of all", "sum", one_divisor, ARCP, cheaper=True)


def over_one_divisor(g: Graph, roots: Sequence[Node]) -> list[Node] | None:
    """y / s - x * y / s**2 and x / s - x * y / s**2 over s**2; None where fewer than two are such sums."""
    found = [one_divisor(g, root) if root.kind == "sum" and root.is_float else None for root in roots]
    if sum(each is not None for each in found) < 2:
        return None
    return [root if each is None else each for root, each in zip(roots, found, strict=True)]


_S = (*ALWAYS, *ARMS)
_F = (*EXPONENTIALS, *POWERS, *SIGMOIDS, *TRIGONOMETRIC)
_IN_ARMS = (*_S, *UNSIGNED_ZEROS, *NO_NANS, *REGROUPING, *RECIPROCALS, *_F, *CANCELLING)
RULES: dict[str, tuple[Rule, ...]] = {
    "S": (*_S, facts_of_conditions(_IN_ARMS)),
    "Z": UNSIGNED_ZEROS,
    "N": NO_NANS,
    "R": REGROUPING,
    "A": RECIPROCALS,
    "F": _F,
    "D": CANCELLING,
    "St": STABLE,
}
PHASES = (("S", "Z", "N", "R"), ("S", "Z", "N", "R", "F", "D", "A"), ("St", "S"))


# Rounds in which sums take in factors, a bound of compile time: a guess that fits the programs.
MOST_ABSORBED = 16


@dataclass
class Simplified:
    """Expressions in simpler form, and how often which rule made them so."""

    roots: list[Node]
    fired: Counter[str] = field(default_factory=Counter)


def simplified(g: Graph, roots: Sequence[Node]) -> Simplified:
    """Applies the rules class after class; stable forms come last."""
    result = Simplified(list(roots))
    for place, phase in enumerate(PHASES):
        late = place == len(PHASES) - 1
        rules = [rule for rule in _rules(phase, late) if g.allows(*rule.flags)]
        result.roots = Fixpoint(g, rules, result.fired).improved(result.roots)
        if place == 1:
            _absorb(g, result, rules)
            _join_divisors(g, result, rules)
    return result


def _rules(phase: Sequence[str], late: bool) -> list[Rule]:
    """The rules of some classes; at the end, those of all classes that come late with them."""
    others = [name for name in RULES if name not in phase]
    return [rule for name in (*phase, *others) for rule in RULES[name] if (late if rule.late else name in phase)]


def _join_divisors(g: Graph, result: Simplified, rules: Sequence[Rule]) -> None:
    """Brings all sums over one divisor each, if that is cheaper."""
    roots = over_one_divisor(g, result.roots) if g.allows(*JOINT.flags) else None
    if roots is None:
        return
    fired: Counter[str] = Counter()
    roots = Fixpoint(g, rules, fired).improved(roots)
    if cost(cheapest(g, roots)) < cost(cheapest(g, result.roots)):
        result.roots = roots
        result.fired += fired
        result.fired[JOINT.name] += 1


def _absorb(g: Graph, result: Simplified, rules: Sequence[Rule]) -> None:
    """Takes factors into sums, and goes on with the rules, until there is nothing to take in."""
    for _ in range(MOST_ABSORBED if g.allows(*ABSORBED.flags) else 0):
        roots = absorbed(g, result.roots)
        if roots is None:
            return
        result.fired[ABSORBED.name] += 1
        result.roots = Fixpoint(g, rules, result.fired).improved(roots)


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
