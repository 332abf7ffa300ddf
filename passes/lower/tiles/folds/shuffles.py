"""Numbers that the threads of a warp hand each other; all of them must take part."""

from __future__ import annotations

from tapeless._mlir import arith, ir

WARP = 32


def from_lane_after(value: ir.Value, distance: int) -> ir.Value:
    """What the thread so many places after this one has."""
    i1, i32, i64 = (ir.IntegerType.get_signless(bits) for bits in (1, 32, 64))
    if isinstance(value.type, ir.IndexType):
        return arith.index_cast(value.type, from_lane_after(arith.index_cast(i64, value), distance))
    operands = [value, arith.constant(i32, distance), arith.constant(i32, WARP)]
    mode = {"mode": ir.Attribute.parse("#gpu<shuffle_mode down>")}
    return ir.Operation.create("gpu.shuffle", [value.type, i1], operands, mode).results[0]
