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

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

from tapeless._mlir import arith, ir
from tapeless.passes.ir.sizes.sizes import constant_int
from tapeless.passes.lower.loops.builder import Index
from tapeless.passes.lower.loops.bulk import element, end_region
from tapeless.passes.lower.loops.emitter import Emitter
from tapeless.passes.lower.loops.updates import SUM_FLAGS
from tapeless.passes.lower.loops.views import Along, View
from tapeless.passes.lower.schedule.symmetry import Unknown, evaluated
from tapeless.passes.lower.storage.tree import Node

# Fewer elements are looked at one by one.
FEWEST = 16
FLOATS = {"f32", "f64"}
# By whether the largest is wanted.
EXTREME_FLOATS = {False: "arith.minimumf", True: "arith.maximumf"}
EXTREME_INTEGERS = {False: "arith.minsi", True: "arith.maxsi"}
NUMBERS, PLACES = (0.0, 1.0), (0.0, 1.0)


@dataclass(frozen=True)
class FirstBest:
    """A reduction that finds the first place of the best element of an array, and gives nothing else that is used."""

    emitter: Emitter
    node: Node
    view: View
    is_largest: bool

    @staticmethod
    def of(emitter: Emitter, node: Node) -> FirstBest | None:
        """The search that a fused operator is, where a processor gains from reading the array twice."""
        array = _searched_array(node)
        if not emitter.scheduler.reads_again or array is None or emitter.plan.tree.uses[node.results[0]]:
            return None
        known = constant_int(node.op.width)
        view = emitter.view(array)
        if (known is not None and known < FEWEST) or not _is_in_order(view) or not _starts_nowhere(node):
            return None
        for is_largest in (False, True):
            if _finds_first(node, is_largest):
                return FirstBest(emitter, node, view, is_largest)
        return None

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


def _starts_nowhere(node: Node) -> bool:
    """Whether the place to start from is behind all others; programs may start from one that an element has."""
    nowhere = node.op.reduce_neutral[1]
    return constant_int(nowhere) == (1 << (ir.IntegerType(nowhere.type).width - 1)) - 1


def _is_in_order(view: View) -> bool:
    """Whether neighbouring elements are neighbours in memory."""
    last = view.axes[-1]
    return isinstance(last, Along) and isinstance(last.stride, int) and last.stride == 1


def _searched_array(node: Node) -> ir.Value | None:
    """The vector of whose elements, with their places, a fused operator chooses."""
    op = node.op
    if len(op.reduce_neutral) != 2 or len(node.results) != 2 or len(op.scan_neutral):
        return None
    value, place = node.terminator.operands
    counter, *elements = node.arguments()
    makers = {result: inner for inner in node.regions[0] for result in inner.results}
    counts = place in makers and makers[place].name == "arith.index_cast" and makers[place].operands[0] == counter
    if not counts or value not in elements:
        return None
    array = op.inputs[elements.index(value)]
    return array if ir.RankedTensorType(array.type).rank == 1 else None


def _finds_first(node: Node, is_largest: bool) -> bool:
    """Whether an operator that compares and chooses takes the better of two elements, the earlier of equal ones."""
    arguments, results = node.arguments(1), node.regions[1][-1].operands
    makers = {value: inner for inner in node.regions[1][:-1] for value in inner.results}
    numbers = (math.nan, *NUMBERS) if str(arguments[0].type) in FLOATS else NUMBERS
    pairs = list(product(numbers, PLACES))
    try:
        for left, right in product(pairs, pairs):
            known: dict[ir.Value, Any] = dict(zip(arguments, (*left, *right), strict=True))
            found = [evaluated(result, makers, known) for result in results]
            wanted = right if _is_better(right, left, is_largest) else left
            if not all(_is_same(*each) for each in zip(found, wanted, strict=True)):
                return False
    except Unknown:
        return False
    return True


def _is_better(one: tuple[float, float], other: tuple[float, float], is_largest: bool) -> bool:
    sign = -1.0 if is_largest else 1.0
    return _rank(one[0], sign) < _rank(other[0], sign) or (
        _rank(one[0], sign) == _rank(other[0], sign) and one[1] < other[1]
    )


def _rank(value: float, sign: float) -> float:
    return -math.inf if math.isnan(value) else sign * value


def _is_same(found: Any, wanted: float) -> bool:
    return isinstance(found, float) and (found == wanted or (math.isnan(found) and math.isnan(wanted)))
