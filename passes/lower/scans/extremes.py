"""The smaller or larger of a running value and an element, in a form that the next step waits for only briefly.

```mlir
%m = arith.minimumf %running, %x : f64
```
becomes `%x if %x < %running else %running`, a single machine instruction, and then `%x` if that is NaN, which does not
depend on the running value. Of zeros with different signs the first is kept.
"""

from __future__ import annotations

from tapeless._mlir import arith, ir
from tapeless.passes.lower.loops.builder import Builder

BETTER = {"arith.minimumf": arith.CmpFPredicate.OLT, "arith.maximumf": arith.CmpFPredicate.OGT}
UNORDERED = arith.CmpFPredicate.UNO


def extreme_or_first(builder: Builder, name: str, first: ir.Value, second: ir.Value) -> ir.Value:
    """`arith.minimumf` or `arith.maximumf` of scalars or vectors, with the first of two equal zeros."""
    better = compare(builder, BETTER[name], second, first)
    chosen = builder.value("arith.select", first.type, [better, second, first])
    is_nan = compare(builder, UNORDERED, second, second)
    return builder.value("arith.select", first.type, [is_nan, second, chosen])


def compare(builder: Builder, predicate: arith.CmpFPredicate, left: ir.Value, right: ir.Value) -> ir.Value:
    """A comparison of floats or, lane by lane, of vectors of them."""
    bit = ir.IntegerType.get_signless(1)
    is_vector = isinstance(left.type, ir.VectorType)
    type_ = ir.VectorType.get(ir.VectorType(left.type).shape, bit) if is_vector else bit
    number = ir.IntegerAttr.get(ir.IntegerType.get_signless(64), predicate.value)
    return builder.value("arith.cmpf", type_, [left, right], predicate=number)
