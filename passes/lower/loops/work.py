"""How many iterations make a block, by the sizes of a call."""

from __future__ import annotations

from tapeless.passes.lower.loops.builder import Builder, Index

MAX_BLOCKS = 64


def block_size(builder: Builder, width: Index, smallest: int) -> Index:
    """Iterations per block: at least `smallest`, and so many that there are at most `MAX_BLOCKS` blocks."""
    return builder.arith("arith.maxsi", ceil_div(builder, width, MAX_BLOCKS), smallest)


def ceil_div(builder: Builder, number: Index, divisor: Index) -> Index:
    """`number / divisor` rounded up, for a number that is not negative."""
    return builder.arith("arith.divui", builder.add(number, builder.sub(divisor, 1)), divisor)
