"""Class A: quotients with a common divisor."""

from __future__ import annotations

from tapeless.passes.phi.graph.facts import has
from tapeless.passes.phi.graph.graph import Graph
from tapeless.passes.phi.graph.nodes import Node
from tapeless.passes.phi.graph.numbers import HALF, MINUS_ONE, ONE, ZERO, Number, plus
from tapeless.passes.phi.graph.sums import scaled_term
from tapeless.passes.phi.simplify.classes.regrouping import MOST_TERMS
from tapeless.passes.phi.simplify.match import added, combined, factors, product, terms, without
from tapeless.passes.phi.simplify.rule import Rule

ARCP = frozenset({"arcp", "reassoc"})

Parts = list[tuple[Number, Node]]


def divisor_cancels(g: Graph, node: Node) -> Node | None:
    """a / (a + b) + b / (a + b) = 1; over a higher power of the divisor one is left"""
    parts = _expanded(g, node)
    for divisor, powers in _over_sums(parts).items():
        for power, over in sorted(powers.items()):
            numerator = combined(g, [(factor, _without(g, term, divisor)) for factor, term in over], ZERO, node.type)
            coefficient, inner = scaled_term(numerator)
            if inner is divisor and (power < MINUS_ONE or has(divisor, "nonzero") or g.allows("cancel")):
                beside = [each for each in parts if each not in over]
                quotient = product(g, [(divisor, plus(power, ONE))], node.type)
                return combined(g, [*beside, (coefficient, quotient)], added(node), node.type)
    return None


def one_divisor(g: Graph, node: Node) -> Node | None:
    """a / c + b / c = (a + b) / c; with a sum as divisor also 1 - x / (x + y) = y / (x + y)"""
    for divisor in _divisors(terms(node)):
        return _over(g, node, divisor)
    return None


def root_divided_out(g: Graph, node: Node) -> Node | None:
    """(a - sqrt(b)) / sqrt(b) = a / sqrt(b) - 1: the root is rounded, so no digits of the difference are lost by it"""
    parts = factors(node)
    for base, exponent in parts.items():
        if exponent != ONE or base.kind != "sum" or len(base.args) + (base.constant != 0) != 2:
            continue
        for place, (factor, term) in enumerate(terms(base)):
            under = term.args[0] if term.kind == "product" and term.exponents == (HALF,) else None
            if under is None or parts.get(under, ZERO) > -HALF:
                continue
            others = without(terms(base), place) or [(added(base), g.constant(ONE, node.type))]
            divided = [(each, product(g, [(other, ONE), (under, -HALF)], node.type)) for each, other in others]
            rest = [(each, power) for each, power in parts.items() if each not in (base, under)]
            left = (under, plus(parts[under], HALF))
            return product(g, [(combined(g, divided, factor, node.type), ONE), left, *rest], node.type)
    return None


def _expanded(g: Graph, node: Node) -> Parts:
    """The terms, products of sums that have quotients in them multiplied out."""
    result: Parts = []
    for factor, term in terms(node):
        inner = next((base for base, e in factors(term).items() if e == ONE and _has_quotients(base)), None)
        if inner is None:
            result.append((factor, term))
            continue
        rest = [each for each in factors(term).items() if each[0] is not inner]
        for other, part in [*terms(inner), *([(added(inner), None)] if added(inner) != 0 else [])]:
            whole = product(g, rest if part is None else [(part, ONE), *rest], node.type)
            coefficient, plain = scaled_term(whole)
            result.append((factor * other * coefficient, plain))
    return result


def _has_quotients(node: Node) -> bool:
    return node.kind == "sum" and len(node.args) <= MOST_TERMS and bool(_divisors(terms(node)))


def _over_sums(parts: Parts) -> dict[Node, dict[Number, Parts]]:
    """The terms over each sum, by its exponent."""
    found: dict[Node, dict[Number, Parts]] = {}
    for each in parts:
        for base, exponent in factors(each[1]).items():
            if exponent <= MINUS_ONE and base.kind == "sum" and base.is_float:
                found.setdefault(base, {}).setdefault(exponent, []).append(each)
    return found


def _divisors(parts: Parts) -> list[Node]:
    """The denominators of several terms, or sums that are the denominator of one."""
    found: dict[Node, int] = {}
    for _, term in parts:
        for base, exponent in factors(term).items():
            if exponent <= MINUS_ONE:
                found[base] = found.get(base, 0) + 1
    return [base for base, count in found.items() if base.is_float and (count > 1 or base.kind == "sum")]


def _over(g: Graph, node: Node, divisor: Node) -> Node | None:
    """All terms that have the divisor, over its largest power; a constant, too, if the divisor is a sum."""
    powers = [factors(term).get(divisor, ZERO) for _, term in terms(node)]
    largest = min(powers)
    above: Parts = []
    beside: Parts = []
    joins = divisor.kind == "sum" and len(divisor.args) <= MOST_TERMS
    for power, (factor, term) in zip(powers, terms(node), strict=True):
        if power <= MINUS_ONE and (power == largest or joins):
            above.append((factor, _times(g, _without(g, term, divisor), divisor, plus(power, -largest))))
        else:
            beside.append((factor, term))
    constant = added(node)
    if joins and constant != 0 and not beside:
        above.append((constant, _times(g, g.constant(ONE, node.type), divisor, -largest)))
        constant = ZERO
    numerator = combined(g, above, ZERO, node.type)
    quotient = product(g, [(numerator, ONE), (divisor, largest)], node.type)
    return combined(g, [*beside, (ONE, quotient)], constant, node.type)


def _without(g: Graph, term: Node, divisor: Node) -> Node:
    return product(g, [each for each in factors(term).items() if each[0] is not divisor], term.type)


def _times(g: Graph, node: Node, divisor: Node, power: Number) -> Node:
    """A term by the cofactor of its divisor in the largest power, multiplied out once."""
    if power == 0:
        return node
    if divisor.kind != "sum":
        return product(g, [(node, ONE), (divisor, power)], node.type)
    rest = [(node, ONE), (divisor, plus(power, MINUS_ONE))]
    expanded = [(factor, product(g, [(term, ONE), *rest], node.type)) for factor, term in terms(divisor)]
    if added(divisor) != 0:
        expanded.append((added(divisor), product(g, rest, node.type)))
    return combined(g, expanded, ZERO, node.type)


RECIPROCALS = (
    Rule("divisor cancels", "sum", divisor_cancels, ARCP, given="the divisor not zero, or it stays"),
    Rule("one divisor", "sum", one_divisor, ARCP, cheaper=True),
    Rule("root divided out", "product", root_divided_out, ARCP, most=1, late=True),
)
