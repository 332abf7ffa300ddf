"""Zero times a factor that many steps multiplied up.

A loop that multiplies zero by something in every step ends with zero. In closed form that is zero times a power, which
may be infinite where no step of the loop is.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from tapeless.passes.phi.graph.graph import Graph
from tapeless.passes.phi.graph.nodes import Node
from tapeless.passes.phi.graph.numbers import ZERO

POWERS = "affine_pow"


def is_growing(node: Node) -> bool:
    """Whether a node is a power, a geometric sum or a product of as many factors as a loop has steps."""
    if node.kind == "part":
        return node.args[0].kind == "loop" and node.args[0].name == POWERS
    return node.kind == "loop" and node.name == "prod" and node.is_float


def factor_of_steps(node: Node) -> Node | None:
    """The factor that every step multiplies by, if that is one value."""
    return node.args[0].args[1] if node.kind == "part" else None


def guarded(g: Graph, make: Callable[..., Node], grown: Node, rest: Node, factor: Node | None) -> Node:
    """The product of a grown factor and another one, and where that is zero the result of one step."""
    is_zero = g.node("compare", "i1", (rest, g.constant(ZERO, rest.type)), ("eq",))
    instead = rest if factor is None else make("mul", rest, factor)
    if factor is None:
        size = g.node("function", grown.type, (grown,), ("abs",))
        is_infinite = g.node("compare", "i1", (size, g.constant(math.inf, grown.type)), ("eq",))
        is_zero = g.node("logic", "i1", (is_zero, is_infinite), ("and",))
    return g.node("gamma", grown.type, (is_zero, instead, make("mul", rest, grown)))
