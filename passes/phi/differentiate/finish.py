"""The last steps on a derivative before it is written: what is there already is used, common parts are made once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace

from tapeless.passes.phi.differentiate.derivative import Derivative
from tapeless.passes.phi.differentiate.powers import of_known_powers
from tapeless.passes.phi.factor.cheapest import cheapest
from tapeless.passes.phi.graph.nodes import Node
from tapeless.passes.phi.graph.walk import inside, substitute, symbols
from tapeless.passes.phi.simplify.simplified import simplified

GIVEN = ("symbol", "constant")


@dataclass(frozen=True)
class Finished:
    """A derivative, the symbols in it that stand for nodes of the primal, by those nodes, and which rules fired."""

    derivative: Derivative
    saved: dict[Node, Node]
    fired: Counter[str]


def finished(derivative: Derivative, available: Iterable[Node]) -> Finished:
    """The derivative made of the nodes of the primal that are available, where it needs them."""
    g, available = derivative.graph, list(available)
    simpler = simplified(g, derivative.roots)
    images = (derivative.images.get(node) for node in available)
    simple = of_known_powers(g, simpler.roots, [image for image in images if image is not None])
    present = set(inside(simple))
    names: dict[Node, Node] = {}
    saved: dict[Node, Node] = {}
    for node in available:
        image = derivative.images.get(node)
        if image is not None and image in present and image.kind not in GIVEN and image not in names:
            names[image] = saved[node] = g.symbol(("saved", node.place), image.type)
    roots = substitute(g, simple, names)
    used = symbols(roots)
    return Finished(
        replace(derivative, roots=cheapest(g, roots)),
        {node: symbol for node, symbol in saved.items() if symbol in used},
        simpler.fired,
    )
