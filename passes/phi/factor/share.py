"""Parts that several products have in common, made once: the last step before expressions become code.

Products are split into pairs of factors, the pair that occurs most often first; a base that stands below the line in
several of them is inverted once. What comes out is no longer in normal form: builders would multiply it out again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from tapeless.passes.phi.factor.common import factored
from tapeless.passes.phi.factor.pairs import Atom, Pairs, Parts
from tapeless.passes.phi.factor.signs import with_fewer_signs
from tapeless.passes.phi.graph.graph import Graph
from tapeless.passes.phi.graph.nodes import Body, Node
from tapeless.passes.phi.graph.numbers import HALF, MINUS_ONE, ONE, Number, is_integer, number, size
from tapeless.passes.phi.graph.walk import inside

LARGEST_EXPONENT = 64


def shared(g: Graph, roots: Sequence[Node]) -> list[Node]:
    """The roots with common parts of products made once; needs `reassoc` and `arcp`, without them nothing changes."""
    if not g.allows("reassoc", "arcp"):
        return list(roots)
    nodes = inside(roots)
    pairs = Pairs()
    for node in nodes:
        if _is_split(node):
            pairs.products[node] = _atoms(g, pairs, node)
    taken = _take_coefficients(g, nodes, roots, pairs)
    pairs.extract()
    return _Shared(g, pairs, taken).made(nodes, roots)


def _take_coefficients(g: Graph, nodes: Sequence[Node], roots: Sequence[Node], pairs: Pairs) -> set[tuple[Node, Node]]:
    """Makes coefficients factors of products whose users all have the same one, up to signs.

    Gives sums with the terms that have no coefficient now.
    """
    uses = Counter(arg for node in nodes for arg in node.args)
    uses.update(roots)
    users: dict[Node, list[tuple[Node, Number]]] = {}
    for node in nodes:
        if node.kind == "sum" and node.is_float:
            for factor, term in zip(node.coefficients, node.args, strict=True):
                if term in pairs.products:
                    users.setdefault(term, []).append((node, size(factor)))
    taken: set[tuple[Node, Node]] = set()
    for term, found in users.items():
        (_, common), *_ = found
        if len(found) == uses[term] and common not in (0, 1) and all(each == common for _, each in found):
            pairs.products[term][pairs.atom(g.constant(common, term.type), False)] += 1
            taken.update((node, term) for node, _ in found)
    return taken


def _is_split(node: Node) -> bool:
    """Products of floats to whole and half exponents; a square root alone is none."""
    if node.kind != "product" or not node.is_float or node.exponents == (HALF,):
        return False
    return all(is_integer(2 * each) and size(each) <= LARGEST_EXPONENT for each in node.exponents)


def _atoms(g: Graph, pairs: Pairs, node: Node) -> Parts:
    parts: Parts = Counter()
    for base, exponent in zip(node.args, node.exponents, strict=True):
        whole = int(size(exponent))
        if whole:
            parts[pairs.atom(base, exponent < 0)] += whole
        if not is_integer(exponent):
            root = g.node("product", base.type, (base,), (HALF,))
            parts[pairs.atom(root, exponent < 0)] += 1
    return parts


class _Shared:
    """Nodes rebuilt from shared parts."""

    def __init__(self, g: Graph, pairs: Pairs, taken: set[tuple[Node, Node]]):
        self._graph = g
        self._taken = taken
        self._products = pairs.products
        self._uses = pairs.uses()
        self._nodes: dict[Node, Node] = {}
        self._pairs: dict[tuple[Atom, Atom], Node] = {}

    def made(self, nodes: Sequence[Node], roots: Sequence[Node]) -> list[Node]:
        """The roots, all nodes below them made again in order."""
        for node in nodes:
            if node in self._products:
                self._nodes[node] = self._product(self._products[node], node.type)
            else:
                self._nodes[node] = self._again(node)
        return [self._nodes[root] for root in roots]

    def _again(self, node: Node) -> Node:
        g, args = self._graph, [self._nodes[arg] for arg in node.args]
        if node.kind == "sum":
            return self._sum(node, args)
        if node.kind != "loop":
            return g.node(node.kind, node.type, args, node.data)
        bodies = tuple(Body(body.level, body.parameters, tuple(shared(g, body.results))) for body in node.bodies)
        return g.node("loop", node.type, args, (node.name, *bodies))

    def _sum(self, node: Node, args: list[Node]) -> Node:
        signs = {True: ONE, False: MINUS_ONE}
        factors = [
            signs[factor > 0] if (node, term) in self._taken else factor
            for factor, term in zip(node.coefficients, node.args, strict=True)
        ]
        if factors == [ONE] and node.constant == 0:
            return args[0]
        return self._graph.node("sum", node.type, args, (*factors, node.constant))

    def _product(self, parts: Parts, type_: str) -> Node:
        """Numerator and denominator stay apart, also where they are the same."""
        exponents: dict[tuple[Node, Number], Number] = {}
        for atom, times in sorted(parts.items(), key=lambda each: each[0].order):
            node, sign = self._factor(atom)
            exponents[node, sign] = exponents.get((node, sign), number(0)) + sign * times
        if list(exponents.values()) == [ONE]:
            return next(iter(exponents))[0]
        return self._graph.node("product", type_, (node for node, _ in exponents), exponents.values())

    def _factor(self, atom: Atom) -> tuple[Node, Number]:
        """The node to multiply by, or to divide by where that happens only once."""
        above = self._above(atom)
        if not atom.below:
            return above, ONE
        if self._uses[atom] == 1:
            return above, MINUS_ONE
        return self._graph.node("product", above.type, (above,), (MINUS_ONE,)), ONE

    def _above(self, atom: Atom) -> Node:
        """The node of an atom, if it stood above the line."""
        if isinstance(atom.of, Node):
            return self._base(atom.of)
        found = self._pairs.get(atom.of)
        if found is None:
            found = self._pairs[atom.of] = self._product(Counter(atom.of), self._above(atom.of[0]).type)
        return found

    def _base(self, node: Node) -> Node:
        if node not in self._nodes:
            # A coefficient, or the root of a base below an odd half exponent, which the graph did not hold.
            self._nodes[node] = self._again(node)
        return self._nodes[node]


def cheapest(g: Graph, roots: Sequence[Node]) -> list[Node]:
    """The roots with common factors taken out, signs taken in, and common parts of products made once."""
    return shared(g, with_fewer_signs(g, factored(g, roots)))
