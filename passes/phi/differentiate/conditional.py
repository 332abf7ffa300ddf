"""Adjoints that are zero unless a branch was taken: they stay choices until they arrive.

Where a node is used only in arms of branches, what it is made of may be infinite when no such arm was taken. Zero times
that would be NaN, so the product goes into the arm.
"""

from __future__ import annotations

from collections.abc import Sequence

from tapeless.passes.phi.graph.branches import gamma, is_lazy
from tapeless.passes.phi.graph.graph import Graph
from tapeless.passes.phi.graph.nodes import Node
from tapeless.passes.phi.graph.products import multiply
from tapeless.passes.phi.graph.sums import total


def contributions(g: Graph, bars: Sequence[Node], type_: str) -> list[Node]:
    """The adjoint of a node as a sum of parts: one, unless all are choices, which are joined by their conditions."""
    if not all(_is_choice(bar) for bar in bars):
        return [total(g, bars, type_)]
    sides: dict[tuple[Node, bool], tuple[list[Node], list[Node]]] = {}
    for bar in bars:
        condition, then, otherwise = bar.args
        found = sides.setdefault((condition, is_lazy(bar)), ([], []))
        for side, arm in zip(found, (then, otherwise), strict=True):
            if not _is_zero(arm):
                side.append(arm)
    return [
        gamma(g, condition, *(total(g, side, type_) for side in pair), lazy=lazy)
        for (condition, lazy), pair in sides.items()
    ]


def times(g: Graph, bar: Node, partial: Node) -> Node:
    """An adjoint times a partial derivative; zero arms stay zero whatever the derivative is."""
    if _is_zero(bar):
        return bar
    if not _is_choice(bar):
        return multiply(g, bar, partial)
    condition, *arms = bar.args
    return gamma(g, condition, *(times(g, arm, partial) for arm in arms), lazy=is_lazy(bar))


def _is_zero(node: Node) -> bool:
    return node.kind == "constant" and node.constant == 0


def _is_choice(node: Node) -> bool:
    """Whether a node is a merge one of whose arms is zero."""
    return node.kind == "gamma" and any(_is_zero(arm) for arm in node.args[1:])
