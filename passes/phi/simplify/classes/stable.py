"""Class St, the last: forms that keep more digits, or stay finite for larger arguments."""

from __future__ import annotations

from tapeless.passes.phi.graph.elementary import function
from tapeless.passes.phi.graph.facts import has
from tapeless.passes.phi.graph.graph import Graph
from tapeless.passes.phi.graph.nodes import Node
from tapeless.passes.phi.graph.numbers import HALF, MINUS_ONE, ONE, ZERO, Number, is_integer, number, plus, times
from tapeless.passes.phi.graph.sums import negate
from tapeless.passes.phi.simplify.functions.sigmoids import one_plus_exponential
from tapeless.passes.phi.simplify.match import (
    added,
    combined,
    factors,
    is_function,
    pairs,
    product,
    scaled,
    terms,
    without,
)
from tapeless.passes.phi.simplify.rule import Rule

STABLE_FLAG = frozenset({"stable"})
REGROUPED = frozenset({"stable", "reassoc"})
TWO = number(2)


def logarithm_of_one_plus(g: Graph, node: Node) -> Node | None:
    """log(1 + exp(x)) = softplus(x), log(1 + x) = log1p(x)"""
    if not is_function(node, "log") or node.args[0].kind != "sum" or node.args[0].constant != 1:
        return None
    u = one_plus_exponential(node.args[0])
    if u is not None:
        return function(g, "softplus", u)
    return function(g, "log1p", combined(g, terms(node.args[0]), ZERO, node.type))


def logarithm_of_sigmoid(g: Graph, node: Node) -> Node | None:
    """log(sigmoid(x)) = -softplus(-x)"""
    if not is_function(node, "log") or not is_function(node.args[0], "sigmoid"):
        return None
    return negate(g, function(g, "softplus", negate(g, node.args[0].args[0])))


def logarithm_of_exponentials(g: Graph, node: Node) -> Node | None:
    """log(exp(a) + exp(b)) = a + softplus(b - a); for more of them with the largest taken out"""
    if not is_function(node, "log") or node.args[0].kind != "sum" or node.args[0].constant != 0:
        return None
    parts = terms(node.args[0])
    if len(parts) < 2 or not all(factor == ONE and is_function(term, "exp") for factor, term in parts):
        return None
    arguments = [term.args[0] for _, term in parts]
    if len(arguments) == 2:
        a, b = arguments
        return combined(
            g,
            [(ONE, a), (ONE, function(g, "softplus", combined(g, [(ONE, b), (MINUS_ONE, a)], ZERO, node.type)))],
            ZERO,
            node.type,
        )
    largest = arguments[0]
    for each in arguments[1:]:
        largest = function(g, "max", largest, each)
    shifted = [
        (ONE, function(g, "exp", combined(g, [(ONE, u), (MINUS_ONE, largest)], ZERO, node.type))) for u in arguments
    ]
    return combined(
        g, [(ONE, largest), (ONE, function(g, "log", combined(g, shifted, ZERO, node.type)))], ZERO, node.type
    )


def two_sided_sigmoid(g: Graph, node: Node) -> Node | None:
    """exp(x) / (1 + exp(x)) = sigmoid(x); exp(x) / (1 + exp(x))**2 is even in x: with exp(-|x|) it stays finite"""
    parts = factors(node)
    for base, exponent in parts.items():
        u = one_plus_exponential(base)
        if u is None or not is_integer(exponent) or exponent >= 0 or is_function(u, "abs") or _is_minus_abs(u):
            continue
        exponential = base.args[0]
        above = parts.get(exponential, ZERO)
        if not is_integer(above) or above < ONE or above > -exponent:
            continue
        rest = [each for each in parts.items() if each[0] not in (base, exponential)]
        if (above, exponent) == (ONE, -TWO):
            small = function(g, "exp", negate(g, function(g, "abs", u)))
            divisor = combined(g, [(ONE, small)], ONE, node.type)
            return product(g, [*rest, (small, ONE), (divisor, -TWO)], node.type)
        sigmoid = function(g, "sigmoid", u)
        return product(g, [*rest, (sigmoid, above), (base, plus(exponent, above))], node.type)
    return None


def exponential_minus_one(g: Graph, node: Node) -> Node | None:
    """exp(x) - 1 = expm1(x)"""
    for place, (factor, term) in enumerate(terms(node)):
        if is_function(term, "exp") and factor == -added(node):
            changed = (factor, function(g, "expm1", term.args[0]))
            return combined(g, [*without(terms(node), place), changed], ZERO, node.type)
    return None


def one_minus_cosine(g: Graph, node: Node) -> Node | None:
    """1 - cos(x) = 2 * sin(x / 2)**2"""
    for place, (factor, term) in enumerate(terms(node)):
        if is_function(term, "cos") and factor == -added(node):
            half = function(g, "sin", scaled(g, HALF, term.args[0]))
            changed = (times(-factor, TWO), product(g, [(half, TWO)], node.type))
            return combined(g, [*without(terms(node), place), changed], ZERO, node.type)
    return None


def one_minus_tanh_squared(g: Graph, node: Node) -> Node | None:
    """1 - tanh(x)**2 = (1 - tanh(x)) * (1 + tanh(x))"""
    for place, (factor, term) in enumerate(terms(node)):
        root = _square(term)
        if root is not None and is_function(root, "tanh", "erf") and factor == -added(node):
            sides = [(combined(g, [(sign, root)], ONE, node.type), ONE) for sign in (ONE, MINUS_ONE)]
            changed = (added(node), product(g, sides, node.type))
            return combined(g, [*without(terms(node), place), changed], ZERO, node.type)
    return None


def difference_of_squares(g: Graph, node: Node) -> Node | None:
    """a**2 - b**2 = (a - b) * (a + b)"""
    parts = terms(node)
    if len(parts) != 2 or added(node) != 0 or parts[0][0] != -parts[1][0]:
        return None
    roots = [_square(term) for _, term in parts]
    if roots[0] is None or roots[1] is None:
        return None
    sides = [(combined(g, [(ONE, roots[0]), (sign, roots[1])], ZERO, node.type), ONE) for sign in (ONE, MINUS_ONE)]
    return scaled(g, parts[0][0], product(g, sides, node.type))


def difference_of_roots(g: Graph, node: Node) -> Node | None:
    """sqrt(a) - sqrt(b) = (a - b) / (sqrt(a) + sqrt(b)) where a or b is positive, and a - b is simpler than both"""
    parts: list[tuple[Number, Node | None, Node]] = [
        (factor, term.args[0], term)
        for factor, term in terms(node)
        if term.kind == "product" and term.exponents == (HALF,)
    ]
    if added(node) != 0:
        parts.append((added(node), None, g.constant(ONE, node.type)))
    for i, j in pairs(len(parts)):
        (first, a, root), (second, b, other) = parts[i], parts[j]
        if a is None or first <= 0 or second >= 0 or (b is not None and first != -second):
            continue
        if not (b is None or has(a, "pos") or has(b, "pos")):
            continue
        under = (-times(second, second), g.constant(ONE, node.type)) if b is None else (-times(first, first), b)
        above = combined(g, [(times(first, first), a), under], ZERO, node.type)
        if _length(above) >= _length(a) + (0 if b is None else _length(b)):
            continue
        below = combined(g, [(first, root), (-second, other)], ZERO, node.type)
        left = [each for each in terms(node) if each[1] not in (root, other)]
        quotient = product(g, [(above, ONE), (below, MINUS_ONE)], node.type)
        return combined(g, [*left, (ONE, quotient)], ZERO if b is None else added(node), node.type)
    return None


def _length(node: Node) -> int:
    return len(terms(node)) + (added(node) != 0)


def _square(term: Node) -> Node | None:
    return term.args[0] if term.kind == "product" and term.exponents == (TWO,) else None


def _is_minus_abs(node: Node) -> bool:
    parts = terms(node)
    return len(parts) == 1 and parts[0][0] < 0 and is_function(parts[0][1], "abs")


STABLE = (
    Rule("logarithm of one plus", "function", logarithm_of_one_plus, STABLE_FLAG, most=8),
    Rule("logarithm of a sigmoid", "function", logarithm_of_sigmoid, STABLE_FLAG),
    Rule("logarithm of exponentials", "function", logarithm_of_exponentials, REGROUPED, most=16),
    Rule("two-sided sigmoid", "product", two_sided_sigmoid, REGROUPED),
    Rule("exponential minus one", "sum", exponential_minus_one, STABLE_FLAG, most=8),
    Rule("one minus cosine", "sum", one_minus_cosine, REGROUPED, most=8),
    Rule("one minus a squared tanh", "sum", one_minus_tanh_squared, REGROUPED, most=4),
    Rule("difference of squares", "sum", difference_of_squares, REGROUPED, most=4),
    Rule("difference of roots", "sum", difference_of_roots, REGROUPED | {"nsz"}, most=8, given="a or b positive"),
)
