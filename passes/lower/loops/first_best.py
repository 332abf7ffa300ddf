"""The first place of the smallest or largest element, in two loops: what it is, then where.

```mlir
%best, %place = scf.for %i ... {          %best = scf.for %i ... { minimumf %x[%i] }
  the better of %x[%i] and %best,         %place = scf.for %i ... { minsi of %i where %x[%i] is %best, or not a number }
  the earlier of equal ones
}
```
Each of them runs in vectors, which one loop that carries both does not. NaN is better than every number, as the best of
numbers is NaN where there is one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tapeless._mlir import arith, ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.lower.loops.builder import Index
from tapeless.passes.lower.loops.bulk import element, end_region
from tapeless.passes.lower.loops.emitter import Emitter
from tapeless.passes.lower.loops.updates import SUM_FLAGS
from tapeless.passes.lower.loops.views import Along, View
from tapeless.passes.lower.storage.tree import Node

FLOATS = {"f32", "f64"}
# By whether the largest is wanted.
EXTREME_FLOATS = {False: "arith.minimumf", True: "arith.maximumf"}
EXTREME_INTEGERS = {False: "arith.minsi", True: "arith.maxsi"}


@dataclass(frozen=True)
class FirstBest:
    """A reduction that finds the first place of the best element of an array, and gives nothing else that is used."""

    emitter: Emitter
    node: Node
    view: View
    is_largest: bool

    @staticmethod
    def of(emitter: Emitter, node: Node) -> FirstBest | None:
        """The search that a fused operator is according to its schedule, where neighbours are neighbours in memory."""
        found = getattr(emitter.schedule(node), "finds", "")
        if not found:
            return None
        arrays = dict(zip(node.arguments()[1:], node.op.inputs, strict=True))
        view = emitter.view(arrays[node.terminator.operands[0]])
        return FirstBest(emitter, node, view, found == "largest") if _is_in_order(view) else None

    def run(self, low: Index, high: Index, starts: Sequence[ir.Value], step: Index = 1) -> list[ir.Value]:
        """The best element and its place among iterations from `low` to `high`, from the neutral values."""
        builder, (worst, nowhere) = self.emitter.builder, starts
        loop = builder.begin_for(low, high, step, [worst], reducing=True)
        best = self._better(loop.carried[0], element(builder, self.view, loop.variable))
        end_region(self.emitter, [best])
        search = builder.begin_for(low, high, step, [nowhere], reducing=True)
        is_here = self._is_best(element(builder, self.view, search.variable), loop.op.results[0])
        here = builder.value("arith.index_cast", nowhere.type, [search.variable])
        found = builder.value("arith.select", nowhere.type, [is_here, here, nowhere])
        first = builder.value("arith.minsi", nowhere.type, [search.carried[0], found])
        end_region(self.emitter, [first])
        return [loop.op.results[0], search.op.results[0]]

    def _better(self, left: ir.Value, right: ir.Value) -> ir.Value:
        builder = self.emitter.builder
        if str(left.type) in FLOATS:
            flags = ir.Attribute.parse(SUM_FLAGS)
            return builder.value(EXTREME_FLOATS[self.is_largest], left.type, [left, right], fastmath=flags)
        return builder.value(EXTREME_INTEGERS[self.is_largest], left.type, [left, right])

    def _is_best(self, value: ir.Value, best: ir.Value) -> ir.Value:
        if str(value.type) not in FLOATS:
            return self._compared("arith.cmpi", arith.CmpIPredicate.eq, value, best)
        is_equal = self._compared("arith.cmpf", arith.CmpFPredicate.OEQ, value, best)
        is_nan = self._compared("arith.cmpf", arith.CmpFPredicate.UNO, value, value)
        return self.emitter.builder.value("arith.ori", is_equal.type, [is_equal, is_nan])

    def _compared(self, name: str, predicate: Any, left: ir.Value, right: ir.Value) -> ir.Value:
        bit, word = (ir.IntegerType.get_signless(width) for width in (1, 64))
        number = ir.IntegerAttr.get(word, predicate.value)
        return self.emitter.builder.value(name, bit, [left, right], predicate=number)


def _is_in_order(view: View) -> bool:
    """Whether neighbouring elements are neighbours in memory."""
    last = view.axes[-1]
    return isinstance(last, Along) and isinstance(last.stride, int) and last.stride == 1
