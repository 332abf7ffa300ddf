"""Loops with several results, and their results one by one."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tapeless.passes.phi.graph.graph import Graph
from tapeless.passes.phi.graph.nodes import Body, Node

PARTS = "parts"  # the type of a loop with several results


def loop(g: Graph, name: str, args: Sequence[Node], *bodies: Body) -> Node:
    """A loop with several results."""
    return g.node("loop", PARTS, args, (name, *bodies))


def part(g: Graph, of: Node, place: int, type_: str) -> Node:
    """A result of a loop; what came in, where no step is done or the value does not change."""
    simple = PARTS_THAT_ARE_KNOWN.get(of.name)
    known = simple(g, of, place) if simple else None
    return g.node("part", type_, (of,), (place,)) if known is None else known


def carried(of: Node) -> tuple[Node, ...]:
    """What the values that a loop carries start from."""
    return of.args if of.name == "while" else of.args[1:]


def _unchanged(g: Graph, of: Node, place: int) -> Node | None:
    """Body results that are the value carried in its place; without steps all of them, and no step is done."""
    inits, body = carried(of), of.bodies[-1]
    if place == len(inits):
        return g.constant(0, "index") if _has_no_steps(of) else None
    first = len(body.parameters) - len(inits)
    return inits[place] if body.results[place] is body.parameters[first + place] or _has_no_steps(of) else None


def _has_no_steps(of: Node) -> bool:
    """Whether a loop is known not to run: it counts to nothing, or its condition never holds."""
    decides = of.args[0] if of.name == "iterate" else of.bodies[0].results[0]
    if decides.kind != "constant":
        return False
    return decides.constant <= 0 if of.name == "iterate" else decides.constant == 0


Known = Callable[[Graph, Node, int], "Node | None"]
PARTS_THAT_ARE_KNOWN: dict[str, Known] = {"iterate": _unchanged, "while": _unchanged}
