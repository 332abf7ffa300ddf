"""Sizes that are computed in front of loops which may not run.

What a slice in a loop takes of an array is found by unsigned division, since it cannot be negative in the loop. In
front of a loop that does not run it can, and then the quotient is huge.
"""

from __future__ import annotations

from tapeless._mlir import ir
from tapeless.passes.lower.loops.builder import Builder, Frame

UNSIGNED = ("arith.divui", "arith.remui", "arith.ceildivui")


def divides_unsigned(size: ir.Value) -> bool:
    """Whether a size is computed with an unsigned division."""
    seen, left = set(), [size]
    while left:
        value = left.pop()
        if isinstance(value, ir.BlockArgument) or value in seen:
            continue
        seen.add(value)
        op = value.owner.operation
        if op.name in UNSIGNED:
            return True
        if op.name.startswith("arith."):
            left.extend(op.operands)
    return False


def outermost_of_known_loops(builder: Builder, level: int) -> int:
    """The outermost level, from this one on, from which to here there are only loops whose bounds are known there."""
    for depth in range(builder.depth, level, -1):
        bounds = _bounds(builder.frames[depth])
        if bounds is None or any(builder.level(bound) > level for bound in bounds):
            return depth
    return level


def nothing_unless_run(builder: Builder, size: ir.Value, level: int) -> ir.Value:
    """The size if every loop between a level and here runs, otherwise zero."""
    zero = builder.as_value(0)
    for frame in builder.frames[level + 1 :]:
        bounds = _bounds(frame)
        assert bounds is not None
        less = ir.IntegerAttr.get(ir.IntegerType.get_signless(64), 2)  # slt
        runs = builder.create("arith.cmpi", [ir.IntegerType.get_signless(1)], bounds, {"predicate": less}, level=level)
        size = builder.create("arith.select", [size.type], [runs.results[0], size, zero], level=level).results[0]
    return size


def _bounds(frame: Frame) -> list[ir.Value] | None:
    """First and last of a loop that counts up; anything else has none."""
    anchor = frame.anchor
    return list(anchor.operands[:2]) if anchor is not None and anchor.name == "scf.for" else None
