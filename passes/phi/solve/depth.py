"""How deep loops are nested whose steps are not known: the order of what expressions cost."""

from __future__ import annotations

from collections.abc import Iterable

from tapeless.passes.phi.cost import FEW_ROUNDS
from tapeless.passes.phi.graph.contents import bodies_of, dependent, inside
from tapeless.passes.phi.graph.nodes import Body, Node


def depth(roots: Iterable[Node]) -> int:
    """The largest number of loops around anything, where what does not change in a loop is outside of it."""
    return max((_of_loop(node) for node in inside(roots) if node.kind == "loop"), default=0)


def _of_loop(node: Node) -> int:
    own = int(node.name not in FEW_ROUNDS)
    return max((max(own + _varying(body), _fixed(body)) for body in bodies_of(node)), default=own)


def _varying(body: Body) -> int:
    """The depth of what changes in a body."""
    changing = dependent(body.results, body.parameters)
    return max((_of_loop(each) for each in changing if each.kind == "loop"), default=0)


def _fixed(body: Body) -> int:
    changing = dependent(body.results, body.parameters)
    fixed = [each for each in inside(body.results) if each.kind == "loop" and each not in changing]
    return max((_of_loop(each) for each in fixed), default=0)
