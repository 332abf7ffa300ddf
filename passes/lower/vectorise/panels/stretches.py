"""Long sums of products in stretches: the copies of one stretch stay in the caches while all rows read them.

```
for chunk of blocks of columns:
    for stretch of k:
        pack the panels of b along the stretch
        for 8 rows:
            pack the tile of a along the stretch
            for block in chunk: 8 x 2 registers of sums, from where the stretch before left them; for k in the stretch
```
Tiles are packed again for every chunk of columns; without stretches, long sums leave room for one block in a chunk.
Every sum is taken in the order of the loop: between stretches it waits in memory, behind the panel of its block.
"""

from __future__ import annotations

from collections.abc import Sequence

from tapeless._mlir import arith, ir, scf, vector
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.ir.build import index
from tapeless.passes.ir.regions.structure import arguments_of
from tapeless.passes.ir.sizes.sizes import constant_int
from tapeless.passes.lower.vectorise.accesses import Pattern
from tapeless.passes.lower.vectorise.lanes import Lanes
from tapeless.passes.lower.vectorise.plan import LanePlan
from tapeless.passes.lower.vectorise.walking import body_of, memref_of, nested, op_name

# The iterations of a stretch: as many at least, and fewer than twice as many.
SHORTEST = 512


def summing_loop(plan: LanePlan) -> ir.Operation | None:
    """The loop that runs in stretches: the only one inside, along which all copies are read, and which carries sums.

    There are tiles among these copies: rows of an array need no packing, and are read as fast in one go.
    """
    copied = [panel for pattern in (Pattern.PANEL, Pattern.TILE) for panel in plan.panels(pattern)]
    loops = [op.operation for op in nested(body_of(plan.loop)) if op_name(op) == "scf.for"]
    if len(loops) != 1 or loops[0].block != body_of(plan.loop):
        return None
    if not plan.panels(Pattern.PANEL) or not plan.panels(Pattern.TILE):
        return None
    (loop,) = loops
    known = constant_int(loop.operands[1])
    if known is not None and known < 2 * SHORTEST:
        return None
    if any(panel.loops != (body_of(loop).arguments[0],) for panel in copied):
        return None
    if any(access.pattern is Pattern.PACKED for access in plan.accesses.values()):
        return None
    sums, element = arguments_of(loop, "carried"), _element(plan)
    may_wait = all(plan.analysis.of(sum_) is Lanes.VARYING and sum_.type == element for sum_ in sums)
    return loop if sums and may_wait else None


def _element(plan: LanePlan) -> ir.Type:
    """The type of the numbers in the panels behind which sums wait."""
    first = next(op for op, access in plan.accesses.items() if access.pattern is Pattern.PANEL)
    return ir.MemRefType(memref_of(first).type).element_type


@dataclass(frozen=True)
class Stretches:
    """How a loop is cut: into stretches of `size` iterations, of which there is one at least.

    Where there are several, `spare` vectors of sums wait behind the panel of each block.
    """

    loop: ir.Operation
    size: ir.Value
    spare: ir.Value

    @staticmethod
    def of(loop: ir.Operation, sums: ir.Value) -> Stretches:
        """Those of a loop that counts from zero, with so many sums for each block."""
        end = loop.operands[1]
        count = arith.MaxSIOp(arith.DivUIOp(end, index(SHORTEST)).result, index(1)).result
        size = arith.MaxSIOp(arith.CeilDivUIOp(end, count).result, index(1)).result
        are_several = arith.CmpIOp(arith.CmpIPredicate.sgt, count, index(1)).result
        return Stretches(loop, size, arith.SelectOp(are_several, sums, index(0)).result)

    def length(self, waits: bool) -> ir.Value:
        """How many vectors the panel of a block has room for, with those of sums or without."""
        return arith.AddIOp(self.size, self.spare).result if waits else self.size

    def each(self) -> scf.ForOp:
        """The loop over the stretches; a loop without iterations is one of them."""
        end = arith.MaxSIOp(self.loop.operands[1], index(1)).result
        return scf.ForOp(index(0), end, self.size)

    def at(self, begin: ir.Value) -> Stretch:
        """The stretch that begins at an iteration."""
        whole = self.loop.operands[1]
        end = arith.MinSIOp(arith.AddIOp(begin, self.size).result, whole).result
        is_first = arith.CmpIOp(arith.CmpIPredicate.eq, begin, index(0)).result
        is_last = arith.CmpIOp(arith.CmpIPredicate.eq, end, whole).result
        return Stretch(self.loop, begin, end, is_first, is_last)


@dataclass(frozen=True)
class Stretch:
    """Iterations of the loop from `begin` to `end`."""

    loop: ir.Operation
    begin: ir.Value
    end: ir.Value
    is_first: ir.Value
    is_last: ir.Value

    @property
    def size(self) -> ir.Value:
        return arith.SubIOp(self.end, self.begin).result


@dataclass(frozen=True)
class Waiting:
    """Where the sums of a block of columns and a few rows wait for the next stretch."""

    buffer: ir.Value
    block: ir.Value
    first: ir.Value

    def started(self, stretch: Stretch, initial: Sequence[ir.Value]) -> list[ir.Value]:
        """What sums start from: their start in the first stretch, later what waits."""
        choice = scf.IfOp(stretch.is_first, [value.type for value in initial], has_else=True)
        with ir.InsertionPoint(choice.then_block):
            scf.YieldOp(list(initial))
        with ir.InsertionPoint(choice.else_block):
            types = [value.type for value in initial]
            scf.YieldOp([vector.LoadOp(type_, self.buffer, self._place(k)).result for k, type_ in enumerate(types)])
        return list(choice.results)

    def store(self, sums: Sequence[ir.Value]) -> None:
        """Leaves sums for the next stretch."""
        for number, value in enumerate(sums):
            vector.StoreOp(value, self.buffer, self._place(number))

    def _place(self, number: int) -> list[ir.Value]:
        return [self.block, arith.AddIOp(self.first, index(number)).result, index(0)]
