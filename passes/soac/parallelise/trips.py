"""How often a counted loop runs, as a value before it."""

from __future__ import annotations

from tapeless._mlir import arith, ir
from tapeless.passes.ir.build import index
from tapeless.passes.ir.places.indices import Linear, highs, is_non_negative, lows
from tapeless.passes.ir.scopes import is_available
from tapeless.passes.ir.sizes.expressions import Dim
from tapeless.passes.ir.sizes.sizes import constant_int

MOST_ITERATIONS = 2**63 - 1
# Where the sizes begin among the operands of what makes arrays.
FIRST_SIZE = {"tensor.splat": 1, "tensor.empty": 0}


def trips(loop: ir.OpView) -> ir.Value:
    """How often the loop runs; more often than numbers go counts as often as they go."""
    low, high = list(loop.operands)[:2]
    if constant_int(low) == 0:
        return high if is_non_negative(high) or _is_size_of_array(high, loop) else arith.maxsi(high, index(0))
    if any(map(_is_moderate, lows(high))) and any(map(_is_moderate, highs(low))):
        return arith.maxsi(arith.subi(high, low), index(0))
    width = arith.subi(arith.maxsi(high, low), low)
    if is_non_negative(low):
        return width
    fits = arith.cmpi(arith.CmpIPredicate.sge, width, index(0))
    return arith.select(fits, width, index(MOST_ITERATIONS))


def _is_size_of_array(value: ir.Value, loop: ir.OpView) -> bool:
    """Whether an array of this size was made before a loop, so that it is no negative number."""
    here = ir.InsertionPoint(loop)
    return any(
        use.operand_number >= FIRST_SIZE.get(use.owner.operation.name, MOST_ITERATIONS)
        and is_available(use.owner.results[0], here)
        for use in value.uses
    )


def _is_moderate(bound: Linear) -> bool:
    """Whether a bound is a constant or the size of an array, give or take a constant: differences of such fit."""
    return (bound.base is None or isinstance(bound.base, Dim)) and abs(bound.offset) < MOST_ITERATIONS // 4
