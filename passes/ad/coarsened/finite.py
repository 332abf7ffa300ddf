"""Whether numbers are finite, all of them by one comparison."""

from __future__ import annotations

from collections.abc import Sequence

from tapeless._mlir import arith, ir
from tapeless.passes.ir.build import any_order, number
from tapeless.passes.ir.guards import widest
from tapeless.passes.marks import GUARDED


def are_finite(values: Sequence[ir.Value], mark: str = GUARDED) -> ir.Value:
    """Whether the sum of values is finite, which it is only if they are; the mark says who asks.

    It may overflow where none of them does: who asks has another way for that, which is right and slower.
    """
    total, *rest = widest(values)
    for value in rest:
        total = arith.AddFOp(total, value, fastmath=any_order()).result
    zero = number(total.type, 0.0)
    nothing = arith.MulFOp(total, zero).result
    result = arith.CmpFOp(arith.CmpFPredicate.OEQ, nothing, zero).result
    result.owner.attributes[mark] = ir.UnitAttr.get()
    return result
