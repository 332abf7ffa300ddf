"""Runs the blocks of a vectorised loop at one width.

Note [Last block]: a loop runs in blocks of `lanes` iterations. The last block starts early enough to be full, so some
of its iterations run twice; that is harmless when the loop reads nothing it writes, and lanes that belong to the block
before contribute the neutral element to reductions and sums.
"""

from __future__ import annotations

from tapeless._mlir import arith, ir, scf
from tapeless.passes.ir.build import index
from tapeless.passes.lower.vectorise.accesses import Pattern
from tapeless.passes.lower.vectorise.emit.body import Body
from tapeless.passes.lower.vectorise.emit.values import combined_lanes, op_like
from tapeless.passes.lower.vectorise.panels.packing import Packing
from tapeless.passes.lower.vectorise.panels.panel_buffers import Panels, blocks_in_cache
from tapeless.passes.lower.vectorise.panels.stretches import Stretch, Stretches, summing_loop
from tapeless.passes.lower.vectorise.plan import LanePlan
from tapeless.passes.lower.vectorise.walking import body_of

Values = list[ir.Value]


class Stage:
    """Emits the iterations of a planned loop in blocks; `overlaps` says whether the last one repeats some."""

    def __init__(self, plan: LanePlan, overlaps: bool) -> None:
        self.plan = plan
        self.overlaps = overlaps
        self.body = Body(plan)
        self.values = self.body.values
        self.stretches: Stretches | None = None
        self.stretch: Stretch | None = None
        self.tile: ir.Value | None = None

    def run(self, lower: ir.Value, upper: ir.Value, initial: Values) -> Values:
        """Emits the blocks from `lower` to `upper`; what the loop carries goes in and comes out."""
        plan = self.plan
        pairs = zip(plan.reductions, initial, strict=True)
        partial = [self.values.broadcast(reduction.neutral(value.type)) for reduction, value in pairs]
        packing = self.body.memory.packing = Packing(plan)
        last = arith.SubIOp(upper, index(plan.lanes)).result
        blocks = scf.ForOp(lower, upper, index(plan.lanes), partial)
        with ir.InsertionPoint(blocks.body):
            first = blocks.induction_variable
            if Pattern.PANEL in self.body.memory.panels:
                self.body.memory.panels[Pattern.PANEL].enter(arith.SubIOp(first, lower).result)
            self._block(arith.MinSIOp(first, last).result if self.overlaps else first, blocks)
        packing.free()
        return self._totals(initial, list(blocks.results))

    def run_jammed(self) -> Values:
        """Emits the loop around, which carries nothing; where panels are read, one chunk of blocks after the other."""
        plan, (lower, upper) = self.plan, list(self.plan.loop.operation.operands)[:2]
        copied = plan.panels(Pattern.PANEL)
        if not copied:
            self._run_rows(lower, upper)
            return []
        self.stretches = self._cut()
        blocks = blocks_in_cache(copied, plan.lanes, self.stretches, arith.SubIOp(upper, lower).result)
        panels = Panels(copied, plan.lanes, blocks, self.stretches, waits=self.stretches is not None)
        self.body.memory.panels[Pattern.PANEL] = panels
        chunks = scf.ForOp(lower, upper, panels.size)
        with ir.InsertionPoint(chunks.body):
            begin = chunks.induction_variable
            end = arith.MinSIOp(arith.AddIOp(begin, panels.size).result, upper).result
            if self.stretches is None:
                panels.fill(begin, end)
                self._run_rows(begin, end)
            else:
                self._run_stretches(self.stretches, panels, begin, end)
            scf.YieldOp([])
        panels.free()
        return []

    def _cut(self) -> Stretches | None:
        """The stretches of the loop inside, if it may be cut, with room for the sums of all rows."""
        loop, jam = summing_loop(self.plan), self.plan.jam
        if loop is None or jam is None:
            return None
        lower, upper = list(jam.operation.operands)[:2]
        tiles = arith.CeilDivSIOp(arith.SubIOp(upper, lower).result, index(self.plan.rows)).result
        return Stretches.of(loop, arith.MulIOp(tiles, index(self._sums(loop))).result)

    def _sums(self, loop: ir.Operation) -> int:
        """How many vectors of sums a loop carries at most, for the rows that run together."""
        return self.plan.rows * len(loop.results)

    def _run_stretches(self, stretches: Stretches, panels: Panels, begin: ir.Value, end: ir.Value) -> None:
        each = stretches.each()
        with ir.InsertionPoint(each.body):
            self.stretch = panels.stretch = stretches.at(each.induction_variable)
            panels.fill(begin, end)
            self._run_rows(begin, end)
            scf.YieldOp([])

    def _run_rows(self, begin: ir.Value, end: ir.Value) -> None:
        """Emits the loop around a few rows at a time, and in it the blocks from `begin` to `end`.

        The last rows start early enough to be as many; if there are fewer rows at all, the last one runs repeatedly.
        """
        jam, rows = self.plan.jam, self.plan.rows
        assert jam is not None
        copied = self.plan.panels(Pattern.TILE)
        tiles = self.body.memory.panels[Pattern.TILE] = Panels(copied, rows, index(1), self.stretches)
        tiles.stretch = self.stretch
        lower, upper = list(jam.operation.operands)[:2]
        last, final = (arith.SubIOp(upper, index(count)).result for count in (rows, 1))
        outer = scf.ForOp(lower, upper, index(rows))
        with ir.InsertionPoint(outer.body):
            first = arith.MaxSIOp(arith.MinSIOp(outer.induction_variable, last).result, lower).result
            tiles.fill_first(first, final)
            if self.stretch is not None:
                self.tile = arith.DivUIOp(arith.SubIOp(outer.induction_variable, lower).result, index(rows)).result
            together = [arith.AddIOp(first, index(row)).result for row in range(rows)]
            self.values[body_of(jam).arguments[0]] = [arith.MinSIOp(row, final).result for row in together]
            for op in list(body_of(jam).operations)[:-1]:
                if op.operation == self.plan.loop.operation:
                    self.run(begin, end, [])
                else:
                    self.body.emit(op)
            scf.YieldOp([])
        tiles.free()

    def _block(self, start: ir.Value, blocks: scf.ForOp) -> None:
        block, packing = body_of(self.plan.loop), self.body.memory.packing
        for argument, value in zip(block.arguments, [start, *blocks.inner_iter_args], strict=True):
            self.values[argument] = [value]
        self._count_lanes(start, blocks.induction_variable)
        packing.fill(start)
        if self.stretch is None:
            self.body.emit_block(block)
        else:
            self._block_in(self.stretch)
        packing.flush(start)
        scf.YieldOp([self.values.vector(value) for value in list(block.operations)[-1].operation.operands])

    def _block_in(self, stretch: Stretch) -> None:
        """A block in one stretch: what comes after the loop waits for the last one."""
        for op in stretch.loop.block.operations:
            if op.operation == stretch.loop:
                break
            self.body.emit(op)
        panels = self.body.memory.panels[Pattern.PANEL]
        assert self.tile is not None
        self.body.emit_stretch(stretch, panels.waiting(self.tile, self._sums(stretch.loop)))

    def _count_lanes(self, start: ir.Value, first: ir.Value) -> None:
        """Which lanes run iterations from `first` on, and how many: the others have run in the block before."""
        sums = self.body.sums
        sums.count = index(self.plan.lanes)
        if self.overlaps and (self.plan.reductions or self.plan.analysis.accumulations):
            position = arith.AddIOp(self.values.broadcast(start), self.values.lane_numbers()).result
            sums.fresh = arith.CmpIOp(arith.CmpIPredicate.sge, position, self.values.broadcast(first)).result
            sums.count = arith.SubIOp(sums.count, arith.SubIOp(first, start).result).result

    def _totals(self, initial: Values, partial: Values) -> Values:
        totals = []
        for reduction, first, lanes in zip(self.plan.reductions, initial, partial, strict=True):
            total = combined_lanes(reduction.kind, lanes, reduction.combine)
            operands = [total, total]
            operands[reduction.carried_operand] = first
            totals.append(op_like(reduction.combine, operands, [first.type]).results[0])
        return totals
