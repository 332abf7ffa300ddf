"""Writes the vector form of a planned loop.

Note [Last block]: the loop runs in blocks of `lanes` iterations. The last block starts early enough to be full, so some
of its iterations run twice; that is harmless when the loop reads nothing it writes, and lanes that belong to the block
before contribute the neutral element to reductions and sums. A loop that does read what it writes finishes one at a
time.
"""

from __future__ import annotations

from collections.abc import Callable

from tapeless._mlir import arith, ir, scf
from tapeless.passes.lower.spmd.blocks import body_of, nested, op_name
from tapeless.passes.lower.spmd.lanes import Lanes
from tapeless.passes.lower.spmd.memory import Memory
from tapeless.passes.lower.spmd.packing import Packing
from tapeless.passes.lower.spmd.plan import Plan
from tapeless.passes.lower.spmd.values import LaneValues, combined_lanes, op_like
from tapeless.passes.soac.build import index

FINAL = "#llvm.loop_annotation<vectorize = <disable = true>, unroll = <disable = true>>"


def vectorise(plan: Plan) -> None:
    """Replaces the planned loop, and the one jammed with it, by vector code; few iterations still run one by one."""
    outer = plan.jam if plan.jam is not None else plan.loop
    with ir.InsertionPoint(outer), outer.location:
        enough = _has_trips(plan.loop, plan.lanes)
        if plan.jam is not None:
            enough = arith.AndIOp(enough, _has_trips(plan.jam, plan.rows)).result
        types = [result.type for result in outer.operation.results]
        choice = scf.IfOp(enough, types, has_else=True)
        with ir.InsertionPoint(choice.else_block):
            scalar = outer.operation.clone()
            scf.YieldOp(list(scalar.results))
        with ir.InsertionPoint(choice.then_block):
            scf.YieldOp(Emitter(plan).run())
    for old, new in zip(outer.operation.results, choice.results, strict=True):
        old.replace_all_uses_with(new)
    outer.operation.erase()
    _leave_as_they_are(choice)


def _leave_as_they_are(choice: scf.IfOp) -> None:
    """Tells LLVM not to vectorise or unroll these loops again: it would cost compile time and gain nothing."""
    annotation = ir.Attribute.parse(FINAL)
    for op in (op for block in (choice.then_block, choice.else_block) for op in nested(block)):
        if op_name(op) == "scf.for":
            op.operation.attributes["loop_annotation"] = annotation


def _has_trips(loop: ir.Operation, count: int) -> ir.Value:
    lower, upper = list(loop.operation.operands)[:2]
    trips = arith.SubIOp(upper, lower).result
    return arith.CmpIOp(arith.CmpIPredicate.sge, trips, index(count)).result


class Emitter:
    """Emits one planned loop at the insertion point."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.values = LaneValues(plan)
        self.memory = Memory(plan, self.values)
        self.fresh: ir.Value | None = None

    def run(self) -> list[ir.Value]:
        """Emits the loop; the values replace its results."""
        return self._blocks() if self.plan.jam is None else self._jammed()

    def _jammed(self) -> list[ir.Value]:
        """The loop around, a few rows at a time."""
        jam, rows = self.plan.jam, self.plan.rows
        lower, upper = list(jam.operation.operands)[:2]
        last = arith.SubIOp(upper, index(rows)).result
        outer = scf.ForOp(lower, upper, index(rows))
        with ir.InsertionPoint(outer.body):
            first = arith.MinSIOp(outer.induction_variable, last).result
            self.values[body_of(jam).arguments[0]] = [arith.AddIOp(first, index(row)).result for row in range(rows)]
            for op in list(body_of(jam).operations)[:-1]:
                if op.operation == self.plan.loop.operation:
                    self._blocks()
                else:
                    self._emit(op)
            scf.YieldOp([])
        return []

    def _blocks(self) -> list[ir.Value]:
        plan = self.plan
        lower, upper = self.values.scalars(list(plan.loop.operation.operands)[:2])
        initial = list(plan.loop.operation.operands)[3:]
        pairs = zip(plan.reductions, initial, strict=True)
        partial = [self.values.broadcast(reduction.neutral(value.type)) for reduction, value in pairs]
        self.memory.packing = Packing(plan)
        last = arith.SubIOp(upper, index(plan.lanes)).result
        end = upper if plan.may_repeat else self._end_of_whole_blocks(lower, upper)
        blocks = scf.ForOp(lower, end, index(plan.lanes), partial)
        with ir.InsertionPoint(blocks.body):
            self._block(arith.MinSIOp(blocks.induction_variable, last).result, blocks)
        self.memory.packing.free()
        totals = self._totals(initial, list(blocks.results))
        return totals if plan.may_repeat else self._one_at_a_time(end, upper, totals)

    def _end_of_whole_blocks(self, lower: ir.Value, upper: ir.Value) -> ir.Value:
        rest = arith.RemSIOp(arith.SubIOp(upper, lower).result, index(self.plan.lanes)).result
        return arith.SubIOp(upper, rest).result

    def _one_at_a_time(self, lower: ir.Value, upper: ir.Value, carried: list[ir.Value]) -> list[ir.Value]:
        rest = self.plan.loop.operation.clone()
        rest.operands[0], rest.operands[1] = lower, upper
        for position, value in enumerate(carried):
            rest.operands[3 + position] = value
        return list(rest.results)

    def _block(self, start: ir.Value, blocks: scf.ForOp) -> None:
        block = body_of(self.plan.loop)
        for argument, value in zip(block.arguments, [start, *blocks.inner_iter_args], strict=True):
            self.values[argument] = [value]
        if self.plan.reductions or self.plan.analysis.accumulations:
            self.fresh = self._fresh_lanes(start, blocks.induction_variable)
        self.memory.packing.fill(start)
        self._emit_block(block)
        self.memory.packing.flush(start)
        scf.YieldOp([self.values.vector(value) for value in list(block.operations)[-1].operation.operands])

    def _fresh_lanes(self, start: ir.Value, first: ir.Value) -> ir.Value:
        """The lanes from iteration `first` on; the others have run in the block before."""
        position = arith.AddIOp(self.values.broadcast(start), self.values.lane_numbers()).result
        return arith.CmpIOp(arith.CmpIPredicate.sge, position, self.values.broadcast(first)).result

    def _totals(self, initial: list[ir.Value], partial: list[ir.Value]) -> list[ir.Value]:
        totals = []
        for reduction, first, lanes in zip(self.plan.reductions, initial, partial, strict=True):
            total = combined_lanes(reduction.kind, lanes, reduction.combine)
            operands = [total, total]
            operands[reduction.carried_operand] = first
            totals.append(op_like(reduction.combine, operands, [first.type]).results[0])
        return totals

    def _emit_block(self, block: ir.Block) -> None:
        for op in list(block.operations)[:-1]:
            self._emit(op)

    def _emit(self, op: ir.Operation) -> None:
        emitters: dict[str, Callable[[ir.Operation], None]] = {
            "memref.load": self.memory.load,
            "memref.store": self.memory.store,
            "memref.alloc": self._emit_nothing,
            "memref.alloca": self._emit_nothing,
            "memref.dealloc": self._emit_nothing,
            "scf.for": self._emit_for,
            "scf.if": self._emit_if,
        }
        sums = self.plan.analysis.accumulations
        with op.location:
            if op.operation in sums.by_store:
                self.memory.add(sums.by_store[op.operation], self.fresh)
            elif op.operation not in sums.skipped:
                emitters.get(op_name(op), self._emit_elementwise)(op)

    def _emit_nothing(self, op: ir.Operation) -> None:
        del op

    def _emit_elementwise(self, op: ir.Operation) -> None:
        operands, results = list(op.operation.operands), list(op.operation.results)
        varies = any(self.values.varies(result) for result in results)
        types = [self.values.lane_type(result.type) if varies else result.type for result in results]
        form = self.values.vector if varies else self.values.scalar
        rows = []
        for row in range(self.values.rows_of(operands)):
            values = [form(value, row) for value in operands]
            self._neutralise_repeated(op, values)
            rows.append(list(op_like(op, values, types).results))
        for position, result in enumerate(results):
            self.values[result] = [row[position] for row in rows]

    def _neutralise_repeated(self, op: ir.Operation, values: list[ir.Value]) -> None:
        """What repeated lanes contribute to a reduction becomes the neutral element."""
        for reduction in self.plan.reductions:
            if reduction.combine.operation == op.operation:
                position = 1 - reduction.carried_operand
                neutral = self.values.broadcast(reduction.neutral(op.operation.results[0].type))
                values[position] = arith.SelectOp(self.fresh, values[position], neutral).result

    def _emit_for(self, op: ir.Operation) -> None:
        operands, block = list(op.operation.operands), body_of(op)
        carried = list(block.arguments)[1:]
        initial = [self.values.carried_as(argument, v) for argument, v in zip(carried, operands[3:], strict=True)]
        loop = scf.ForOp(*self.values.scalars(operands[:3]), [value for states in initial for value in states])
        with ir.InsertionPoint(loop.body):
            self.values[block.arguments[0]] = [loop.induction_variable]
            self.values.bind(carried, list(loop.inner_iter_args), initial)
            self._emit_block(block)
            pairs = zip(carried, list(block.operations)[-1].operation.operands, strict=True)
            scf.YieldOp([value for argument, v in pairs for value in self.values.carried_as(argument, v)])
        self.values.bind(list(op.operation.results), list(loop.results), initial)

    def _emit_if(self, op: ir.Operation) -> None:
        condition = op.operation.operands[0]
        if self.plan.analysis.of(condition) is not Lanes.UNIFORM:
            self._emit_both_branches(op)
            return
        results = list(op.operation.results)
        blocks = [region.blocks[0] for region in op.operation.regions if len(region.blocks)]
        types = [self.values.lane_type(r.type) if self.values.varies(r) else r.type for r in results]
        choice = scf.IfOp(self.values.scalar(condition), types, has_else=len(blocks) == 2)
        for block, target in zip(blocks, (choice.then_block, choice.else_block), strict=False):
            with ir.InsertionPoint(target):
                self._emit_block(block)
                pairs = zip(results, list(block.operations)[-1].operation.operands, strict=True)
                scf.YieldOp([self.values.carried_as(result, value)[0] for result, value in pairs])
        for result, value in zip(results, choice.results, strict=True):
            self.values[result] = [value]

    def _emit_both_branches(self, op: ir.Operation) -> None:
        blocks = [region.blocks[0] for region in op.operation.regions]
        for block in blocks:
            self._emit_block(block)
        yields = [list(block.operations)[-1].operation.operands for block in blocks]
        condition, values = op.operation.operands[0], self.values
        for result, then, other in zip(op.operation.results, *yields, strict=True):
            self.values[result] = [
                arith.SelectOp(values.vector(condition, r), values.vector(then, r), values.vector(other, r)).result
                for r in range(values.rows_of([condition, then, other]))
            ]
