"""Numbers of four bytes as sums of two with 11 bits each, and the order in which products take them.

A thread (lane 4 g + t) gives steps t and t + 4 of each product. It finds all that it needs side by side: place
8 t + 2 p + h is step t + 4 h of product p.
"""

from __future__ import annotations

from collections.abc import Sequence

from tapeless._mlir import arith, ir, llvm
from tapeless.passes.recipes.nearest.found import PRODUCTS

# The sign, the exponent, and ten bits after the first one.
FIRST_BITS = -(1 << 13)
# How many places a thread needs.
OWN_PLACES = 2 * PRODUCTS
INSTRUCTION = (
    "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 "
    "{$0, $1, $2, $3}, {$4, $5, $6, $7}, {$8, $9}, {$10, $11, $12, $13};"
)
CONSTRAINTS = ",".join(["=f"] * 4 + ["r"] * 6 + ["f"] * 4)


def halves(value: ir.Value) -> tuple[ir.Value, ir.Value]:
    """The first 11 bits of a number, and the next ones."""
    high = _cut(value)
    return high, _cut(arith.subf(value, high))


def _cut(value: ir.Value) -> ir.Value:
    word = ir.IntegerType.get_signless(32)
    kept = arith.andi(arith.bitcast(word, value), arith.constant(word, FIRST_BITS))
    return arith.bitcast(value.type, kept)


def multiply(left: Sequence[ir.Value], right: Sequence[ir.Value], sums: Sequence[ir.Value]) -> list[ir.Value]:
    """The instruction: sums of 16 x 8, of which every thread has four."""
    f32, word = ir.F32Type.get(), ir.IntegerType.get_signless(32)
    type_ = ir.Type.parse("!llvm.struct<(f32, f32, f32, f32)>")
    factors = [arith.bitcast(word, value) for value in (*left, *right)]
    made = llvm.InlineAsmOp(type_, [*factors, *sums], INSTRUCTION, CONSTRAINTS, has_side_effects=True)
    return [llvm.ExtractValueOp(f32, made.result, [number]).result for number in range(4)]
