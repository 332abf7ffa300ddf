"""How often a `for` loop runs, for bounds and steps that may be any 64-bit integers.

Distances between 64-bit integers fit into 64 bits without a sign, so all divisions are unsigned. A count beyond
2**63 - 1, which no run reaches, becomes that number.
"""

from __future__ import annotations

from tapeless._mlir import ir
from tapeless.frontend.elementwise import arithmetic
from tapeless.frontend.values import integers
from tapeless.frontend.values.affine import HIGHEST, Affine
from tapeless.frontend.values.builder import Builder


def count(builder: Builder, lower: Affine, upper: Affine, step: int | ir.Value) -> Affine:
    """The iterations of `range(lower, upper, step)`; a computed step that is 0 counts as 1."""
    low, high = (integers.index_value(builder, bound) for bound in (lower, upper))
    if isinstance(step, int):
        first, end = (low, high) if step > 0 else (high, low)
        stride = integers.index_value(builder, Affine(abs(step)))
    else:
        first, end, stride = _oriented(builder, low, high, step)
    has_some = integers.compare(builder, "slt", first, end)
    distance = _index(builder, "arith.subi", end, first)
    before_last = _index(builder, "arith.divui", _index(builder, "arith.subi", distance, builder.index(1)), stride)
    fitting = _index(builder, "arith.minui", before_last, builder.index(HIGHEST - 1))
    trips = _index(builder, "arith.addi", fitting, builder.index(1))
    return integers.opaque(builder, arithmetic.select(builder, has_some, trips, builder.index(0)), lower=(Affine(0),))


def _oriented(builder: Builder, low: ir.Value, high: ir.Value, step: ir.Value) -> tuple[ir.Value, ir.Value, ir.Value]:
    """The bounds in the order in which they increase, and the size of the step."""
    zero = builder.index(0)
    is_up = integers.compare(builder, "sgt", step, zero)
    size = arithmetic.select(builder, is_up, step, _index(builder, "arith.subi", zero, step))
    first, end = (arithmetic.select(builder, is_up, *pair) for pair in ((low, high), (high, low)))
    return first, end, _index(builder, "arith.maxui", size, builder.index(1))


def _index(builder: Builder, name: str, left: ir.Value, right: ir.Value) -> ir.Value:
    return builder.value(name, builder.types.index, [left, right])
