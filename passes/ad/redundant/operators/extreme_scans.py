"""The return rule of scans with minima and maxima: sums over the runs of equal results.

```
y = scan min inf as      r[i] = sum of y_bar[j] over the j >= i with y[j] = y[i]
                         a_bar[i] += r[i] where a run begins, which is where y[i-1] is not y[i]
```
The results only get smaller (larger), so that r is a scan from the right of (y_bar, y) with an operator that adds up
what belongs to the largest (smallest) y.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from tapeless._mlir import arith, ir
from tapeless.dialects import ad
from tapeless.passes.ad.operators import component_kinds
from tapeless.passes.ad.redundant.operators.neighbours import rows_or
from tapeless.passes.ad.redundant.scope.sweep import Sweep
from tapeless.passes.ir.build import add, map_, number, scan_

Values = Sequence[ir.Value]
Predicate = arith.CmpFPredicate

# The key of an empty sum, when a key gives way to another, and when one adds to the other.
KEYS = {
    "min": (-math.inf, Predicate.OLT, Predicate.OGE),
    "max": (math.inf, Predicate.OGT, Predicate.OLE),
}


def extreme_back(sweep: Sweep, op: ir.OpView) -> None:
    """Adds the adjoint of the scanned array."""
    result, width = sweep.primal(op.operation.results[0]), sweep.primal(op.width)
    seed = sweep.bars.of(op.operation.results[0])
    type_ = result.type.element_type
    lowest, gives_way, adds = KEYS[component_kinds(op.combine)[0]]

    def sum_of_first(left: Values, right: Values) -> list[ir.Value]:
        """The sum for the key of the left side, or for that of the right where the left has none."""
        is_empty = arith.CmpFOp(gives_way, left[1], right[1]).result
        goes_on = arith.CmpFOp(adds, right[1], left[1]).result
        zero = number(type_, 0.0)
        value = add(arith.SelectOp(is_empty, zero, left[0]).result, arith.SelectOp(goes_on, right[0], zero).result)
        return [value, arith.SelectOp(is_empty, right[1], left[1]).result]

    keys = ad.StopGradientOp(result, result.type).result
    sums, _ = scan_(width, [seed, keys], [number(type_, 0.0), number(type_, lowest)], sum_of_first, reverse=True)

    def body(i: ir.Value, elements: Values, _: Values) -> tuple[list[ir.Value], list[ir.Value]]:
        (before,) = rows_or([keys], i, -1, width, [number(type_, math.nan)])
        goes_on = arith.CmpFOp(Predicate.OEQ, before, elements[1]).result
        return [arith.SelectOp(goes_on, number(type_, 0.0), elements[0]).result], []

    sweep.bars.add(op.inputs[0], map_(width, [sums, keys], [], body)[0][0])
