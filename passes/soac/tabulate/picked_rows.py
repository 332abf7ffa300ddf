"""Some rows of arrays: computed, where a map makes the array for this alone, else copied."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.dialects.effects import is_or_holds
from tapeless.dialects.regions import terminator
from tapeless.passes.ir.build import Rows, map_
from tapeless.passes.ir.rebuild import Values, copy_op
from tapeless.passes.ir.rows import row_at
from tapeless.passes.ir.scopes import is_defined_outside, is_used, is_used_once
from tapeless.passes.ir.sizes.shapes import is_checked_size
from tapeless.passes.marks import COPIES_ROWS
from tapeless.passes.soac.tabulate.picks import EFFECTS


@dataclass(frozen=True)
class PickedRows:
    """The rows that `places` names, made in front of the map that reads them, or further out where they are the same.

    `replaced` gets the maps that nothing uses any more, each before those that it reads.
    """

    reader: ir.OpView
    count: ir.Value
    places: ir.Value
    replaced: list[ir.OpView]
    copies: dict[ir.Value, ir.Value] = field(default_factory=dict)

    def of_map(self, op: ir.OpView, before: ir.OpView) -> list[ir.Value]:
        """The results of a map for these rows of its inputs."""
        self.replaced.append(op)
        inputs = [self._of_array(array, op.width) for array in op.inputs]
        block = op.body.blocks[0]
        number, *elements = block.arguments
        names = [number, *elements] if is_used(number) else elements
        rows = [self.places, *inputs] if is_used(number) else inputs

        def body(_: ir.Value, found: Rows, __: Rows) -> tuple[Rows, Rows]:
            values: Values = dict(zip(names, found, strict=True))
            for each in list(block.operations)[:-1]:
                copy_op(each, values)
            return [values.get(value, value) for value in terminator(op.body).operands], []

        with ir.InsertionPoint(before), op.location:
            return map_(self.count, rows, [], body)[0]

    def _of_array(self, array: ir.Value, width: ir.Value) -> ir.Value:
        if array not in self.copies:
            before = outermost(self.reader, [self.places], [(array, width)])
            if _is_made_for_one(array):
                self.copies[array] = self.of_map(array.owner, before)[array.result_number]
            else:
                self.copies[array] = self._copy(array, before)
        return self.copies[array]

    def _copy(self, array: ir.Value, before: ir.OpView) -> ir.Value:
        """The rows of an array that is there; rows of several elements stay an array of their own.

        Sums over these would otherwise read rows anywhere, one lane after the other.
        """
        with ir.InsertionPoint(before):
            (made,), _ = map_(self.count, [self.places], [], lambda _, row, __: ([row_at(array, row[0])], []))
        if array.type.rank > 1:
            made.owner.operation.attributes[COPIES_ROWS] = ir.UnitAttr.get()
        return made


def _is_made_for_one(array: ir.Value) -> bool:
    """Whether a map makes an array, and nothing else, for one reader, and no iteration has an effect."""
    if isinstance(array, ir.BlockArgument) or array.owner.operation.name != "soac.map":
        return False
    made = array.owner
    is_alone = len(made.operation.results) == 1 and is_used_once(array)
    return is_alone and not made.accs and not is_or_holds(made, EFFECTS)


def outermost(op: ir.OpView, used: Sequence[ir.Value], sized: Sequence[tuple[ir.Value, ir.Value]]) -> ir.OpView:
    """The operation, or the outermost map around it that makes nothing of this and checks no size of the arrays."""
    around = op.operation.parent
    while around is not None and around.name == "soac.map":
        values = (*used, *(array for array, _ in sized))
        if not all(is_defined_outside(value, around.operation) for value in values):
            break
        if not all(is_checked_size(array, 0, width, around.results[0]) for array, width in sized):
            break
        op, around = around.opview, around.operation.parent
    return op
