"""All loops of some expressions solved, the innermost first."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.phi.graph.build import rebuilt
from tapeless.passes.phi.graph.contents import bodies_of, inside
from tapeless.passes.phi.graph.graph import Graph
from tapeless.passes.phi.graph.loops.recurrences import INDEX, carried, part
from tapeless.passes.phi.graph.nodes import Body, Node
from tapeless.passes.phi.graph.walk import applied, bind, opened
from tapeless.passes.phi.solve.closed_forms.degrees import without_factors
from tapeless.passes.phi.solve.closed_forms.polynomials import sum_of_polynomial
from tapeless.passes.phi.solve.counted import Counted
from tapeless.passes.phi.solve.exits.conditional import values_at_end
from tapeless.passes.phi.solve.exits.exit_loops import Loop
from tapeless.passes.phi.solve.exits.steps import is_settled


@dataclass(frozen=True)
class Manner:
    """How loops are solved: whether they trust the exit test, and whether only step by step."""

    is_trusting: bool = False
    is_stepwise: bool = False


def solved(g: Graph, roots: Sequence[Node], *, is_trusting: bool = False, is_stepwise: bool = False) -> list[Node]:
    """The same values with closed forms for those loops that have one and that the flags of the graph allow.

    If it `is_trusting`, loops take no second look at what decides when they end. If it `is_stepwise`, loops have only
    forms that go through the values of every step, with all that no step changes taken out of them: what comes out is
    infinite only where the loop is.
    """
    return _solved(g, roots, Manner(is_trusting, is_stepwise))


def _solved(g: Graph, roots: Sequence[Node], manner: Manner) -> list[Node]:
    wanted: defaultdict[Node, list[int]] = defaultdict(list)
    nodes = inside(roots)
    for node in nodes:
        if node.kind == "part":
            wanted[node.args[0]].append(node.data[0])  # type: ignore[arg-type]
    made: dict[Node, Node] = {}
    exits: dict[Node, dict[int, Node]] = {}
    for node in nodes:
        args = [made[arg] for arg in node.args]
        if node.kind == "part" and node.args[0] in exits:
            made[node] = exits[node.args[0]][node.data[0]]  # type: ignore[index]
            continue
        bodies = tuple(_in_body(g, body, manner) for body in bodies_of(node))
        made[node] = again = rebuilt(g, node, args, bodies)
        if again.kind == "loop" and again.name in ("iterate", "while"):
            exits[node] = _exits(g, again, wanted[node], manner)
        elif again.kind == "loop" and again.name == "sum":
            made[node] = closed_sum(g, again)
    return [made[root] for root in roots]


def closed_sum(g: Graph, node: Node) -> Node:
    """A sum over a range: of a polynomial in its index, or without the factors that are the same in every term."""
    low, high = node.args
    (index,), (term,) = opened(g, node.bodies[0])
    if low.kind == "constant" and low.constant == 0:
        known = sum_of_polynomial(g, term, index, high)
        if known is not None:
            return known
    return without_factors(g, node)


def _in_body(g: Graph, body: Body, manner: Manner) -> Body:
    fresh, results = opened(g, body)
    return bind(g, fresh, _solved(g, results, manner))


def _exits(g: Graph, loop: Node, wanted: Sequence[int], manner: Manner) -> dict[int, Node]:
    inits = carried(loop)
    if is_settled(g, loop):
        types = [*(each.type for each in inits), INDEX]
        return {place: part(g, loop, place, types[place]) for place in wanted}
    fresh, following = opened(g, loop.bodies[-1])
    if loop.name == "iterate":
        return Counted(g, loop.args[0], inits, fresh[0], fresh[1:], following, manner.is_stepwise).solve(wanted)
    condition = applied(g, loop.bodies[0], fresh)[0]
    loop_ = Loop(g, inits, fresh, condition, following)
    return values_at_end(loop_, wanted, is_trusting=manner.is_trusting, is_stepwise=manner.is_stepwise)
