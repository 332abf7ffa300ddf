"""Reductions in one another that combine alike: one reduction over all elements, whose threads run side by side.

```mlir
%s = "soac.fused"(%n, %x) ({ "soac.fused"(%m, %row) ({...}, {addf}) }, {addf})      // n times m elements
```
A thread takes every so many elements. It finds the place of its first one by divisions, and steps from there: what it
adds to the index of an axis is the same every time, and what goes beyond the axis is carried to the next.
"""

from __future__ import annotations

from collections.abc import Sequence

from tapeless._mlir import arith, ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.ir.search import ops_named
from tapeless.passes.lower.loops.builder import Builder, Index
from tapeless.passes.lower.loops.bulk import end_region
from tapeless.passes.lower.loops.combinators import Reduction
from tapeless.passes.lower.storage.tree import Node


@dataclass(frozen=True)
class NestedReduction:
    """A reduction, those in it, outer ones first, and how many iterations each has, its own first."""

    opened: Reduction
    inner: list[Node]
    widths: list[Index]

    @staticmethod
    def of(opened: Reduction, depth: int) -> NestedReduction:
        """A reduction with so many in one another inside, according to its schedule."""
        emitter, nodes = opened.emitter, [opened.node]
        for _ in range(depth):
            nodes.append(next(node for node in nodes[-1].regions[0] if node.regions))
        widths = [opened.width, *(emitter.index(node.op.width) for node in nodes[1:])]
        return NestedReduction(opened, nodes[1:], [emitter.builder.arith("arith.maxsi", each, 0) for each in widths])

    @property
    def total(self) -> Index:
        """How many elements there are."""
        builder, total = self.opened.emitter.builder, self.widths[0]
        for width in self.widths[1:]:
            total = builder.mul(total, width)
        return total

    def run(self, number: Index, threads: Index) -> list[ir.Value]:
        """Reduces every so many elements, beginning with this one."""
        emitter, builder = self.opened.emitter, self.opened.emitter.builder
        total, steps = self.total, _places(builder, threads, self.widths)
        firsts = [builder.as_value(place) for place in _places(builder, number, self.widths)]
        loop = builder.begin_for(number, total, threads, [*firsts, *self.opened.starts])
        places, starts = list(loop.carried)[: len(firsts)], list(loop.carried)[len(firsts) :]
        (low, high), *inner = [(place, builder.as_value(builder.add(place, 1))) for place in places]
        emitter.only |= dict(zip(self.inner, inner, strict=True))
        reduced = self.opened.run(low, high, starts)
        for node in self.inner:
            del emitter.only[node]
        end_region(emitter, [*_next(builder, places, steps, self.widths), *reduced])
        bounds = {(low, high), *inner}
        emitter.run_once += [
            each.operation
            for each in ops_named(loop.op.opview, "scf.for")
            if tuple(each.operation.operands)[:2] in bounds
        ]
        return list(loop.op.results)[len(firsts) :]


def _places(builder: Builder, number: Index, widths: Sequence[Index]) -> list[Index]:
    """The index along every axis of the element with this number; the last axis runs fastest."""
    places: list[Index] = []
    for width in widths[:0:-1]:
        size = builder.arith("arith.maxsi", width, 1)
        places.insert(0, builder.arith("arith.remui", number, size))
        number = builder.arith("arith.divui", number, size)
    return [number, *places]


def _next(
    builder: Builder, places: Sequence[ir.Value], steps: Sequence[Index], widths: Sequence[Index]
) -> list[ir.Value]:
    """The indices so many elements further on."""
    found: list[ir.Value] = []
    carry: Index = 0
    for place, step, width in list(zip(places, steps, widths, strict=True))[:0:-1]:
        moved = builder.as_value(builder.add(builder.add(place, step), carry))
        is_beyond = _is_at_least(builder, moved, width)
        back = builder.as_value(builder.sub(moved, width))
        found.insert(0, _select(builder, is_beyond, back, moved))
        carry = _select(builder, is_beyond, 1, 0)
    return [builder.as_value(builder.add(builder.add(places[0], steps[0]), carry)), *found]


def _is_at_least(builder: Builder, left: ir.Value, right: Index) -> ir.Value:
    predicate = ir.IntegerAttr.get(ir.IntegerType.get_signless(64), arith.CmpIPredicate.uge.value)
    operands = [left, builder.as_value(right)]
    return builder.value("arith.cmpi", ir.IntegerType.get_signless(1), operands, predicate=predicate)


def _select(builder: Builder, condition: ir.Value, one: Index, other: Index) -> ir.Value:
    return builder.value("arith.select", builder.index, [condition, *map(builder.as_value, (one, other))])
