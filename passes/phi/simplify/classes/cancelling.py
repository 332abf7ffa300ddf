"""Class D: rules that remove a point where a result is not defined; only with `cancel`."""

from __future__ import annotations

from fractions import Fraction

from tapeless.passes.phi.graph.elementary import function
from tapeless.passes.phi.graph.graph import Graph
from tapeless.passes.phi.graph.nodes import Node
from tapeless.passes.phi.graph.numbers import (
    HALF,
    MINUS_ONE,
    ONE,
    ZERO,
    Number,
    is_exact,
    is_integer,
    number,
    plus,
    times,
)
from tapeless.passes.phi.graph.products import raised
from tapeless.passes.phi.graph.sums import scaled_term
from tapeless.passes.phi.simplify.functions.powers import is_square_of_root
from tapeless.passes.phi.simplify.match import added, combined, factors, is_function, product, terms
from tapeless.passes.phi.simplify.rule import Rule

CANCEL = frozenset({"cancel", "reassoc"})
LARGEST_DEGREE = 16

Polynomial = list[Fraction]


def quotient_of_polynomials(g: Graph, node: Node) -> Node | None:
    """(x**2 - 1) / (x - 1) = x + 1"""
    parts = factors(node)
    for below, exponent in parts.items():
        for above, other in parts.items():
            if exponent > MINUS_ONE or other < ONE or below.kind != "sum" or above.kind != "sum":
                continue
            found = _divided(g, above, below)
            if found is not None:
                left = {**parts, above: plus(other, MINUS_ONE), below: plus(exponent, ONE)}
                return product(g, [*left.items(), (found, ONE)], node.type)
    return None


def square_of_root(g: Graph, node: Node) -> Node | None:
    """sqrt(x)**2 = x, also where x may be negative"""
    for base, exponent in zip(node.args, node.exponents, strict=True):
        if is_square_of_root(base, exponent):
            rest = [each for each in zip(node.args, node.exponents, strict=True) if each[0] is not base]
            return product(g, [*rest, (base.args[0], times(exponent, HALF))], node.type)
    return None


def logarithm_of_quotient(g: Graph, node: Node) -> Node | None:
    """log(a / b) = log(a) - log(b), also where both may be negative"""
    if not is_function(node, "log") or scaled_term(node.args[0])[0] != 1:
        return None
    parts = factors(node.args[0])
    if len(parts) < 2:
        return None
    return combined(g, [(e, function(g, "log", base)) for base, e in parts.items()], ZERO, node.type)


def _divided(g: Graph, above: Node, below: Node) -> Node | None:
    """The quotient of two polynomials in the same value, if nothing is left over."""
    for x in sorted(_bases(below) & _bases(above), key=lambda each: each.place):
        top, bottom = _polynomial(above, x), _polynomial(below, x)
        if top is None or bottom is None or len(bottom) < 2:
            continue
        quotient, left = _long_division(top, bottom)
        if quotient and not any(left):
            powers = [(number(factor), raised(g, x, number(degree))) for degree, factor in enumerate(quotient)]
            return combined(g, [each for each in powers if each[0] != 0], ZERO, above.type)
    return None


def _bases(node: Node) -> set[Node]:
    return {base for _, term in terms(node) for base in factors(term)}


def _polynomial(node: Node, x: Node) -> Polynomial | None:
    """Coefficients by degree, if a sum is a polynomial in x with exact coefficients."""
    found: dict[int, Number] = {0: added(node)}
    for factor, term in terms(node):
        power = factors(term).get(x, ZERO)
        if set(factors(term)) != {x} or not is_integer(power) or not 0 < power <= LARGEST_DEGREE:
            return None
        found[int(power)] = factor
    if not all(is_exact(each) for each in found.values()):
        return None
    return [Fraction(found.get(degree, 0)) for degree in range(max(found) + 1)]


def _long_division(top: Polynomial, bottom: Polynomial) -> tuple[Polynomial, Polynomial]:
    left = list(top)
    quotient = [Fraction(0)] * max(0, len(top) - len(bottom) + 1)
    for place in reversed(range(len(quotient))):
        quotient[place] = left[place + len(bottom) - 1] / bottom[-1]
        for degree, factor in enumerate(bottom):
            left[place + degree] -= quotient[place] * factor
    return quotient, left


CANCELLING = (
    Rule("quotient of polynomials", "product", quotient_of_polynomials, CANCEL),
    Rule("square of a root of any sign", "product", square_of_root, CANCEL),
    Rule("logarithm of a quotient", "function", logarithm_of_quotient, CANCEL, cheaper=True),
)
