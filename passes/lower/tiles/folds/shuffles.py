"""Numbers that the threads of a warp hand each other; all of them must take part."""

from __future__ import annotations

from tapeless._mlir import arith, ir

WARP = 32


def from_lane_after(value: ir.Value, distance: int) -> ir.Value:
    """What the thread so many places after this one has."""
    return _shuffled(value, distance, "down")


def from_lane_before(value: ir.Value, distance: int) -> ir.Value:
    """What the thread so many places before this one has; nothing in particular where there is none."""
    return _shuffled(value, distance, "up")


def from_lane_across(value: ir.Value, distance: int) -> ir.Value:
    """What the thread has whose number differs in this bit."""
    return _shuffled(value, distance, "xor")


def _shuffled(value: ir.Value, distance: int, mode: str) -> ir.Value:
    i1, i32, i64 = (ir.IntegerType.get_signless(bits) for bits in (1, 32, 64))
    if isinstance(value.type, ir.IndexType):
        return arith.index_cast(value.type, _shuffled(arith.index_cast(i64, value), distance, mode))
    operands = [value, arith.constant(i32, distance), arith.constant(i32, WARP)]
    attributes = {"mode": ir.Attribute.parse(f"#gpu<shuffle_mode {mode}>")}
    return ir.Operation.create("gpu.shuffle", [value.type, i1], operands, attributes).results[0]
