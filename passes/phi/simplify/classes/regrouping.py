"""Class R: sums and products grouped in another way. Flattening and like terms are done by the builders."""

from __future__ import annotations

import math
from fractions import Fraction

from tapeless.passes.phi.graph.graph import Graph
from tapeless.passes.phi.graph.nodes import Node
from tapeless.passes.phi.graph.numbers import HALF, ONE, ZERO, Number, is_integer, number, size, times
from tapeless.passes.phi.graph.products import raised
from tapeless.passes.phi.simplify.match import (
    Factors,
    added,
    combined,
    factors,
    is_function,
    pairs,
    product,
    terms,
    without,
)
from tapeless.passes.phi.simplify.rule import Rule

REASSOC = frozenset({"reassoc"})
MOST_TERMS = 6
# A power by multiplications is off by half a unit in the last place for each of them.
LARGEST_POWER = 8


def distributed(g: Graph, node: Node) -> Node | None:
    """a * (b + c) = a * b + a * c, where something folds or cancels"""
    parts = factors(node)
    for base, exponent in parts.items():
        if base.kind == "sum" and exponent == ONE and len(base.args) <= MOST_TERMS:
            rest = [each for each in parts.items() if each[0] is not base]
            return distributed_over(g, rest, base, node.type)
    return None


def distributed_term(g: Graph, node: Node) -> Node | None:
    """a * (b + c) - a * b = a * c"""
    parts = terms(node)
    expanded = []
    for factor, term in parts:
        inner = _sum_in(term)
        if inner is None or len(parts) > MOST_TERMS:
            expanded.append((factor, term))
            continue
        rest = [each for each in factors(term).items() if each[0] is not inner]
        expanded.append((factor, distributed_over(g, rest, inner, node.type)))
    return combined(g, expanded, added(node), node.type) if expanded != parts else None


def perfect_square(g: Graph, node: Node) -> Node | None:
    """a**2 + 2 * a * b + b**2 = (a + b)**2"""
    parts = terms(node)
    squares = [(place, factor, root) for place, (factor, term) in enumerate(parts) if (root := _square_root(g, term))]
    candidates = [*squares, (None, node.constant, g.constant(ONE, node.type))]
    for i, j in pairs(len(candidates)):
        (first, p, a), (second, q, b) = candidates[i], candidates[j]
        if first is None or (second is not None and second < first) or p * q <= 0:
            continue
        both, mixed = _exact_root(p * q), product(g, [(a, ONE), (b, ONE)], node.type)
        for k, (factor, term) in enumerate(parts):
            if both is None or k in (first, second) or size(factor) != 2 * both or term is not mixed:
                continue
            ratio = Fraction(factor) / (2 * Fraction(p))
            square = raised(g, combined(g, [(ONE, a), (number(ratio), b)], ZERO, node.type), number(2))
            left = without(parts, k, first, *([] if second is None else [second]))
            return combined(g, [*left, (p, square)], node.constant if second is not None else ZERO, node.type)
    return None


def power_by_multiplying(g: Graph, node: Node) -> Node | None:
    """pow(x, 3) = x * x * x"""
    if not is_function(node, "pow") or node.args[1].kind != "constant":
        return None
    base, exponent = node.args[0], node.args[1].constant
    # Powers of a root are half as large powers of what is under it.
    roots = size(base.exponents[0]) if base.kind == "product" and len(base.args) == 1 else ONE
    reached = times(size(exponent), roots) if roots < 1 else size(exponent)
    return raised(g, base, exponent) if is_integer(exponent) and reached <= LARGEST_POWER else None


def distributed_over(g: Graph, rest: list[tuple[Node, Number]], inner: Node, type_: str) -> Node:
    """A sum times factors, multiplied out."""
    expanded = [(factor, product(g, [(term, ONE), *rest], type_)) for factor, term in terms(inner)]
    if added(inner) != 0:
        expanded.append((added(inner), product(g, rest, type_)))
    return combined(g, expanded, ZERO, type_)


def _sum_in(term: Node) -> Node | None:
    parts: Factors = factors(term)
    for base, exponent in parts.items():
        if base.kind == "sum" and exponent == ONE and len(base.args) <= MOST_TERMS:
            return base
    return None


def _square_root(g: Graph, term: Node) -> Node | None:
    """The square root of a term, without signs."""
    parts = factors(term)
    if term.kind != "product" or not parts or any(exponent % 2 != 0 for exponent in parts.values()):
        return None
    return product(g, [(base, times(exponent, HALF)) for base, exponent in parts.items()], term.type)


def _exact_root(value: Number) -> Fraction | None:
    if isinstance(value, float):
        return None
    top, bottom = math.isqrt(value.numerator), math.isqrt(value.denominator)
    return Fraction(top, bottom) if top * top == value.numerator and bottom * bottom == value.denominator else None


REGROUPING = (
    Rule("distributed", "product", distributed, REASSOC, cheaper=True),
    Rule("distributed term", "sum", distributed_term, REASSOC, cheaper=True),
    Rule("perfect square", "sum", perfect_square, REASSOC, cheaper=True),
    Rule("power by multiplying", "function", power_by_multiplying, REASSOC),
)
