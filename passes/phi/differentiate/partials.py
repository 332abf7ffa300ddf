"""The partial derivatives of a node in its arguments; functions have theirs from the table of all methods."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from tapeless.passes.phi.differentiate.symbolic import Symbolic
from tapeless.passes.phi.graph.graph import Graph
from tapeless.passes.phi.graph.nodes import Node
from tapeless.passes.phi.graph.numbers import ONE, ZERO, Number, plus
from tapeless.passes.phi.graph.products import monomial
from tapeless.passes.phi.graph.sums import linear
from tapeless.passes.rules.arithmetic import ARITHMETIC, Rule
from tapeless.passes.rules.expr import is_number
from tapeless.passes.rules.functions import FUNCTIONS, SPECIAL_FUNCTIONS

# Which entry of the tables differentiates a function of `phi`, where the names differ.
OTHER_NAMES = {
    "abs": "math.absf",
    "pow": "math.powf",
    "max": "arith.maximumf",
    "min": "arith.minimumf",
    "maxnum": "arith.maxnumf",
    "minnum": "arith.minnumf",
    "rem": "arith.remf",
    "copysign": "math.copysign",
    "atan2": "math.atan2",
}
TABLE: dict[str, Rule] = {**ARITHMETIC, **FUNCTIONS, **SPECIAL_FUNCTIONS}

Partial = tuple[Node, Node]


def partials(g: Graph, node: Node) -> Iterator[Partial]:
    """Arguments that derivatives flow through, each with the partial derivative in it; none for constants."""
    return PARTIALS.get(node.kind, _none)(g, node)


def _none(g: Graph, node: Node) -> Iterator[Partial]:
    return iter(())


def _of_sum(g: Graph, node: Node) -> Iterator[Partial]:
    for factor, term in zip(node.coefficients, node.args, strict=True):
        if term.is_float:
            yield term, g.constant(factor, node.type)


def _of_product(g: Graph, node: Node) -> Iterator[Partial]:
    """One exponent less for the base, by prefix and suffix of the product: right also where a factor is zero."""
    for place, base in enumerate(node.args):
        if not base.is_float:
            continue
        exponent = node.exponents[place]
        factors = [*zip(node.args, node.exponents, strict=True)]
        factors[place] = (base, plus(exponent, -ONE))
        yield base, _scaled(g, exponent, [each for each in factors if each[1] != 0], node.type)


def _scaled(g: Graph, factor: Number, factors: list[tuple[Node, Number]], type_: str) -> Node:
    if len(factors) <= 2 or g.allows("reassoc"):
        return linear(g, [(factor, monomial(g, factors, type_))], ZERO, type_)
    product = monomial(g, factors[:1], type_)
    for each in factors[1:]:
        product = monomial(g, [(product, ONE), each], type_)
    return linear(g, [(factor, product)], ZERO, type_)


def _of_function(g: Graph, node: Node) -> Iterator[Partial]:
    if not any(arg.is_float for arg in node.args):
        return
    rule = TABLE.get(OTHER_NAMES.get(node.name, f"math.{node.name}")) or TABLE[node.name]
    slopes = rule(*(Symbolic(g, each) for each in (*node.args, node)))
    like = Symbolic(g, node)
    for arg, slope in zip(node.args, slopes, strict=True):
        if not is_number(slope, 0) and arg.is_float:
            yield arg, like.lift(slope)


def _of_barrier(g: Graph, node: Node) -> Iterator[Partial]:
    yield node.args[0], g.constant(ONE, node.type)


def _of_opaque(g: Graph, node: Node) -> Iterator[Partial]:
    """A call of each derivative that the operation names; one without is refused before it gets here."""
    _, *derivatives = node.data
    for arg, derivative in zip(node.args, derivatives, strict=True):
        if arg.is_float:
            yield arg, g.node("opaque", node.type, node.args, (derivative,))


PARTIALS: dict[str, Callable[[Graph, Node], Iterator[Partial]]] = {
    "sum": _of_sum,
    "product": _of_product,
    "function": _of_function,
    "barrier": _of_barrier,
    "opaque": _of_opaque,
}
