"""Broadcast of search results: numbers computed by the thread that finds a place, once for all columns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.dialects.soac.marks import IN_BOUNDS
from tapeless.passes.lower.schedule.kinds import can_trap, is_fused, is_scalar_op
from tapeless.passes.lower.schedule.row_columns.even import Rows, even_rows
from tapeless.passes.lower.storage.aliasing import is_array
from tapeless.passes.lower.storage.tree import Node, Tree

KEPT_TYPES = ("f32", "f64", "index", "i32", "i64")


@dataclass(frozen=True)
class Handed:
    """The numbers that are handed over, and the operations that need not be done again.

    Of the numbers, `places` are indices of rows of the sums, of which there are few. Rows of equal elements, which
    `even` maps add, are not left to others.
    """

    values: list[ir.Value]
    settled: list[Node]
    places: list[ir.Value]
    even: list[Node]


def handed_by(tree: Tree, loop: Node, nodes: Sequence[Node], rows: Rows) -> Handed | None:
    """The values of a loop's body that operators which find numbers hand on, if all of them can be kept in memory."""
    return _Handing(tree, loop, nodes, rows).result()


class _Handing:
    """The scalars of a body that are made of search results and of values that every thread knows."""

    def __init__(self, tree: Tree, loop: Node, nodes: Sequence[Node], rows: Rows) -> None:
        self.tree, self.loop, self.nodes, self.rows = tree, loop, nodes, rows
        self.even: list[Node] = []
        self.known = {value for each in nodes for value in each.results}
        self.settled: list[Node] = []

    def result(self) -> Handed | None:
        for node in _statements(self.loop.regions[0]):
            if _is_plain(node) and not self.known.isdisjoint(node.operands) and all(map(self._is_there, node.operands)):
                self.settled.append(node)
                self.known |= {*node.results}
        while unkept := [each for each in self.settled if not all(map(self._can_stay, each.results))]:
            self.settled = [each for each in self.settled if each not in unkept]
        self.even = even_rows(self.tree, self.loop, self.rows, self._is_there)
        made = [value for each in (*self.nodes, *self.settled) for value in each.results]
        values = [value for value in made if self._is_wanted(value)]
        places = [value for value in values if self._is_place(value)]
        return Handed(values, self.settled, places, self.even) if all(map(self._can_stay, values)) else None

    def _is_there(self, value: ir.Value) -> bool:
        """Whether a thread has a number before columns matter."""
        if value in self.known:
            return True
        maker = self.tree.definition.get(value)
        if maker is None or not self.loop.contains(maker):
            return True
        if maker is self.loop:
            return not is_array(value)
        return _is_plain(maker) and all(map(self._is_there, maker.operands))

    def _is_wanted(self, value: ir.Value) -> bool:
        """Whether something besides the search and settled values uses a number."""
        done = (*self.nodes, *self.settled, *self.even)
        return not all(any(each.contains(user) for each in done) for user in self.tree.uses[value])

    def _is_place(self, value: ir.Value) -> bool:
        """Whether something is added at a number that is known to be a place of the sum."""
        updates = [each for each in self.tree.uses[value] if each.name == "soac.update" and self.loop.contains(each)]
        return any(IN_BOUNDS in each.op.attributes and value in list(each.op.indices)[:-1] for each in updates)

    def _can_stay(self, value: ir.Value) -> bool:
        return str(value.type) in KEPT_TYPES or not self._is_wanted(value)


def _is_plain(node: Node) -> bool:
    return is_scalar_op(node) and not is_fused(node) and not can_trap(node.op)


def _statements(nodes: Sequence[Node]) -> Iterator[Node]:
    """The operations in a body and its branches, but not in operators."""
    for node in nodes:
        yield node
        if node.name == "scf.if":
            for region in node.regions:
                yield from _statements(region)
