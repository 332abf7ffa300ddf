"""Sums of polynomials in the index (Faulhaber)."""

from __future__ import annotations

from collections.abc import Sequence

from tapeless.passes.phi.graph.contents import is_free_of
from tapeless.passes.phi.graph.elementary import cast
from tapeless.passes.phi.graph.graph import Graph
from tapeless.passes.phi.graph.nodes import Node
from tapeless.passes.phi.graph.numbers import HALF, ONE, ZERO, Number, is_integer, number, ratio
from tapeless.passes.phi.graph.products import monomial, multiply
from tapeless.passes.phi.graph.sums import linear

HIGHEST = 3


def sum_of_polynomial(g: Graph, term: Node, index: Node, steps: Node) -> Node | None:
    """The sum of a polynomial in k of degree 3 or less over 0 <= k < n; None for anything else."""
    found = coefficients(g, term, index)
    if found is None or not g.allows("reassoc"):
        return None
    many = cast(g, steps, term.type)
    sums = [(ONE, multiply(g, factor, _of_power(g, power, many))) for power, factor in enumerate(found) if factor]
    return linear(g, sums, ZERO, term.type)


def coefficients(g: Graph, term: Node, index: Node) -> Sequence[Node | None] | None:
    """A node as a polynomial in an index: one factor per power, each free of it."""
    found: list[list[tuple[Number, Node]]] = [[] for _ in range(HIGHEST + 1)]
    whole = term.kind == "sum"
    terms = zip(term.coefficients, term.args, strict=True) if whole else [(ONE, term)]
    for factor, each in terms:
        split = _power_of(g, each, index)
        if split is None:
            return None
        power, rest = split
        found[power].append((factor, rest))
    if whole and term.constant != 0:
        found[0].append((term.constant, g.constant(1, term.type)))
    return [linear(g, each, ZERO, term.type) if each else None for each in found]


def _power_of(g: Graph, term: Node, index: Node) -> tuple[int, Node] | None:
    """A term as a power of the index times something free of it."""
    factors = list(zip(term.args, term.exponents, strict=True)) if term.kind == "product" else [(term, ONE)]
    powers = [each for each in factors if each[0] is index or each[0] is cast(g, index, term.type)]
    rest = [each for each in factors if each not in powers]
    degree = sum((exponent for _, exponent in powers), start=ZERO)
    if not (is_integer(degree) and 0 <= degree <= HIGHEST) or any(not is_free_of(base, [index]) for base, _ in rest):
        return None
    return int(degree), monomial(g, rest, term.type)


def _of_power(g: Graph, power: int, many: Node) -> Node:
    """The sum of k^power over 0 <= k < n."""
    if power == 0:
        return many
    below = linear(g, [(ONE, many)], number(-1), many.type)
    half = linear(g, [(HALF, multiply(g, many, below))], ZERO, many.type)
    if power == 1:
        return half
    if power == 2:
        odd = linear(g, [(ratio(2, 3), many)], ratio(-1, 3), many.type)
        return multiply(g, half, odd)
    return multiply(g, half, half)
