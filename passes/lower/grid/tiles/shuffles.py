"""Numbers that the threads of a warp hand each other without memory; all threads of a block must take part."""

from __future__ import annotations

from collections.abc import Sequence

from tapeless._mlir import ir
from tapeless.passes.lower.loops.builder import Builder, Index

WARP = 32
BEFORE, AFTER, OF_LANE = "up", "down", "idx"


def shuffled(builder: Builder, values: Sequence[ir.Value], mode: str, lane: Index) -> list[ir.Value]:
    """A warp shuffle: the value of the thread `lane` places before or after this one, or of this lane."""
    i32 = ir.IntegerType.get_signless(32)
    if isinstance(lane, int):
        place = builder.constant(i32, ir.IntegerAttr.get(i32, lane))
    else:
        place = builder.value("arith.index_cast", i32, [lane])
    return [_shuffled(builder, value, mode, place) for value in values]


def _shuffled(builder: Builder, value: ir.Value, mode: str, place: ir.Value) -> ir.Value:
    i1, i32, i64 = (ir.IntegerType.get_signless(bits) for bits in (1, 32, 64))
    type_ = value.type
    if isinstance(type_, ir.IndexType):
        word = builder.value("arith.index_cast", i64, [value])
        return builder.value("arith.index_cast", type_, [_shuffled(builder, word, mode, place)])
    if isinstance(type_, ir.IntegerType) and type_.width < 32:
        word = builder.value("arith.extui", i32, [value])
        return builder.value("arith.trunci", type_, [_shuffled(builder, word, mode, place)])
    warp = builder.constant(i32, ir.IntegerAttr.get(i32, WARP))
    attributes = {"mode": ir.Attribute.parse(f"#gpu<shuffle_mode {mode}>")}
    return builder.create("gpu.shuffle", [type_, i1], [value, place, warp], attributes).results[0]
