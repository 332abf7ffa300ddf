"""Parts that several products have in common, made once: the last step before expressions become code.

Products are split into pairs of factors, the pair that occurs most often first; a base that stands below the line in
several of them is inverted once. What comes out is no longer in normal form: builders would multiply it out again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from tapeless.passes.phi.factor.pairs import Atom, Pairs, Parts
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
    pairs = Pairs({node: _atoms(g, node) for node in nodes if _is_split(node)})
    pairs.extract()
    return _Shared(g, pairs).made(nodes, roots)


def _is_split(node: Node) -> bool:
    """Products of floats to whole and half exponents; a square root alone is none."""
    if node.kind != "product" or not node.is_float or node.exponents == (HALF,):
        return False
    return all(is_integer(2 * each) and size(each) <= LARGEST_EXPONENT for each in node.exponents)


def _atoms(g: Graph, node: Node) -> Parts:
    parts: Parts = Counter()
    for base, exponent in zip(node.args, node.exponents, strict=True):
        whole = int(size(exponent))
        if whole:
            parts[Atom(base, exponent < 0, base.place)] += whole
        if not is_integer(exponent):
            root = g.node("product", base.type, (base,), (HALF,))
            parts[Atom(root, exponent < 0, root.place)] += 1
    return parts


class _Shared:
    """Nodes made again of what is shared."""

    def __init__(self, g: Graph, pairs: Pairs):
        self._graph = g
        self._products = pairs.products
        self._uses = pairs.uses()
        self._nodes: dict[Node, Node] = {}
        self._atoms: dict[Atom, Node] = {}

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
        if node.kind != "loop":
            return g.node(node.kind, node.type, args, node.data)
        bodies = tuple(Body(body.level, body.parameters, tuple(shared(g, body.results))) for body in node.bodies)
        return g.node("loop", node.type, args, (node.name, *bodies))

    def _product(self, parts: Parts, type_: str) -> Node:
        exponents: dict[Node, Number] = {}
        for atom, times in sorted(parts.items(), key=lambda each: each[0].order):
            node, sign = self._factor(atom)
            exponents[node] = exponents.get(node, number(0)) + sign * times
        exponents = {node: each for node, each in exponents.items() if each != 0}
        if list(exponents.values()) == [ONE]:
            return next(iter(exponents))
        return self._graph.node("product", type_, exponents.keys(), exponents.values())

    def _factor(self, atom: Atom) -> tuple[Node, Number]:
        """The node to multiply by, or to divide by where that happens only once."""
        above = self._above(Atom(atom.of, False, atom.order))
        if not atom.below:
            return above, ONE
        if self._uses[atom] == 1:
            return above, MINUS_ONE
        return self._graph.node("product", above.type, (above,), (MINUS_ONE,)), ONE

    def _above(self, atom: Atom) -> Node:
        found = self._atoms.get(atom)
        if found is None:
            if isinstance(atom.of, Node):
                found = self._base(atom.of)
            else:
                parts = Counter(atom.of)
                found = self._product(parts, self._above(_plain(atom.of[0])).type)
            self._atoms[atom] = found
        return found

    def _base(self, node: Node) -> Node:
        if node not in self._nodes:
            # The root of a base below an odd half exponent, which the graph did not hold.
            self._nodes[node] = self._again(node)
        return self._nodes[node]


def _plain(atom: Atom) -> Atom:
    return Atom(atom.of, False, atom.order)
