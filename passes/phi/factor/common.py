"""Common factors of sums of products, taken out one at a time; for polynomials in one value that is Horner's rule."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from tapeless.passes.phi.graph.build import rebuilt
from tapeless.passes.phi.graph.graph import Graph
from tapeless.passes.phi.graph.nodes import Body, Node
from tapeless.passes.phi.graph.numbers import MINUS_ONE, ONE, ZERO, Number, plus, size
from tapeless.passes.phi.graph.products import Factor, monomial
from tapeless.passes.phi.graph.sums import linear, scaled_term
from tapeless.passes.phi.graph.walk import inside

# Bounds of compile time, guesses that fit the programs: factors that are compared, and steps that take one out.
MOST_SYMBOLS = 64
MOST_STEPS = 8

Term = tuple[Number, dict[Node, Number]]


def factored(g: Graph, roots: Sequence[Node]) -> list[Node]:
    """The roots with sums of products factored where that removes operations; needs `reassoc`."""
    if not g.allows("reassoc"):
        return list(roots)
    nodes = inside(roots)
    uses = Counter(arg for node in nodes for arg in node.args)
    uses.update(roots)
    made: dict[Node, Node] = {}
    for node in nodes:
        bodies = tuple(Body(body.level, body.parameters, tuple(factored(g, body.results))) for body in _bodies(node))
        again = rebuilt(g, node, [made[arg] for arg in node.args], bodies)
        kept = {made[arg] for arg in node.args if uses[arg] > 1}
        is_sum = again.kind == "sum" and again.is_float
        made[node] = _factored_sum(g, again, kept, MOST_STEPS) if is_sum else again
    return [made[root] for root in roots]


def _bodies(node: Node) -> tuple[Body, ...]:
    return node.bodies if node.kind == "loop" else ()


def _factored_sum(g: Graph, node: Node, kept: set[Node], steps: int) -> Node:
    """Takes out the factor that removes most, then goes on inside and with the remaining terms.

    Products in `kept` are needed for something else: they are not taken apart.
    """
    if steps == 0 or node.kind != "sum":
        return node
    coefficient, scaled = scaled_term(node)
    if scaled is not node:
        inner = _factored_sum(g, scaled, kept, steps)
        return linear(g, [(coefficient, inner)], ZERO, node.type)
    terms = [(factor, _powers(term, kept)) for factor, term in zip(node.coefficients, node.args, strict=True)]
    if node.constant != 0:
        terms.append((node.constant, {}))
    found = _best(terms)
    if found is None:
        return _common_coefficient(g, node)
    base, exponent = found
    inner_terms: list[Term] = []
    rest: list[Term] = []
    for factor, powers in terms:
        if _has(powers, base, exponent):
            inner_terms.append((factor, {**powers, base: plus(powers[base], -exponent)}))
        else:
            rest.append((factor, powers))
    inside_, left = (_factored_sum(g, _sum(g, each, node.type), kept, steps - 1) for each in (inner_terms, rest))
    product = monomial(g, [(base, exponent), (inside_, ONE)], node.type)
    return linear(g, [(ONE, product), (ONE, left)], ZERO, node.type)


def _common_coefficient(g: Graph, node: Node) -> Node:
    """One multiplication for terms whose coefficients are equal up to signs: the coefficient of most of them."""
    sizes = Counter(size(factor) for factor in (*node.coefficients, node.constant))
    common, count = max(
        ((each, times) for each, times in sizes.items() if each not in (0, 1)), default=(ONE, 0), key=_count
    )
    if count < 2:
        return node
    if sum(each == -common for each in (*node.coefficients, node.constant)) * 2 > count:
        common = -common
    same: list[tuple[Number, Node]] = []
    rest: list[tuple[Number, Node]] = []
    for factor, term in zip(node.coefficients, node.args, strict=True):
        if size(factor) == size(common):
            same.append((ONE if factor == common else MINUS_ONE, term))
        else:
            rest.append((factor, term))
    inner = ZERO
    if size(node.constant) == size(common):
        inner = ONE if node.constant == common else MINUS_ONE
    units = linear(g, same, inner, node.type)
    # As it is: the builder would multiply powers of two out again.
    scaled = g.node("sum", node.type, (units,), (common, ZERO))
    if not rest and (inner != 0 or node.constant == 0):
        return scaled
    constant = ZERO if inner != 0 else node.constant
    return g.node("sum", node.type, (*(term for _, term in rest), units), (*(f for f, _ in rest), common, constant))


def _count(each: tuple[Number, int]) -> int:
    return each[1]


def _powers(term: Node, kept: set[Node]) -> dict[Node, Number]:
    if term.kind != "product" or term in kept or len(set(term.args)) < len(term.args):
        return {term: ONE}
    return dict(zip(term.args, term.exponents, strict=True))


def _sum(g: Graph, terms: list[Term], type_: str) -> Node:
    products = (
        (factor, monomial(g, [each for each in powers.items() if each[1] != 0], type_)) for factor, powers in terms
    )
    return linear(g, products, ZERO, type_)


def _has(powers: dict[Node, Number], base: Node, exponent: Number) -> bool:
    """Whether base to the exponent can be taken out: the quotient has no exponent of the other sign."""
    found = powers.get(base, ZERO)
    return found >= exponent if exponent > 0 else found <= exponent


def _best(terms: list[Term]) -> Factor | None:
    """The factor whose removal saves most multiplications, if it saves any."""
    bases = {base for _, powers in terms for base in powers}
    if len(bases) > MOST_SYMBOLS:
        return None
    candidates = []
    for base in bases:
        exponents = [powers[base] for _, powers in terms if base in powers]
        for side in ([each for each in exponents if each > 0], [each for each in exponents if each < 0]):
            if len(side) > 1:
                exponent = min(side, key=size)
                candidates.append((_saved(terms, base, exponent), -base.place, exponent))
    places = {-base.place: base for base in bases}
    best = max(candidates, default=None, key=lambda each: each[:2])
    return None if best is None or best[0] <= 0 else (places[best[1]], best[2])


def _saved(terms: list[Term], base: Node, exponent: Number) -> int:
    """A multiplication for each term that has the factor, less the one that stays; none for the factor alone."""
    having = [(factor, powers) for factor, powers in terms if _has(powers, base, exponent)]
    alone = sum(powers == {base: exponent} and size(factor) == 1 for factor, powers in having)
    return len(having) - 1 - alone
