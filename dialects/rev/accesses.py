"""Accesses: which places regions read and write, and whether they get into each other's way."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from tapeless._mlir import ir
from tapeless.dialects.rev.cells import is_cell
from tapeless.dialects.rev.dialect import Operation
from tapeless.dialects.rev.places import VIEW, Place, Symbol, Symbols, are_apart, place

INDEXED_READS = ("memref.load", "rev.read")


class Access(NamedTuple):
    """The cell that an operation itself reads or writes, at leading indices."""

    op: ir.OpView
    cell: ir.Value
    indices: Sequence[ir.Value]
    writes: bool

    def place(self) -> Place[Symbol | None]:
        """The place, as far as it is known."""
        return place(self.cell, self.indices, Symbols())


def accesses(region: ir.Region) -> Iterator[Access]:
    """All accesses to cells in a region, at any depth; stacks are none."""
    for block in region.blocks:
        for op in block.operations:
            yield from accesses_of(op)


def accesses_of(op: ir.OpView) -> Iterator[Access]:
    """All accesses to cells of an operation and inside of it."""
    if op.operation.name in INDEXED_READS:
        cell, *indices = op.operation.operands
        yield Access(op, cell, indices, False)
    elif isinstance(op, Operation):
        yield from _of_statement(op)
    for region in op.operation.regions:
        yield from accesses(region)


def _of_statement(op: Operation) -> Iterator[Access]:
    indices = list(getattr(op, "indices", ()))
    yield from (Access(op, cell, indices, True) for cell in op.written_cells() if is_cell(cell.type))
    yield from (Access(op, cell, (), False) for cell in op.read_cells() if is_cell(cell.type))


def reads_of(region: ir.Region, cells: Sequence[tuple[ir.Value, Sequence[ir.Value]]]) -> Iterator[Access]:
    """The reads in a region of places that share an element for sure with one of those given."""
    places = [place(cell, indices, Symbols()) for cell, indices in cells]
    for access in accesses(region):
        if not access.writes and any(are_apart(access.place(), each) is False for each in places):
            yield access


def share_elements(a: ir.Value, b: ir.Value) -> bool:
    """Whether two cells have an element in common for sure."""
    return are_apart(place(a, (), Symbols()), place(b, (), Symbols())) is False


def positions(access: Access) -> list[ir.Value]:
    """The values that say where an access is."""
    found, cell = list(access.indices), access.cell
    while not isinstance(cell.owner, ir.Block) and cell.owner.name == VIEW:
        op = cell.owner.opview
        found += [*op.offsets, *op.sizes, *op.strides]
        cell = op.source
    return found


def can_be_computed_before(value: ir.Value, op: ir.OpView) -> bool:
    """Whether a value inside of an operation can be computed in front of it, without reading a cell."""
    if not stands_in(value, op):
        return True
    if isinstance(value.owner, ir.Block):
        return False
    is_computed = value.owner.name.startswith("arith.") or value.owner.name == "memref.dim"
    return is_computed and all(can_be_computed_before(each, op) for each in value.owner.operands)


def stands_in(value: ir.Value, op: ir.OpView) -> bool:
    """Whether a value is made inside of an operation."""
    around = value.owner.owner if isinstance(value.owner, ir.Block) else value.owner.parent
    while around is not None and around.operation != op.operation:
        around = around.operation.parent
    return around is not None


def pairs_between(writer: ir.Region, reader: ir.Region) -> Iterator[tuple[Access, Access]]:
    """Writes in one region and reads in another that may meet."""
    writes = [access for access in accesses(writer) if access.writes]
    for read in accesses(reader):
        for write in writes:
            if not read.writes and are_apart(read.place(), write.place()) is not True:
                yield write, read
