"""Large scans in pieces.

Note [Scans in pieces]: the total of a piece is combined in order from the neutral element, and its prefixes in order
from the combined totals of the pieces before. One thread does both in one pass. Threads first find the totals, then
the starting values, then the prefixes. Every value is computed by the same operations in the same order either way.
"""

from __future__ import annotations

from collections.abc import Sequence

from tapeless._mlir import ir
from tapeless.passes.lower.blocks.blocks import bounds
from tapeless.passes.lower.blocks.threads import Part, make_part, run_part
from tapeless.passes.lower.loops.builder import Index
from tapeless.passes.lower.loops.bulk import end_region, scalars
from tapeless.passes.lower.loops.work import ceil_div
from tapeless.passes.lower.scans.scan_lanes import Chain, walk
from tapeless.passes.lower.scans.scan_steps import Scan
from tapeless.passes.lower.storage.buffers import Buffer

# Steps per piece at least. Pieces a multiple of 4 KiB apart would make loads wait for stores with equal low addresses.
SMALLEST_PIECE = 2008
MOST_PIECES = 256
LARGEST_AT_ONCE = 4 * SMALLEST_PIECE


def scan_in_pieces(scan: Scan, neutral: Sequence[ir.Value]) -> None:
    """Emits a scan whose running values are scalars."""
    builder = scan.emitter.builder
    piece = builder.arith("arith.maxsi", ceil_div(builder, scan.width, MOST_PIECES), SMALLEST_PIECE)
    pieces = ceil_div(builder, scan.width, piece)
    if scan.emitter.options.has_threads:
        scan_on_threads(scan, neutral, piece, pieces)
    else:
        scan_in_one_pass(scan, neutral, piece, pieces)


def scan_in_one_pass(scan: Scan, neutral: Sequence[ir.Value], piece: Index, pieces: Index) -> None:
    """Prefixes and totals together, piece after piece."""
    emitter, builder = scan.emitter, scan.emitter.builder
    loop = builder.begin_for(0, pieces, starts=neutral)
    low, high = bounds(builder, loop.variable, scan.width, piece)
    _, total = walk(scan, low, high, [Chain(loop.carried, stores=True), Chain(neutral)])
    end_region(emitter, scalars(scan.join(loop.carried, total, loop.carried)))
    emitter.forget(scan.node)


def scan_on_threads(scan: Scan, neutral: Sequence[ir.Value], piece: Index, pieces: Index) -> None:
    """Totals, starting values, prefixes."""
    emitter = scan.emitter
    tables = [emitter.pool.table(MOST_PIECES, value.type) for value in neutral]
    run_part(emitter, totals_part(scan, neutral, piece, pieces, tables), pieces, 1)
    turn_into_starts(scan, neutral, pieces, tables)
    run_part(emitter, prefixes_part(scan, piece, pieces, tables), pieces, 1)
    for table in tables:
        emitter.pool.release(table)


def totals_part(scan: Scan, neutral: Sequence[ir.Value], piece: Index, pieces: Index, tables: Sequence[Buffer]) -> Part:
    """The function that leaves the total of every piece in the tables."""
    builder = scan.emitter.builder
    loop = builder.begin_for(0, pieces, parallel=True, private=True)
    low, high = bounds(builder, loop.variable, scan.width, piece)
    (total,) = walk(scan, low, high, [Chain(neutral)])
    for table, value in zip(tables, total, strict=True):
        builder.store(value, table.value, [loop.variable])
    return make_part(scan.emitter, loop, end_region(scan.emitter))


def prefixes_part(scan: Scan, piece: Index, pieces: Index, tables: Sequence[Buffer]) -> Part:
    """The function that writes the prefixes of every piece, which starts at the value in the tables."""
    builder = scan.emitter.builder
    loop = builder.begin_for(0, pieces, parallel=True, private=True)
    starts = [builder.load(table.value, [loop.variable]) for table in tables]
    low, high = bounds(builder, loop.variable, scan.width, piece)
    walk(scan, low, high, [Chain(starts, stores=True)])
    return make_part(scan.emitter, loop, end_region(scan.emitter))


def turn_into_starts(scan: Scan, neutral: Sequence[ir.Value], pieces: Index, tables: Sequence[Buffer]) -> None:
    """Replaces the total of every piece by the value at which the piece starts."""
    builder = scan.emitter.builder
    loop = builder.begin_for(0, pieces, starts=neutral)
    totals = [builder.load(table.value, [loop.variable]) for table in tables]
    for table, value in zip(tables, loop.carried, strict=True):
        builder.store(value, table.value, [loop.variable])
    end_region(scan.emitter, scalars(scan.join(loop.carried, totals, loop.carried)))
    scan.emitter.forget(scan.node)
