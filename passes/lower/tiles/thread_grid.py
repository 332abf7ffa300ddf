"""Where the threads of a block lie in a tile: 16 along rows, 16 along columns.

A warp takes 16 bytes for each thread from shared memory in four turns, or in two if lanes whose numbers differ in the
lowest bit, or those that differ in the next one, take the same bytes. `crossed` grants that to both sides: lanes that
differ in the next to lowest bit have the same rows, and those that differ in the lowest bit the same columns.
"""

from __future__ import annotations

from tapeless._mlir import ir
from tapeless.passes.lower.tiles.index_arithmetic import add, mul, quotient, remainder
from tapeless.passes.lower.tiles.shapes import ALONG

WARP = 32
# Threads of a warp along columns, and warps of a block along columns.
LANES_ALONG, WARPS_ALONG = 8, 2


def in_lines(thread: ir.Value) -> tuple[ir.Value, ir.Value]:
    """The place of a thread along rows and along columns, where 16 neighbours have the same rows."""
    return quotient(thread, ALONG), remainder(thread, ALONG)


def crossed(thread: ir.Value) -> tuple[ir.Value, ir.Value]:
    """The same where a warp has 4 places along rows and 8 along columns."""
    lane, warp = remainder(thread, WARP), quotient(thread, WARP)
    row = add(remainder(lane, 2), mul(quotient(lane, 2 * LANES_ALONG), 2))
    column = remainder(quotient(lane, 2), LANES_ALONG)
    rows = WARP // LANES_ALONG
    return (
        add(mul(quotient(warp, WARPS_ALONG), rows), row),
        add(mul(remainder(warp, WARPS_ALONG), LANES_ALONG), column),
    )
