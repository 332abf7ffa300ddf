"""Iterations that search for the destination of a row, and the values they hand from the one to the other."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.dialects.soac.schedules import Sums
from tapeless.passes.ir.scopes import is_defined_outside
from tapeless.passes.ir.sizes.expressions import Size
from tapeless.passes.ir.sizes.shapes import size_of
from tapeless.passes.lower.grid.row_columns.addends import Columns, columns_of
from tapeless.passes.lower.loops.bulk import bind_elements, end_region
from tapeless.passes.lower.loops.maps import Map
from tapeless.passes.lower.loops.views import View
from tapeless.passes.lower.schedule.row_columns.even import Rows, number_of_sum
from tapeless.passes.lower.schedule.row_columns.handing import Handed, handed_by
from tapeless.passes.lower.schedule.row_columns.searched import dest_of, guard_of, read_rows, searches_of
from tapeless.passes.lower.storage.tree import Node


@dataclass(frozen=True)
class Staged:
    """An input of the map whose rows are as long as those that are added, and the argument that a row of it is."""

    array: View
    argument: ir.Value


@dataclass(frozen=True)
class Finding:
    """A map whose iterations run operators that leave numbers, of which some are `handed` on, and then add rows.

    They do so in a branch if there is a `guard`, whose condition is the same for all. The operators go through the
    rows of `tables`, which are as many as there are places, and as long as rows.
    """

    columns: Columns
    nodes: list[Node]
    handed: Handed
    staged: list[Staged]
    guard: Node | None
    tables: list[ir.Value]

    def even_sums(self) -> set[int]:
        """The numbers of the sums to which iterations add rows of equal elements."""
        return {number for node in self.handed.even for number in self._sums_of(node)}

    def find(
        self, number: ir.Value, rows: Sequence[View], tables: Mapping[ir.Value, View], sums: Sequence[View]
    ) -> list[ir.Value]:
        """The numbers that an iteration hands on; its rows, and tables, are where they are said to be.

        Of rows of equal elements it adds the first element.
        """
        emitter, body = self.columns.opened.emitter, self.columns.opened.node.regions[0]
        self._bind(number, rows)
        outside = {array: emitter.env[array] for array in tables}
        emitter.env.update(tables)
        for node in body[: body.index(self.nodes[-1]) + 1]:
            emitter.emit(node)
        values = [emitter.scalar(value) for value in self.handed.values]
        self._add_even(sums)
        emitter.env.update(outside)
        return values

    def _add_even(self, sums: Sequence[View]) -> None:
        emitter = self.columns.opened.emitter
        builder, even = emitter.builder, self.handed.even
        guard = self.guard if any(node.parent is self.guard for node in even) else None
        if guard is not None:
            branch = builder.create("scf.if", [], [emitter.scalar(guard.operands[0])], regions=2)
            builder.push(branch, 0, [], is_branch=True)
        alone = dict.fromkeys(even, builder.as_value(0))
        emitter.alone |= alone
        for node in even:
            emitter.env.update(zip(node.op.accs, [sums[number] for number in self._sums_of(node)], strict=True))
            emitter.emit(node)
        for node in alone:
            del emitter.alone[node]
        if guard is not None:
            end_region(emitter)

    def _sums_of(self, node: Node) -> list[int]:
        """The numbers of the sums to which a map over elements of rows adds."""
        tree, loop = self.columns.opened.emitter.plan.tree, self.columns.opened.node
        return [number for acc in node.op.accs if (number := number_of_sum(tree, loop, acc)) is not None]

    def add(
        self,
        number: ir.Value,
        rows: Sequence[View],
        tables: Mapping[ir.Value, View],
        values: Sequence[ir.Value],
        column: ir.Value,
        sums: Sequence[View],
    ) -> None:
        """The addend in one column of the iteration that was handed some numbers; its guard is not looked at."""
        opened = self.columns.opened
        emitter, accs = opened.emitter, opened.node.arguments()[1 + len(opened.node.op.inputs) :]
        self._bind(number, rows)
        outside = {array: emitter.env[array] for array in tables}
        # What nobody asks for any more counts as made.
        made = [value for node in self.handed.settled for value in node.results]
        emitter.env.update(dict.fromkeys(made, emitter.builder.as_value(0)))
        emitter.env.update(zip(self.handed.values, values, strict=True))
        emitter.env.update(zip(accs, sums, strict=True))
        emitter.env.update(tables)
        alone = dict.fromkeys(self.columns.inner, column)
        emitter.alone |= alone
        for node in self._statements():
            if node in self.handed.even:
                emitter.env.update(zip(node.results, [sums[each] for each in self._sums_of(node)], strict=True))
            else:
                emitter.emit(node)
        if self.guard is not None:
            emitter.release_after(self.guard)
        emitter.release_after(opened.node.terminator)
        for node in alone:
            del emitter.alone[node]
        emitter.env.update(outside)

    def _statements(self) -> Iterator[Node]:
        """The statements for the threads that add."""
        for node in self.columns.opened.node.regions[0][:-1]:
            if node is self.guard:
                yield from node.regions[0][:-1]
            elif node not in self.nodes:
                yield node

    def _bind(self, number: ir.Value, rows: Sequence[View]) -> None:
        """The arguments of an iteration."""
        opened = self.columns.opened
        emitter, inputs = opened.emitter, list(opened.node.op.inputs)
        emitter.forget(opened.node)
        index, *arguments = opened.node.arguments()
        emitter.env[index] = number
        bind_elements(emitter, arguments[: len(inputs)], inputs, number)
        emitter.env.update(zip([each.argument for each in self.staged], rows, strict=True))


def finding_of(opened: Map, form: Sums) -> Finding:
    """The search of a map whose schedule says that it searches, and how it adds rows."""
    columns, nodes = columns_of(opened), searches_of(opened.node)
    guard = guard_of(opened.node, columns.inner) if form.is_guarded else None
    handed = handed_by(opened.emitter.plan.tree, opened.node, nodes, Rows(columns.inner, guard))
    assert handed is not None, "a schedule says that it searches only where numbers can be handed on"
    staged = [Staged(opened.emitter.view(array), each) for each, array in read_rows(opened.node, columns.inner)]
    return Finding(columns, nodes, handed, staged, guard, _tables(opened, nodes))


def _tables(opened: Map, nodes: Sequence[Node]) -> list[ir.Value]:
    """The arrays of rows that operators go through, with the sizes of a sum: as many rows as places."""
    sums = [dest for dest in map(dest_of, opened.node.op.accs) if dest is not None and _is_matrix(dest)]
    found = dict.fromkeys(array for each in nodes for array in getattr(each.op, "inputs", ()))
    outside = [array for array in found if is_defined_outside(array, opened.node.op.operation) and _is_matrix(array)]
    # A block has room for one, beside rows and sums.
    return [array for array in outside if any(_sizes(array) == _sizes(dest) for dest in sums)][:1]


def _is_matrix(array: ir.Value) -> bool:
    return len(array.type.shape) == 2 and str(array.type.element_type) in ("f32", "f64")


def _sizes(array: ir.Value) -> list[Size]:
    return [size_of(array, axis) for axis in range(2)]
