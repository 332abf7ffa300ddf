"""Loops that carry values: counted ones, those that run while a condition holds, and d = a * d^b."""

from __future__ import annotations

from collections.abc import Sequence

from tapeless.passes.phi.graph.graph import Graph
from tapeless.passes.phi.graph.loops.parts import loop, part
from tapeless.passes.phi.graph.nodes import Body, Node

INDEX, EXIT = "index", "i8"


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
