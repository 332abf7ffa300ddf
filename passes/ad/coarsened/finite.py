"""Whether numbers are finite, all of them by one comparison."""

from __future__ import annotations

from collections.abc import Sequence

from tapeless._mlir import arith, ir
from tapeless.passes.ir.build import any_order, elementwise, is_array, number, sum_all
from tapeless.passes.ir.guards import widest


def are_finite(values: Sequence[ir.Value], *marks: str) -> ir.Value:
    """Whether the sum of values is finite, which it is only if they are; marks say who asks.

    It may overflow where none of them does: who asks has another way for that, which is right and slower.
    """
    total, *rest = widest([_looked_at(value) for value in values])
    for value in rest:
        total = arith.AddFOp(total, value, fastmath=any_order()).result
    zero = number(total.type, 0.0)
    nothing = arith.MulFOp(total, zero).result
    result = arith.CmpFOp(arith.CmpFPredicate.OEQ, nothing, zero).result
    for mark in marks:
        result.owner.attributes[mark] = ir.UnitAttr.get()
    return result


def _looked_at(value: ir.Value) -> ir.Value:
    """A number that is finite only if a value is: for an array, the sum of zero times its elements."""
    return sum_all(elementwise(_nothing, value)) if is_array(value) else value


def _nothing(element: ir.Value) -> ir.Value:
    return arith.MulFOp(element, number(element.type, 0.0)).result
