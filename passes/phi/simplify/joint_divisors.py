"""Class A over several expressions: each over one divisor, where only all of them together make that cheaper."""

from __future__ import annotations

from collections.abc import Sequence

from tapeless.passes.phi.graph.graph import Graph
from tapeless.passes.phi.graph.nodes import Node
from tapeless.passes.phi.simplify.classes.reciprocals import ARCP, one_divisor
from tapeless.passes.phi.simplify.rule import Rule

JOINT = Rule("one divisor of all", "sum", one_divisor, ARCP, cheaper=True)


def over_one_divisor(g: Graph, roots: Sequence[Node]) -> list[Node] | None:
    """y / s - x * y / s**2 and x / s - x * y / s**2 over s**2; None where fewer than two are such sums."""
    found = [one_divisor(g, root) if root.kind == "sum" and root.is_float else None for root in roots]
    if sum(each is not None for each in found) < 2:
        return None
    return [root if each is None else each for root, each in zip(roots, found, strict=True)]
