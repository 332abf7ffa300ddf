"""Loops that carry values: counted ones, those that run while a condition holds, and d = a * d^b."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tapeless.passes.phi.graph.graph import Graph
from tapeless.passes.phi.graph.nodes import Body, Node

PARTS = "parts"  # the type of a loop with several results


def loop(g: Graph, name: str, args: Sequence[Node], *bodies: Body) -> Node:
    """A loop with several results."""
    return g.node("loop", PARTS, args, (name, *bodies))


def part(g: Graph, of: Node, place: int, type_: str) -> Node:
    """A result of a loop; the initial value, where no step is done or the value does not change."""
    simple = PARTS_THAT_ARE_KNOWN.get(of.name)
    known = simple(g, of, place) if simple else None
    return g.node("part", type_, (of,), (place,)) if known is None else known


def carried(of: Node) -> tuple[Node, ...]:
    """The initial values of a loop."""
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


INDEX = "index"


def iterate(g: Graph, steps: Node, inits: Sequence[Node], body: Body) -> list[Node]:
    """The values after a number of steps; the body takes the step and the values, and gives the next values."""
    whole = loop(g, "iterate", (steps, *inits), body)
    return [part(g, whole, place, each.type) for place, each in enumerate(inits)]


def run_while(g: Graph, inits: Sequence[Node], condition: Body, body: Body) -> tuple[list[Node], Node]:
    """The values when the condition no longer holds, and how many steps were done."""
    whole = loop(g, "while", inits, condition, body)
    values = [part(g, whole, place, each.type) for place, each in enumerate(inits)]
    return values, part(g, whole, len(inits), INDEX)


def power_iteration(g: Graph, steps: Node, factor: Node, exponent: Node, first: Node) -> Node:
    """The value after n steps of d = a * d^b: a^((b^n - 1) / (b - 1)) * p^(b^n), and a^n * p for b = 1."""
    if steps.kind == "constant" and steps.constant <= 0:
        return first
    return g.node("loop", first.type, (steps, factor, exponent, first), ("pow_iter",))
