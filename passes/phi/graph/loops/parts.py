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
    known = simple(of, place) if simple else None
    return g.node("part", type_, (of,), (place,)) if known is None else known


def carried(of: Node) -> tuple[Node, ...]:
    """What the values that a loop carries start from."""
    return of.args if of.name == "while" else of.args[1:]


def _unchanged(of: Node, place: int) -> Node | None:
    """Body results that are the value carried in its place."""
    inits, body = carried(of), of.bodies[-1]
    first = len(body.parameters) - len(inits)
    if place < len(inits) and (body.results[place] is body.parameters[first + place] or _has_no_steps(of)):
        return inits[place]
    return None


def _has_no_steps(of: Node) -> bool:
    return of.name == "iterate" and of.args[0].kind == "constant" and of.args[0].constant <= 0


PARTS_THAT_ARE_KNOWN: dict[str, Callable[[Node, int], Node | None]] = {"iterate": _unchanged, "while": _unchanged}
