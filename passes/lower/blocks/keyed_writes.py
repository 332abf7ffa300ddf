"""Writes at places that are data, counted in the loops in whose iterations the places change."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from tapeless._mlir import ir
from tapeless.passes.ir.places.places import is_data
from tapeless.passes.lower.storage.tree import Node, Tree

HISTOGRAMS = frozenset({"soac.hist", "soac.fused_hist"})


def keyed_writes(tree: Tree, node: Node) -> Counter[Node]:
    """How many writes go to another place that is data in every iteration of an operator and of the loops in it.

    Sums over an inner loop into one place, or along a row, count once per iteration of the loop that chooses the place.
    """
    found = Counter({node: int(node.name in HISTOGRAMS)})
    for inner in _inside(node):
        if inner.name == "soac.update" and (loops := _choosing_loops(tree, inner)):
            found[max(loops, key=lambda loop: loop.position)] += 1
    return found


def _inside(node: Node) -> Iterator[Node]:
    for inner in (inner for region in node.regions for inner in region):
        yield inner
        yield from _inside(inner)


def _choosing_loops(tree: Tree, update: Node) -> list[Node]:
    """The loops whose iterations compute the places of an update that are data."""
    makers = [(place, tree.definition[place]) for place in update.operands[1:-1] if is_data(place)]
    return [_loop_around(maker if isinstance(place, ir.BlockArgument) else maker.parent) for place, maker in makers]


def _loop_around(node: Node | None) -> Node:
    while node is not None and node.parent is not None and not node.is_loop():
        node = node.parent
    assert node is not None, "a value is defined in a function"
    return node
