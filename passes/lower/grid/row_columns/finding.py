"""Iterations that look for the place to which they add a row, and what they hand from the one to the other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tapeless._mlir import ir
from tapeless.passes.lower.grid.row_columns.found import Columns, columns_of
from tapeless.passes.lower.loops.builder import Index
from tapeless.passes.lower.loops.bulk import bind_elements
from tapeless.passes.lower.loops.maps import Map
from tapeless.passes.lower.loops.views import Along, Fixed, View
from tapeless.passes.lower.schedule.kinds import OPERATORS
from tapeless.passes.lower.storage.aliasing import is_array
from tapeless.passes.lower.storage.tree import Node

KEPT_TYPES = ("f32", "f64", "index", "i32", "i64")


@dataclass(frozen=True)
class Staged:
    """An input of the map whose rows are as long as those that are added, and the argument that a row of it is."""

    array: View
    argument: ir.Value


@dataclass(frozen=True)
class Finding:
    """A map whose iterations run operators that leave numbers, `found`, and then add rows."""

    columns: Columns
    nodes: list[Node]
    found: list[ir.Value]
    staged: list[Staged]

    def find(self, number: ir.Value, rows: Sequence[View], local: Index) -> list[ir.Value]:
        """The numbers that an iteration finds; its rows are in memory of the block, where they have a local number."""
        emitter, body = self.columns.opened.emitter, self.columns.opened.node.regions[0]
        self._bind(number, rows, local)
        for node in body[: body.index(self.nodes[-1]) + 1]:
            emitter.emit(node)
        return [emitter.scalar(value) for value in self.found]

    def add(
        self,
        number: ir.Value,
        rows: Sequence[View],
        local: Index,
        values: Sequence[ir.Value],
        column: ir.Value,
        sums: Sequence[View],
    ) -> None:
        """What the iteration that found some numbers adds in one column."""
        opened = self.columns.opened
        emitter, accs = opened.emitter, opened.node.arguments()[1 + len(opened.node.op.inputs) :]
        self._bind(number, rows, local)
        emitter.env.update(zip(self.found, values, strict=True))
        emitter.env.update(zip(accs, sums, strict=True))
        alone = dict.fromkeys(self.columns.inner, column)
        emitter.alone |= alone
        for node in opened.node.regions[0][:-1]:
            if node not in self.nodes:
                emitter.emit(node)
        emitter.release_after(opened.node.terminator)
        for node in alone:
            del emitter.alone[node]

    def _bind(self, number: ir.Value, rows: Sequence[View], local: Index) -> None:
        """The arguments of an iteration."""
        opened = self.columns.opened
        emitter, inputs = opened.emitter, list(opened.node.op.inputs)
        emitter.forget(opened.node)
        index, *arguments = opened.node.arguments()
        emitter.env[index] = number
        bind_elements(emitter, arguments[: len(inputs)], inputs, number)
        for staged, view in zip(self.staged, rows, strict=True):
            emitter.env[staged.argument] = View(view.base, (Fixed(local), Along(0)), (staged.array.sizes[1],))


def finding_of(opened: Map) -> Finding | None:
    """What a map finds, and how it adds rows, if it does just that."""
    *body, _ = opened.node.regions[0]
    nodes = [each for each in body if each.name in OPERATORS and not len(getattr(each.op, "accs", ()))]
    if not nodes or any(is_array(value) for each in nodes for value in each.results):
        return None
    before = body[: body.index(nodes[-1])]
    if any(each.regions and each not in nodes for each in before):
        return None
    columns = columns_of(opened, apart=nodes)
    staged = [] if columns is None else _staged(opened, columns)
    uses = opened.emitter.plan.tree.uses
    found = [value for each in nodes for value in each.results if any(not _is_in(user, nodes) for user in uses[value])]
    if columns is None or not staged or not all(str(value.type) in KEPT_TYPES for value in found):
        return None
    return Finding(columns, nodes, found, staged)


def _staged(opened: Map, columns: Columns) -> list[Staged]:
    """The inputs with rows that are as long as those that are added."""
    emitter, inputs = opened.emitter, list(opened.node.op.inputs)
    length = emitter.index(columns.inner[0].op.width)
    found = []
    for argument, array in zip(opened.node.arguments()[1:], inputs, strict=False):
        view = emitter.view(array)
        if view.rank == 2 and view.sizes[1] == length and emitter.plan.tree.uses[argument]:
            found.append(Staged(view, argument))
    return found


def _is_in(user: Node, nodes: Sequence[Node]) -> bool:
    return any(node.contains(user) for node in nodes)
