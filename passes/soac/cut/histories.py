"""Loops that store rows for a loop that reads them again, the last row first."""

from __future__ import annotations

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.ir.places.places import Place
from tapeless.passes.ir.places.slices import slice_offsets
from tapeless.passes.ir.regions.structure import arguments_of, operands_of
from tapeless.passes.ir.scopes import ancestor_in, is_used_once, owner_block, terminator

WRITES = frozenset({"tensor.insert", "tensor.insert_slice"})
READS = frozenset({"tensor.extract", "tensor.extract_slice"})


@dataclass(frozen=True)
class History:
    """An array with a row for each iteration: the stored value, the initial array, and the final one."""

    stored: ir.Value
    start: ir.Value
    rows: ir.Value


@dataclass(frozen=True)
class Return:
    """A loop with the loop that runs its iterations back, from rows of the same number; those numbers in both."""

    forward: ir.OpView
    back: ir.OpView
    position: ir.Value
    row: ir.Value
    histories: list[History]


def returns_of(loop: ir.OpView) -> list[Return]:
    """The loops that read the stored rows of a loop, and do so from row to row."""
    found: dict[tuple[ir.Value, ir.Value], Return] = {}
    for number, argument in enumerate(arguments_of(loop, "carried")):
        rows = loop.results[number]
        write = _write_of_rows(loop, number, argument)
        back = None if write is None else _reader_of_rows(loop, rows)
        if write is None or back is None:
            continue
        position, row = row_number(write), row_number(next(iter(rows.uses)).owner)
        pair = found.setdefault((position, row), Return(loop, back, position, row, []))
        pair.histories.append(History(write.operands[0], operands_of(loop, "carried")[number], rows))
    return list(found.values())


def _write_of_rows(loop: ir.OpView, number: int, argument: ir.Value) -> ir.OpView | None:
    """The write of a whole row to an array that starts empty and is otherwise left as it is."""
    block, start = loop.regions[0].blocks[0], operands_of(loop, "carried")[number]
    if (
        isinstance(start, ir.BlockArgument)
        or start.owner.operation.name != "tensor.empty"
        or not is_used_once(argument)
    ):
        return None
    use = next(iter(argument.uses))
    write = use.owner
    if write.operation.name not in WRITES or use.operand_number != 1 or write.operation.block != block:
        return None
    if not is_whole_row(write) or not is_used_once(write.results[0]):
        return None
    return write if terminator(block).operands[number] == write.results[0] else None


def _reader_of_rows(loop: ir.OpView, rows: ir.Value) -> ir.OpView | None:
    """The loop behind the one that stored rows, if only it reads them, in each iteration one of them."""
    reads = [use.owner for use in rows.uses]
    if not all(read.operation.name in READS and is_in_row(read) for read in reads):
        return None
    numbers = {row_number(read) for read in reads}
    backs = [ancestor_in(loop.operation.block, read.operation) for read in reads]
    back = backs[0] if backs else None
    if back is None or back.name != "scf.for" or len(numbers) != 1 or any(other != back for other in backs):
        return None
    is_own = owner_block(next(iter(numbers))) == back.regions[0].blocks[0]
    return back.opview if is_own else None


def is_in_row(op: ir.OpView) -> bool:
    """Whether a read or write lies within one row, the index of the row being a value."""
    place = Place.of(op)
    return place.ranges[0].size == 1 and 0 not in place.kept and isinstance(row_number(op), ir.Value)


def is_whole_row(op: ir.OpView) -> bool:
    """Whether that is all that the index selects."""
    place = Place.of(op)
    return is_in_row(op) and all(place.is_whole_along(axis) for axis in range(1, len(place.ranges)))


def row_number(op: ir.OpView) -> ir.Value | int:
    """The first index of a read or write."""
    if op.operation.name == "tensor.extract":
        return op.operands[1]
    return op.operands[2] if op.operation.name == "tensor.insert" else slice_offsets(op)[0]
