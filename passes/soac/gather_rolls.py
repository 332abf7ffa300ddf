"""`soac-gather-rolls`: for GPUs, maps read arrays that were rolled around an axis where their elements lie."""

from __future__ import annotations

from typing import ClassVar

from tapeless._mlir import arith, ir, tensor
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.ir.array_loops import operand_groups
from tapeless.passes.ir.places.slices import slice_fields
from tapeless.passes.ir.rows import Size
from tapeless.passes.ir.search import ops_named
from tapeless.passes.ir.sizes.shapes import scalar_size, size_of
from tapeless.passes.ir.sizes.sizes import total

SLICE = "tensor.extract_slice"


@dataclass(frozen=True)
class GatherRolls:
    """Has nests of maps read the array that a roll is of.

    ```mlir
    %a = tensor.extract_slice %x[%k] [%n - %k]             soac.map(%n) ({
    %b = tensor.extract_slice %x[0] [%k]                   ^bb0(%i: index):
    %r = tensor.concat dim(0) %a, %b                 -->     %place = %i + %k, less %n where that is not below %n
    soac.map(%n, %r) ({                                      %e = tensor.extract %x[%place]
    ^bb0(%i: index, %e: f64): ...                            ...
    ```
    A roll is two launches and a pass over memory, and so is the sum of its two halves in the derivative; what a map
    reads going around an axis has a derivative that a map gathers.
    """

    name: ClassVar[str] = "soac-gather-rolls"

    def run(self, module: ir.Module) -> bool:
        """Rewrites the rolls that nothing else reads; says whether there were any."""
        rolls = [
            roll for op in ops_named(module.operation.opview, "tensor.concat") if (roll := Roll.of(op)) is not None
        ]
        for roll in rolls:
            roll.read_in_place()
        return bool(rolls)


@dataclass(frozen=True)
class Roll:
    """A concatenation of the end and the beginning of an array, which begins `by` places further along an axis."""

    op: ir.OpView
    array: ir.Value
    axis: int
    by: Size

    @staticmethod
    def of(op: ir.OpView) -> Roll | None:
        """The roll that a concatenation is, if only nests of maps read it, element by element."""
        axis = ir.IntegerAttr(op.attributes["dim"]).value
        if len(op.operands) != 2 or not isinstance(op.results[0].type.element_type, ir.F64Type | ir.F32Type):
            return None
        if any(isinstance(part, ir.BlockArgument) or part.owner.operation.name != SLICE for part in op.operands):
            return None
        end, begin = (part.owner.opview for part in op.operands)
        array = end.operands[0]
        if begin.operands[0] != array or array.type != op.results[0].type:
            return None
        by = _shift(array, axis, slice_fields(end), slice_fields(begin))
        users = [(use.owner.opview, use.operand_number) for use in op.results[0].uses]
        is_read = bool(users) and all(_elements(*user, array.type.rank) is not None for user in users)
        return Roll(op, array, axis, by) if by is not None and is_read else None

    def read_in_place(self) -> None:
        """Replaces elements in the nests that read the roll."""
        for user, number in [(use.owner.opview, use.operand_number) for use in self.op.results[0].uses]:
            nest = _elements(user, number, self.array.type.rank)
            assert nest is not None
            element = nest[-1]
            if next(iter(element.uses), None) is not None:
                block = element.owner
                with ir.InsertionPoint.at_block_begin(block), self.op.location:
                    places = [argument.owner.arguments[0] for argument in nest]
                    places[self.axis] = self._turned(places[self.axis], nest[self.axis].owner.owner.operands[0])
                    element.replace_all_uses_with(tensor.ExtractOp(self.array, places).result)
            user.operation.operands[number] = self.array

    def _turned(self, index: ir.Value, length: ir.Value) -> ir.Value:
        by = arith.ConstantOp(ir.IndexType.get(), self.by).result if isinstance(self.by, int) else self.by
        moved = arith.addi(index, by)
        is_inside = arith.cmpi(arith.CmpIPredicate.slt, moved, length)
        return arith.select(is_inside, moved, arith.subi(moved, length))


def _shift(array: ir.Value, axis: int, end: list[list[Size]], begin: list[list[Size]]) -> Size | None:
    """Where the end of an array begins, of which the beginning is all before."""
    by, length = end[0][axis], end[1][axis]
    if begin[0][axis] != 0 or begin[1][axis] != by or any(step != 1 for step in (*end[2], *begin[2])):
        return None
    for other in range(array.type.rank):
        if other != axis and not all(_is_whole(array, other, fields) for fields in (end, begin)):
            return None
    parts = [each if isinstance(each, int) else scalar_size(each) for each in (by, length)]
    return by if total(parts) == size_of(array, axis) else None


def _is_whole(array: ir.Value, axis: int, fields: list[list[Size]]) -> bool:
    size = fields[1][axis]
    known = size if isinstance(size, int) else scalar_size(size)
    return fields[0][axis] == 0 and known == size_of(array, axis)


def _elements(user: ir.OpView, number: int, rank: int) -> list[ir.Value] | None:
    """The arguments by which a nest of maps reads an array: its rows, their rows, and last its elements."""
    found: list[ir.Value] = []
    while True:
        if user.operation.name != "soac.map" or not 1 <= number <= len(operand_groups(user)[1]):
            return None
        argument = user.regions[0].blocks[0].arguments[number]
        found.append(argument)
        if len(found) == rank:
            return found
        uses = list(argument.uses)
        if len(uses) != 1:
            return None
        user, number = uses[0].owner.opview, uses[0].operand_number
