"""The last steps on a derivative before it is written: stored values are used, common subexpressions are made once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from fractions import Fraction

from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.phi.differentiate.derivative import Derivative
from tapeless.passes.phi.factor.share import cheapest
from tapeless.passes.phi.graph.build import rebuilt
from tapeless.passes.phi.graph.contents import bodies_of
from tapeless.passes.phi.graph.graph import Graph
from tapeless.passes.phi.graph.nodes import Node
from tapeless.passes.phi.graph.numbers import HALF, Number, is_integer, number
from tapeless.passes.phi.graph.walk import inside, substitute, symbols
from tapeless.passes.phi.simplify.simplified import simplified


def of_known_powers(g: Graph, roots: Sequence[Node], known: Iterable[Node]) -> list[Node]:
    """The roots with powers that take a root or a division written as powers of known ones; needs `reassoc`, `arcp`.

    What comes out is not in normal form, which would put the powers together again.
    """
    powers: dict[Node, list[Node]] = {}
    for node in known:
        if node.kind == "product" and node.is_float and len(node.args) == 1:
            powers.setdefault(node.args[0], []).append(node)
    if not powers or not g.allows("reassoc", "arcp"):
        return list(roots)
    made: dict[Node, Node] = {}
    for node in inside(roots):
        args = [made[arg] for arg in node.args]
        if node.kind == "product" and node.is_float and not any(node in found for found in powers.values()):
            factors = [_factor(powers, *each) for each in zip(node.args, args, node.exponents, strict=True)]
            made[node] = g.node("product", node.type, (base for base, _ in factors), (exp for _, exp in factors))
        elif all(old is new for old, new in zip(node.args, args, strict=True)):
            made[node] = node
        else:
            made[node] = rebuilt(g, node, args, bodies_of(node)) if node.kind == "loop" else _again(g, node, args)
    return [made[root] for root in roots]


def _again(g: Graph, node: Node, args: Sequence[Node]) -> Node:
    return g.node(node.kind, node.type, args, node.data)


def _factor(powers: dict[Node, list[Node]], old: Node, base: Node, exponent: Number) -> tuple[Node, Number]:
    """A factor, by the known power of its base of which it is the smallest whole power."""
    found = [(number(Fraction(exponent) / Fraction(node.exponents[0])), node) for node in powers.get(old, ())]
    if not (is_integer(exponent) and exponent > 0):
        above = [(times, node) for times, node in found if is_integer(times) and times > 0]
        if above:
            times, node = min(above, key=lambda each: each[0])
            return node, times
    if not is_integer(exponent):
        for times, node in found:
            if node.exponents[0] == HALF and is_integer(times):
                return node, times
    return base, exponent


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
