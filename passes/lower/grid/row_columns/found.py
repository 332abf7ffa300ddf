"""Which maps add rows to arrays, by loops over their elements of which each adds to its own column."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial, reduce

from tapeless._mlir import ir
from tapeless.passes.ir.scopes import is_defined_outside
from tapeless.passes.lower.loops.builder import Index
from tapeless.passes.lower.loops.maps import Map
from tapeless.passes.lower.loops.views import View
from tapeless.passes.lower.loops.work import cost
from tapeless.passes.lower.storage.aliasing import is_accumulator, is_array
from tapeless.passes.lower.storage.tree import Node

READS = frozenset({"tensor.extract", "tensor.dim", "tensor.extract_slice"})
# What an iteration does besides is repeated for every element of its rows.
MOST_REPEATED = 32


@dataclass(frozen=True)
class Columns:
    """The maps over elements of rows in the body of a map with accumulators, and how many elements rows have.

    Rows may be shorter than those of the sums, of which some elements then stay as they are.
    """

    opened: Map
    inner: list[Node]
    count: Index

    @property
    def reach(self) -> Index:
        """How many columns the sums have, of which the first `count` are added to."""
        arith = self.opened.emitter.builder.arith
        return reduce(partial(arith, "arith.maxsi"), [view.sizes[-1] for view in self.opened.sums])

    def run(self, number: ir.Value, column: ir.Value, sums: Sequence[View]) -> None:
        """What the iteration of this number adds in one column."""
        emitter = self.opened.emitter
        alone = dict.fromkeys(self.inner, column)
        emitter.alone |= alone
        emitter.forget(self.opened.node)
        self.opened.run(number, sums)
        for node in alone:
            del emitter.alone[node]


def columns_of(opened: Map, apart: Sequence[Node] = ()) -> Columns | None:
    """The columns of a map with accumulators, if all it does is to add rows of one length that is known before.

    What is set apart is not looked at.
    """
    node = opened.node
    if opened.targets:
        return None
    repeated = [each for each in _outside_of_rows(node.regions[0]) if each not in apart]
    inner = [each for each in repeated if each.name == "soac.map"]
    others = [each for each in repeated if each.name != "soac.map"]
    widths = {each.op.width for each in inner}
    if len(widths) != 1 or not is_defined_outside(inner[0].op.width, node.op.operation):
        return None
    if not all(map(_only_reads, others)) or sum(cost([each]) for each in others if not each.regions) > MOST_REPEATED:
        return None
    if not all(map(_adds_to_its_column, inner)):
        return None
    emitter = opened.emitter
    return Columns(opened, inner, emitter.builder.arith("arith.maxsi", emitter.index(inner[0].op.width), 0))


def dest_of(acc: ir.Value) -> ir.Value | None:
    """The array that a sum starts from."""
    holder = acc.owner.owner if isinstance(acc, ir.BlockArgument) else None
    return holder.operands[acc.arg_number] if holder is not None and holder.operation.name == "soac.with_acc" else None


def _outside_of_rows(nodes: Sequence[Node]) -> Iterator[Node]:
    """What is in a body and its branches, but not in operators; without terminators."""
    for node in nodes[:-1]:
        yield node
        if node.name == "scf.if":
            for region in node.regions:
                yield from _outside_of_rows(region)


def _only_reads(node: Node) -> bool:
    """Whether an operation computes numbers or reads arrays, and may run as often as one likes."""
    if node.name == "scf.if":
        return not any(is_array(value) and not is_accumulator(value) for value in node.results)
    if node.regions or (node.name.startswith("soac.") and node.name != "soac.fn"):
        return False
    return node.name in READS or not any(map(is_array, (*node.operands, *node.results)))


def _adds_to_its_column(inner: Node) -> bool:
    """Whether an inner map leaves no arrays and adds to nothing but elements whose last index is that of the map."""
    if len(inner.results) != len(inner.op.accs):
        return False
    index = inner.arguments()[0]
    statements = list(_outside_of_rows(inner.regions[0]))
    updates = [each for each in statements if each.name == "soac.update"]
    if not all(_only_reads(each) for each in statements if each.name != "soac.update"):
        return False
    return bool(updates) and all(
        len(each.op.indices) and each.op.indices[-1] == index and _is_number(each) for each in updates
    )


def _is_number(update: Node) -> bool:
    return len(update.op.indices) == update.op.acc.type.tensor.rank
