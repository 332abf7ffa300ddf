"""Iterations that look for the place to which they add a row, and what they hand from the one to the other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tapeless._mlir import ir
from tapeless.passes.ir.scopes import is_defined_outside
from tapeless.passes.ir.sizes.expressions import Size
from tapeless.passes.ir.sizes.shapes import size_of
from tapeless.passes.lower.grid.row_columns.found import Columns, columns_of
from tapeless.passes.lower.grid.row_columns.together.handing import Handed, handed_by
from tapeless.passes.lower.loops.bulk import bind_elements
from tapeless.passes.lower.loops.maps import Map
from tapeless.passes.lower.loops.views import View
from tapeless.passes.lower.schedule.kinds import OPERATORS
from tapeless.passes.lower.storage.aliasing import is_accumulator, is_array
from tapeless.passes.lower.storage.tree import Node

# A block has room for so many, beside rows and sums.
MOST_TABLES = 1


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

    def find(self, number: ir.Value, rows: Sequence[View], tables: Mapping[ir.Value, View]) -> list[ir.Value]:
        """The numbers that an iteration hands on; its rows, and tables, are where they are said to be."""
        emitter, body = self.columns.opened.emitter, self.columns.opened.node.regions[0]
        self._bind(number, rows)
        outside = {array: emitter.env[array] for array in tables}
        emitter.env.update(tables)
        for node in body[: body.index(self.nodes[-1]) + 1]:
            emitter.emit(node)
        values = [emitter.scalar(value) for value in self.handed.values]
        emitter.env.update(outside)
        return values

    def add(
        self,
        number: ir.Value,
        rows: Sequence[View],
        tables: Mapping[ir.Value, View],
        values: Sequence[ir.Value],
        column: ir.Value,
        sums: Sequence[View],
    ) -> None:
        """What the iteration that was handed some numbers adds in one column; its guard is not looked at."""
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
        for node in opened.node.regions[0][:-1]:
            if node is self.guard:
                emitter.emit_block(node.regions[0])
                emitter.release_after(node)
            elif node not in self.nodes:
                emitter.emit(node)
        emitter.release_after(opened.node.terminator)
        for node in alone:
            del emitter.alone[node]
        emitter.env.update(outside)

    def _bind(self, number: ir.Value, rows: Sequence[View]) -> None:
        """The arguments of an iteration."""
        opened = self.columns.opened
        emitter, inputs = opened.emitter, list(opened.node.op.inputs)
        emitter.forget(opened.node)
        index, *arguments = opened.node.arguments()
        emitter.env[index] = number
        bind_elements(emitter, arguments[: len(inputs)], inputs, number)
        emitter.env.update(zip([each.argument for each in self.staged], rows, strict=True))


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
    handed = handed_by(opened.emitter.plan.tree, opened.node, nodes)
    if columns is None or not staged or handed is None:
        return None
    return Finding(columns, nodes, handed, staged, _guard(opened, columns), _tables(opened, nodes))


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


def _guard(opened: Map, columns: Columns) -> Node | None:
    """The branch in which all rows are added, if its condition is known before the map and it does nothing else."""
    around = [each for each in opened.node.regions[0] if each.name == "scf.if"]
    if len(around) != 1 or not all(around[0].contains(inner) for inner in columns.inner):
        return None
    (branch,) = around
    is_plain = all(map(is_accumulator, branch.results)) and all(len(nodes) < 2 for nodes in branch.regions[1:])
    return branch if is_plain and is_defined_outside(branch.operands[0], opened.node.op.operation) else None


def _tables(opened: Map, nodes: Sequence[Node]) -> list[ir.Value]:
    """The arrays of rows that operators go through, with the sizes of a sum: as many rows as places."""
    sums = [dest for dest in map(_dest, opened.node.op.accs) if dest is not None and _is_matrix(dest)]
    found = dict.fromkeys(array for each in nodes for array in getattr(each.op, "inputs", ()))
    outside = [array for array in found if is_defined_outside(array, opened.node.op.operation) and _is_matrix(array)]
    return [array for array in outside if any(_sizes(array) == _sizes(dest) for dest in sums)][:MOST_TABLES]


def _dest(acc: ir.Value) -> ir.Value | None:
    """The array that a sum starts from."""
    holder = acc.owner.owner if isinstance(acc, ir.BlockArgument) else None
    return holder.operands[acc.arg_number] if holder is not None and holder.operation.name == "soac.with_acc" else None


def _is_matrix(array: ir.Value) -> bool:
    return len(array.type.shape) == 2 and str(array.type.element_type) in ("f32", "f64")


def _sizes(array: ir.Value) -> list[Size]:
    return [size_of(array, axis) for axis in range(2)]
