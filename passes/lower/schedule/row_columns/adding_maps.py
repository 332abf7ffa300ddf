"""Which maps add rows to arrays, by loops over their elements of which each adds to its own column."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tapeless.passes.ir.scopes import is_defined_outside
from tapeless.passes.lower.schedule.work import cost
from tapeless.passes.lower.storage.aliasing import is_accumulator, is_array
from tapeless.passes.lower.storage.tree import Node

READS = frozenset({"tensor.extract", "tensor.dim", "tensor.extract_slice"})
# What an iteration does besides is repeated for every element of its rows.
MOST_REPEATED = 32


def row_maps(node: Node, apart: Sequence[Node] = ()) -> list[Node]:
    """The maps over elements of rows in a map with accumulators that only adds rows of one length, known before it.

    What is set apart is not looked at.
    """
    if len(node.results) != len(node.op.accs):
        return []
    repeated = [each for each in outside_of_rows(node.regions[0]) if each not in apart]
    inner = [each for each in repeated if each.name == "soac.map"]
    others = [each for each in repeated if each.name != "soac.map"]
    widths = {each.op.width for each in inner}
    if len(widths) != 1 or not is_defined_outside(inner[0].op.width, node.op.operation):
        return []
    if not all(map(_only_reads, others)) or sum(cost([each]) for each in others if not each.regions) > MOST_REPEATED:
        return []
    return inner if all(map(_adds_to_its_column, inner)) else []


def outside_of_rows(nodes: Sequence[Node]) -> Iterator[Node]:
    """The operations in a body and its branches, but not in operators; without terminators."""
    for node in nodes[:-1]:
        yield node
        if node.name == "scf.if":
            for region in node.regions:
                yield from outside_of_rows(region)


def _only_reads(node: Node) -> bool:
    """Whether an operation computes numbers or reads arrays, and may run as often as one likes."""
    if node.name == "scf.if":
        return not any(is_array(value) and not is_accumulator(value) for value in node.results)
    if node.regions or (node.name.startswith("soac.") and node.name not in ("soac.fn", "soac.guard")):
        return False
    return node.name in READS or not any(map(is_array, (*node.operands, *node.results)))


def _adds_to_its_column(inner: Node) -> bool:
    """Whether an inner map leaves no arrays and adds to nothing but elements whose last index is that of the map."""
    if len(inner.results) != len(inner.op.accs):
        return False
    index = inner.arguments()[0]
    statements = list(outside_of_rows(inner.regions[0]))
    updates = [each for each in statements if each.name == "soac.update"]
    if not all(_only_reads(each) for each in statements if each.name != "soac.update"):
        return False
    return bool(updates) and all(
        len(each.op.indices) and each.op.indices[-1] == index and _is_number(each) for each in updates
    )


def _is_number(update: Node) -> bool:
    return len(update.op.indices) == update.op.acc.type.tensor.rank
