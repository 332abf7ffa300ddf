"""Expressions as affine functions of some symbols, found from their structure alone."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence

from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.phi.graph.branches import gamma, is_lazy
from tapeless.passes.phi.graph.contents import dependent, inside, is_free_of
from tapeless.passes.phi.graph.graph import Graph
from tapeless.passes.phi.graph.loops.ranges import reduction
from tapeless.passes.phi.graph.nodes import Node
from tapeless.passes.phi.graph.numbers import ZERO
from tapeless.passes.phi.graph.products import monomial, multiply
from tapeless.passes.phi.graph.sums import linear
from tapeless.passes.phi.graph.walk import bind, opened


@dataclass(frozen=True)
class Affine:
    """Factor times symbol, summed up, plus the rest; zeros are left out."""

    factors: Mapping[Node, Node]
    rest: Node | None

    def map(self, change: Callable[[Node], Node]) -> Affine:
        """The same of other factors and another rest."""
        return Affine(
            {each: change(factor) for each, factor in self.factors.items()},
            None if self.rest is None else change(self.rest),
        )


def affine_in(g: Graph, node: Node, unknowns: Sequence[Node]) -> Affine | None:
    """A node as an affine function of symbols, or None where it is none (or is not seen to be one)."""
    found = _Found(unknowns, dependent([node], unknowns))
    found.update((each, Affine({each: g.constant(1, each.type)}, None)) for each in unknowns)
    for each in inside([node]):
        if each not in found:
            found[each] = _affine(g, each, found)
    return found[node]


class _Found(dict[Node, "Affine | None"]):
    """Nodes as affine functions, as far as they are known; and which nodes depend on the symbols at all."""

    def __init__(self, unknowns: Sequence[Node], changing: Collection[Node]):
        super().__init__()
        self.unknowns = unknowns
        self._changing = changing

    def is_free(self, node: Node) -> bool:
        """Whether none of the symbols occurs in a node."""
        return node not in self._changing


def _affine(g: Graph, node: Node, found: _Found) -> Affine | None:
    if found.is_free(node):
        is_zero = node.kind == "constant" and node.constant == 0
        return Affine({}, None if is_zero else node)
    rule = LOOP_RULES.get(node.name) if node.kind == "loop" else RULES.get(node.kind)
    return rule(g, node, found) if rule else None


def _of_sum(g: Graph, node: Node, found: _Found) -> Affine | None:
    parts = [found[arg] for arg in node.args]
    if any(each is None for each in parts):
        return None
    factors: dict[Node, list[tuple[object, Node]]] = {}
    rests: list[tuple[object, Node]] = []
    for coefficient, part in zip(node.coefficients, parts, strict=True):
        assert part is not None
        for each, factor in part.factors.items():
            factors.setdefault(each, []).append((coefficient, factor))
        if part.rest is not None:
            rests.append((coefficient, part.rest))
    summed = {each: linear(g, terms, ZERO, node.type) for each, terms in factors.items()}  # type: ignore[arg-type]
    if not rests and node.constant == 0:
        return Affine(summed, None)
    return Affine(summed, linear(g, rests, node.constant, node.type))  # type: ignore[arg-type]


def _of_product(g: Graph, node: Node, found: _Found) -> Affine | None:
    """One factor to the first power holds the symbols, the others do not."""
    places = [place for place, arg in enumerate(node.args) if not found.is_free(arg)]
    inner = found[node.args[places[0]]]
    if len(places) != 1 or node.exponents[places[0]] != 1 or inner is None:
        return None
    others = [each for place, each in enumerate(zip(node.args, node.exponents, strict=True)) if place != places[0]]
    product = monomial(g, others, node.type)
    return inner.map(lambda each: multiply(g, product, each))


def _of_gamma(g: Graph, node: Node, found: _Found) -> Affine | None:
    condition, then, otherwise = node.args[0], found[node.args[1]], found[node.args[2]]
    if not found.is_free(condition) or then is None or otherwise is None:
        return None
    zero = g.constant(0, node.type)
    factors = {
        each: gamma(g, condition, then.factors.get(each, zero), otherwise.factors.get(each, zero), lazy=is_lazy(node))
        for each in {**then.factors, **otherwise.factors}
    }
    if then.rest is None and otherwise.rest is None:
        return Affine(factors, None)
    return Affine(factors, gamma(g, condition, then.rest or zero, otherwise.rest or zero, lazy=is_lazy(node)))


def _of_range(g: Graph, node: Node, found: _Found) -> Affine | None:
    """A sum of affine terms is affine: its factors are sums, which are free of the symbols and leave their loop."""
    low, high = node.args
    if not (found.is_free(low) and found.is_free(high) and g.allows("reassoc")):
        return None
    index, (term,) = opened(g, node.bodies[0])
    inner = affine_in(g, term, found.unknowns)
    if inner is None:
        return None
    return inner.map(lambda each: without_factors(g, reduction(g, "sum", low, high, bind(g, index, [each]))))


def without_factors(g: Graph, node: Node) -> Node:
    """A sum over a range whose term is one product, with the factors that do not depend on the index taken out."""
    if node.kind != "loop" or node.name != "sum" or not g.allows("reassoc"):
        return node
    body = node.bodies[0]
    term = body.results[0]
    if term.kind != "product":
        return node
    factors = list(zip(term.args, term.exponents, strict=True))
    free = [each for each in factors if is_free_of(each[0], body.parameters)]
    if not free:
        return node
    varying = monomial(g, [each for each in factors if each not in free], term.type)
    inner = bind(g, body.parameters, [varying])
    return multiply(g, monomial(g, free, term.type), reduction(g, "sum", node.args[0], node.args[1], inner))


Rule = Callable[[Graph, Node, _Found], Affine | None]
RULES: dict[str, Rule] = {"sum": _of_sum, "product": _of_product, "gamma": _of_gamma}
LOOP_RULES: dict[str, Rule] = {"sum": _of_range}
