"""Large scans in pieces.

Note [Scans in pieces]: the total of a piece is combined in order from the neutral element, and its prefixes in order
from the combined totals of the pieces before. One thread does both in one pass. Threads first find the totals, then
the starting values, then the prefixes. Every value is computed by the same operations in the same order either way.
"""

from __future__ import annotations

from collections.abc import Sequence

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.dialects.soac.schedules import Pieces
from tapeless.passes.lower.blocks.in_blocks import bounds, emit_by_parts
from tapeless.passes.lower.loops.builder import Index
from tapeless.passes.lower.loops.bulk import end_region, scalars
from tapeless.passes.lower.loops.memory.buffers import Buffer
from tapeless.passes.lower.loops.work import ceil_div
from tapeless.passes.lower.scans.scan_lanes import Chain, lanes_for, walk
from tapeless.passes.lower.scans.scan_steps import Scan
from tapeless.passes.lower.schedule.work import SMALLEST_PIECE

# Pieces of a scan: a guess that fits the programs.
MOST_PIECES = 256


@dataclass(frozen=True)
class CutScan:
    """A scan of scalars in pieces: what they start from, how long each but the last is, and how many there are."""

    scan: Scan
    neutral: list[ir.Value]
    piece: Index
    pieces: Index
    lanes: int

    def walk(self, number: Index, chains: Sequence[Chain]) -> list[list[ir.Value]]:
        """Takes the steps of a piece in all chains; gives where they end."""
        low, high = bounds(self.scan.emitter.builder, number, self.scan.width, self.piece)
        return walk(self.scan, low, high, chains, self.lanes)


def scan_in_pieces(scan: Scan, schedule: Pieces) -> None:
    """Emits a scan whose running values are scalars."""
    builder, neutral = scan.emitter.builder, scalars(scan.running)
    piece = builder.arith("arith.maxsi", ceil_div(builder, scan.width, MOST_PIECES), SMALLEST_PIECE)
    pieces = ceil_div(builder, scan.width, piece)
    cut = CutScan(scan, neutral, piece, pieces, lanes_for(neutral, schedule.vector_bits))
    if schedule.in_one_pass:
        scan_in_one_pass(cut)
    else:
        scan_in_two_passes(cut)


def scan_in_one_pass(cut: CutScan) -> None:
    """Prefixes and totals together, piece after piece."""
    scan, emitter = cut.scan, cut.scan.emitter
    loop = emitter.builder.begin_for(0, cut.pieces, starts=cut.neutral)
    _, total = cut.walk(loop.variable, [Chain(loop.carried, stores=True), Chain(cut.neutral)])
    end_region(emitter, scalars(scan.join(loop.carried, total, loop.carried)))
    emitter.forget(scan.node)


def scan_in_two_passes(cut: CutScan) -> None:
    """Totals, starting values, prefixes."""
    emitter = cut.scan.emitter
    tables = [emitter.pool.table(MOST_PIECES, value.type) for value in cut.neutral]
    find_totals(cut, tables)
    turn_into_starts(cut, tables)
    write_prefixes(cut, tables)
    for table in tables:
        emitter.pool.release(table)


def find_totals(cut: CutScan, tables: Sequence[Buffer]) -> None:
    """Leaves the total of every piece in the tables, by a part."""
    emitter, builder = cut.scan.emitter, cut.scan.emitter.builder
    loop = builder.begin_for(0, cut.pieces, parallel=True, private=True)
    (total,) = cut.walk(loop.variable, [Chain(cut.neutral)])
    for table, value in zip(tables, total, strict=True):
        builder.store(value, table.value, [loop.variable])
    emit_by_parts(emitter, loop, cut.pieces, 1)


def write_prefixes(cut: CutScan, tables: Sequence[Buffer]) -> None:
    """Writes the prefixes of every piece, which starts at the value in the tables, by a part."""
    emitter, builder = cut.scan.emitter, cut.scan.emitter.builder
    loop = builder.begin_for(0, cut.pieces, parallel=True, private=True)
    starts = [builder.load(table.value, [loop.variable]) for table in tables]
    cut.walk(loop.variable, [Chain(starts, stores=True)])
    emit_by_parts(emitter, loop, cut.pieces, 1)


def turn_into_starts(cut: CutScan, tables: Sequence[Buffer]) -> None:
    """Replaces the total of every piece by the value at which the piece starts."""
    scan, builder = cut.scan, cut.scan.emitter.builder
    loop = builder.begin_for(0, cut.pieces, starts=cut.neutral)
    totals = [builder.load(table.value, [loop.variable]) for table in tables]
    for table, value in zip(tables, loop.carried, strict=True):
        builder.store(value, table.value, [loop.variable])
    end_region(scan.emitter, scalars(scan.join(loop.carried, totals, loop.carried)))
    scan.emitter.forget(scan.node)
