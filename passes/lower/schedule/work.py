"""How much work one iteration does, counted in operations: decides how many iterations make a block.

Blocks depend on the program and on sizes only, never on the number of threads, so that results do not either.
"""

from __future__ import annotations

from tapeless.passes.ir.guards import is_guarded_branch
from tapeless.passes.ir.sizes.sizes import constant_int
from tapeless.passes.lower.storage.tree import Node

WORK_PER_BLOCK = 32768
ASSUMED_WIDTH = 16
COSTLY = 12
CALL = 1024
# The most copies of results that blocks change.
MOST_COPIES = 64
# Steps per piece of a scan. Pieces a multiple of 4 KiB apart would make loads wait for stores with equal low addresses.
SMALLEST_PIECE = 2008


def cost(nodes: list[Node]) -> int:
    """Operations in a body; inner loops count with their width, or with a guess."""
    total = 0
    for node in nodes:
        inner = sum(cost(region) for region in usual_regions(node))
        if node.is_loop():
            inner *= _width(node)
        total += inner + own_cost(node)
    return total


def usual_regions(node: Node) -> list[list[Node]]:
    """The regions of an operation that count: the second way of a guarded branch hardly ever runs."""
    return node.regions[:1] if is_guarded_branch(node.op) else node.regions


def own_cost(node: Node) -> int:
    """What an operation costs without its regions; how deep the calls of a function go, nobody knows."""
    if node.name == "func.call":
        return CALL
    return COSTLY if node.name.startswith("math.") or node.name == "soac.fn" else 1


def _width(node: Node) -> int:
    if not node.name.startswith("soac."):
        return ASSUMED_WIDTH
    known = constant_int(node.operands[0])
    return ASSUMED_WIDTH if known is None else known


def smallest_block(node: Node) -> int:
    """The fewest iterations of a bulk operator that are worth a block of their own: a power of two."""
    each = max(sum(cost(region) for region in node.regions), 1)
    block = 1
    while block * each < WORK_PER_BLOCK:
        block *= 2
    return block
