"""Loops rewritten for their new checkpoints: the forward loop stores them, the return loop reads them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tapeless._mlir import ir, tensor
from tapeless.dataclasses_on_use import dataclass
from tapeless.dialects.array_types import row_type
from tapeless.passes.ir.build import cast_to
from tapeless.passes.ir.rebuild import recreate, retarget_terminator
from tapeless.passes.ir.regions.structure import operands_of
from tapeless.passes.ir.rows import insert_row, row_at
from tapeless.passes.ir.scopes import is_used, terminator
from tapeless.passes.ir.sizes.shapes import size_of
from tapeless.passes.ir.sizes.sizes import write
from tapeless.passes.soac.cut.choose import Choice
from tapeless.passes.soac.cut.histories import Return
from tapeless.passes.soac.cut.made_again import MadeAgain
from tapeless.passes.soac.cut.nests import MapNest


@dataclass(frozen=True)
class Change:
    """The values that a loop is to store for its return sweep, and buffers for them."""

    pair: Return
    choice: Choice
    rooms: list[ir.Value]

    @staticmethod
    def planned(pair: Return, choice: Choice) -> Change:
        """Makes room in front of the loop."""
        at = ir.InsertionPoint(pair.forward)
        with at, pair.forward.location:
            trips = write(size_of(pair.histories[0].start, 0), at)
            nodes = [choice.back.table.nodes[number] for number in choice.stored]
            sizes = [[write(size, at) for size in node.sizes] for node in nodes]
            rooms = [tensor.EmptyOp([trips, *each], node.type) for each, node in zip(sizes, nodes, strict=True)]
        return Change(pair, choice, [room.result for room in rooms])

    def carry_out(self) -> None:
        """Stores the chosen values, and reads them where they were recomputed; dead code is left."""
        pair, choice = self.pair, self.choice
        results = self._with_histories()
        row = pair.row
        if isinstance(row, ir.BlockArgument):
            at = ir.InsertionPoint.at_block_begin(row.owner)
        else:
            at = ir.InsertionPoint.after(row.owner)
        with at, pair.back.location:
            rows = {number: row_at(result, row) for number, result in zip(choice.stored, results, strict=True)}
            arrays = _replaced(choice, rows)
        for value, array in arrays:
            value.replace_all_uses_with(array)
        for nest in choice.back.nests:
            made = [value for op in nest.body.operations for value in op.results]
            read = {value: rows[choice.back.of[value]] for value in made if choice.back.of.get(value) in rows}
            _read_in(nest, {value: row for value, row in read.items() if is_used(value)})

    def _with_histories(self) -> list[ir.Value]:
        """The loop with a history of each chosen value; gives the new ones."""
        loop = self.pair.forward
        block = loop.regions[0].blocks[0]
        last = terminator(block)
        yielded = list(last.operands)
        with ir.InsertionPoint(last), loop.location:
            again = MadeAgain.of(self.pair, self.choice)
            for room, number in zip(self.rooms, self.choice.stored, strict=True):
                states = block.add_argument(room.type, loop.location)
                part = cast_to(row_type(room.type), again.value(number))
                yielded.append(insert_row(states, self.pair.position, part))
        retarget_terminator(block, yielded)
        starts = [*list(loop.operands)[:3], *operands_of(loop, "carried"), *self.rooms]
        count = len(loop.results)
        made = recreate(
            loop, [starts], [*(result.type for result in loop.results), *(room.type for room in self.rooms)]
        )
        for old, new in zip(loop.results, made.results, strict=False):
            old.replace_all_uses_with(new)
        loop.operation.erase()
        return list(made.results)[count:]


def _replaced(choice: Choice, rows: Mapping[int, ir.Value]) -> list[tuple[ir.Value, ir.Value]]:
    """The values of the way back, outside of nests, that are in a row now."""
    bodies = {nest.body for nest in choice.back.nests}
    inside = [value for value in choice.back.of if isinstance(value, ir.OpResult)]
    chosen = [value for value in inside if choice.back.of[value] in rows and value.owner.operation.block not in bodies]
    return [(value, cast_to(value.type, rows[choice.back.of[value]])) for value in chosen]


def _read_in(nest: MapNest, rows: Mapping[ir.Value, ir.Value]) -> None:
    """Hands rows to a nest, whose innermost body takes their elements for the recomputed ones."""
    arrays: Sequence[ir.Value] = list(rows.values())
    for level in nest.levels if rows else ():
        block = level.regions[0].blocks[0]
        accs = list(block.arguments)[1 + len(level.inputs) :]
        elements = [block.add_argument(row_type(array.type), level.location) for array in arrays]
        for acc in accs:
            acc.replace_all_uses_with(block.add_argument(acc.type, level.location))
        for _ in accs:
            block.erase_argument(1 + len(level.inputs))
        groups = [[level.operands[0]], [*level.inputs, *arrays], list(level.accs)]
        made = recreate(level, groups, [result.type for result in level.results])
        for old, new in zip(level.results, made.results, strict=True):
            old.replace_all_uses_with(new)
        level.operation.erase()
        arrays = elements
    for value, element in zip(rows, arrays, strict=True):
        value.replace_all_uses_with(element)
