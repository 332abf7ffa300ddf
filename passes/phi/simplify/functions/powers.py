"""Square roots and powers with real exponents."""

from __future__ import annotations

from tapeless.passes.phi.graph.elementary import function
from tapeless.passes.phi.graph.facts import has
from tapeless.passes.phi.graph.graph import Graph
from tapeless.passes.phi.graph.nodes import Node
from tapeless.passes.phi.graph.numbers import HALF, ONE, ZERO, Number, is_integer, plus, times
from tapeless.passes.phi.graph.products import raised
from tapeless.passes.phi.graph.sums import scaled_term
from tapeless.passes.phi.simplify.functions.exponentials import AFN
from tapeless.passes.phi.simplify.match import combined, factors, is_function, product
from tapeless.passes.phi.simplify.rule import Rule


def root_of_square(g: Graph, node: Node) -> Node | None:
    """sqrt(x**2 * y) = |x| * sqrt(y)"""
    result: list[tuple[Node, Number]] = []
    for base, exponent in zip(node.args, node.exponents, strict=True):
        result.extend([(base, exponent)] if is_integer(exponent) else _out_of_root(g, base, exponent))
    changed = len(result) != len(node.args) or any(a is not b for (a, _), b in zip(result, node.args, strict=False))
    return product(g, result, node.type) if changed else None


def _out_of_root(g: Graph, base: Node, exponent: Number) -> list[tuple[Node, Number]]:
    coefficient, inner = scaled_term(base)
    parts = factors(inner)
    even = {each: power for each, power in parts.items() if is_integer(power) and int(power) % 2 == 0}
    if not even or coefficient <= 0:
        return [(base, exponent)]
    outside = [(function(g, "abs", each), times(power, exponent)) for each, power in even.items()]
    left = [(each, power) for each, power in parts.items() if each not in even]
    under = combined(g, [(coefficient, product(g, left, base.type))], ZERO, base.type)
    return [*outside, *([] if under.kind == "constant" and under.constant == 1 else [(under, exponent)])]


def square_of_root(g: Graph, node: Node) -> Node | None:
    """sqrt(x)**2 = x for x that is not negative"""
    for base, exponent in zip(node.args, node.exponents, strict=True):
        if is_square_of_root(base, exponent) and (has(base.args[0], "nonneg") or g.allows("nnan")):
            rest = [each for each in zip(node.args, node.exponents, strict=True) if each[0] is not base]
            return product(g, [*rest, (base.args[0], times(exponent, HALF))], node.type)
    return None


def is_square_of_root(base: Node, exponent: Number) -> bool:
    """Whether a factor is an even power of a square root."""
    return base.kind == "product" and base.exponents == (HALF,) and is_integer(exponent) and int(exponent) % 2 == 0


def product_of_roots(g: Graph, node: Node) -> Node | None:
    """sqrt(a) * sqrt(b) = sqrt(a * b) for a and b that are not negative"""
    parts = factors(node)
    roots = [base for base, exponent in parts.items() if exponent == HALF and has(base, "nonneg")]
    if len(roots) < 2:
        return None
    under = product(g, [(base, ONE) for base in roots], node.type)
    return product(g, [*((base, e) for base, e in parts.items() if base not in roots), (under, HALF)], node.type)


def base_and_root(g: Graph, node: Node) -> Node | None:
    """x / sqrt(x) = sqrt(x)"""
    powers: dict[Node, list[Number]] = {}
    for base, exponent in zip(node.args, node.exponents, strict=True):
        powers.setdefault(base, []).append(exponent)
    for base, exponents in powers.items():
        if len(exponents) == 2 and sum(is_integer(each) for each in exponents) == 1:
            rest = [each for each in zip(node.args, node.exponents, strict=True) if each[0] is not base]
            return product(g, [*rest, (base, plus(*exponents))], node.type)
    return None


def product_of_powers(g: Graph, node: Node) -> Node | None:
    """pow(x, a) * pow(x, b) = pow(x, a + b) for x > 0"""
    parts = factors(node)
    for base in parts:
        if not is_function(base, "pow") or not has(base.args[0], "pos"):
            continue
        x = base.args[0]
        same = [each for each in parts if each is x or (is_function(each, "pow") and each.args[0] is x)]
        if len(same) > 1 or parts[base] != ONE:
            one = g.constant(ONE, node.type)
            exponent = combined(
                g, [(parts[each], one if each is x else each.args[1]) for each in same], ZERO, node.type
            )
            rest = [each for each in parts.items() if each[0] not in same]
            return product(g, [*rest, (_power(g, x, exponent), ONE)], node.type)
    return None


def power_of_power(g: Graph, node: Node) -> Node | None:
    """pow(pow(x, a), b) = pow(x, a * b) for x > 0"""
    if not is_function(node, "pow") or not is_function(node.args[0], "pow") or not has(node.args[0].args[0], "pos"):
        return None
    inner = node.args[0]
    return _power(g, inner.args[0], product(g, [(inner.args[1], ONE), (node.args[1], ONE)], node.type))


def _power(g: Graph, base: Node, exponent: Node) -> Node:
    return raised(g, base, exponent.constant) if exponent.kind == "constant" else function(g, "pow", base, exponent)


POWERS = (
    Rule("root of a square", "product", root_of_square, AFN),
    Rule("square of a root", "product", square_of_root, AFN, given="x not negative, or nnan"),
    Rule("product of roots", "product", product_of_roots, AFN, True, given="both not negative"),
    Rule("base and root", "product", base_and_root, AFN),
    Rule("product of powers", "product", product_of_powers, AFN, True, given="x positive"),
    Rule("power of a power", "function", power_of_power, AFN, given="x positive"),
)
