"""Arrays from outside of a loop of which each iteration reads parts of its own: they become operands of its map."""

from __future__ import annotations

from collections.abc import Sequence

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.ir.scopes import is_defined_outside, is_inside
from tapeless.passes.ir.search import ops_named
from tapeless.passes.soac.parallelise.parts import READS, Parts, is_counted, own_index, place_of


@dataclass(frozen=True)
class Reads:
    """Reads of an array from outside, each of the part of its iteration."""

    parts: Parts
    reads: list[ir.OpView]

    @staticmethod
    def all_of(loop: ir.OpView) -> list[Reads]:
        """The reads of arrays of which the body reads such parts, and at most some parts that all iterations share.

        With any other read in the body, the whole array has to be there in each iteration, and takes adjoints as such.
        """
        reads: dict[ir.Value, list[ir.OpView]] = {}
        for op in ops_named(loop, *READS):
            reads.setdefault(op.operands[0], []).append(op)
        return [
            found
            for array, accesses in reads.items()
            if is_defined_outside(array, loop.operation) and not _is_used_otherwise(array, loop)
            for found in _own_reads(array, accesses, loop)
        ]

    def read_from(self, part: ir.Value) -> None:
        """Reads the operands of an iteration."""
        for op in self.reads:
            with ir.InsertionPoint(op), op.location:
                op.results[0].replace_all_uses_with(self.parts.access(op, part))
            op.operation.erase()


def _is_used_otherwise(array: ir.Value, loop: ir.OpView) -> bool:
    """Whether the body does more with an array than to read of it and to ask for its sizes."""
    return any(
        is_inside(use.owner.operation, loop.operation)
        and not (use.owner.operation.name in (*READS, "tensor.dim") and use.operand_number == 0)
        for use in array.uses
    )


def _own_reads(array: ir.Value, accesses: Sequence[ir.OpView], loop: ir.OpView) -> list[Reads]:
    """The reads of own parts, by their index; none where another read has to have the whole array."""
    for axis in range(array.type.rank):
        indices = [own_index(op, axis, loop) for op in accesses]
        groups = {own: [op for op, each in zip(accesses, indices, strict=True) if each == own] for own in indices}
        others = groups.pop(None, [])
        if groups and _share_parts(others, axis, loop) and (len(groups) == 1 or _have_rows(accesses, axis, loop)):
            found = [Reads(parts, each) for each in groups.values() if (parts := Parts.of(array, each, loop))]
            are_all = len(found) == len(groups) and all(_is_cheap(each.parts, loop) for each in found)
            return found if are_all else []
    return []


def _have_rows(reads: Sequence[ir.OpView], axis: int, loop: ir.OpView) -> bool:
    """Whether reads go through contiguous elements along the axes behind one.

    Adjoints of single elements of neighbouring rows are added one by one, not as slices of rows.
    """
    behind = [extent for op in reads for extent in place_of(op)[axis + 1 :]]
    return all(size != 1 or is_counted(offset, loop) for offset, size, _ in behind)


def _is_cheap(parts: Parts, loop: ir.OpView) -> bool:
    """Whether adjoints of all parts together are added at little cost.

    In a map around the loop from whose outside the array comes, each iteration would add a slice of its own.
    """
    return parts.are_all(loop) or not _is_from_outside_of_map(parts.array, loop)


def _is_from_outside_of_map(array: ir.Value, loop: ir.OpView) -> bool:
    around = loop.operation.parent
    while around is not None and around.name != "func.func" and is_defined_outside(array, around):
        if around.name == "soac.map":
            return True
        around = around.parent
    return False


def _share_parts(reads: Sequence[ir.OpView], axis: int, loop: ir.OpView) -> bool:
    """Whether reads have along an axis an index that no iteration changes."""
    places = [place_of(op)[axis] for op in reads]
    return all(
        size == 1 and (isinstance(offset, int) or is_defined_outside(offset, loop.operation))
        for offset, size, _ in places
    )
