"""Bodies of loops opened for differentiation: free values, and elements of arrays, as symbols."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.phi.differentiate.activity import taken
from tapeless.passes.phi.graph.contents import inside
from tapeless.passes.phi.graph.graph import Graph
from tapeless.passes.phi.graph.nodes import Body, Node
from tapeless.passes.phi.graph.walk import substitute


@dataclass(frozen=True)
class Opening:
    """A body's results as expressions of fresh symbols.

    `outer` are the symbols for what comes from outside and is active, with that; `elements` those for elements of
    active arrays at indices that change in the loop.
    """

    parameters: list[Node]
    results: list[Node]
    outer: dict[Node, Node]
    elements: dict[Node, Node]

    @property
    def inputs(self) -> list[Node]:
        """The symbols to differentiate in."""
        return [*self.outer, *self.elements]

    def closed(self, g: Graph, nodes: Sequence[Node]) -> list[Node]:
        """Substitutes the symbols of expressions."""
        return substitute(g, substitute(g, nodes, self.elements), self.outer)


def opening(g: Graph, body: Body, active: Collection[Node], *, elements: bool) -> Opening:
    """Opens a body; elements of active arrays are symbols, too, or are left as they are."""
    parameters = [g.fresh(each.type) for each in body.parameters]
    outer = {g.fresh(each.type): each for each in taken(body) if each in active}
    known = dict(zip(body.parameters, parameters, strict=True)) | {each: symbol for symbol, each in outer.items()}
    results = substitute(g, body.results, known)
    read = [each for each in inside(results) if each.kind == "element" and each.args[0] in outer] if elements else []
    named = {g.fresh(each.type): each for each in read}
    results = substitute(g, results, {each: symbol for symbol, each in named.items()})
    return Opening(parameters, results, outer, named)
