"""Writes the vector form of a planned loop.

Note [Last block]: the loop runs in blocks of `lanes` iterations. The last block starts early enough to be full, so some
of its iterations run twice; that is harmless when the loop reads nothing it writes, and lanes that belong to the block
before contribute the neutral element to reductions. A loop that does read what it writes finishes one at a time.
"""

from __future__ import annotations

from collections.abc import Callable

from tapeless._mlir import arith, ir, memref, scf, vector
from tapeless.passes.lower.spmd.accesses import Access, Pattern
from tapeless.passes.lower.spmd.accumulations import Accumulation
from tapeless.passes.lower.spmd.blocks import body_of, indices_of, memref_of, nested, op_name
from tapeless.passes.lower.spmd.lanes import LaneAnalysis, Lanes
from tapeless.passes.lower.spmd.packing import Packing
from tapeless.passes.lower.spmd.plan import Plan
from tapeless.passes.lower.spmd.private import lane_buffers

Copies = list[ir.Value]
FINAL = "#llvm.loop_annotation<vectorize = <disable = true>, unroll = <disable = true>>"


def number(type_: ir.Type, value: float) -> ir.Value:
    """A constant of a scalar type at the current insertion point."""
    is_float = isinstance(type_, ir.F64Type | ir.F32Type)
    attr = ir.FloatAttr.get(type_, value) if is_float else ir.IntegerAttr.get(type_, int(value))
    return arith.ConstantOp(type_, attr).result


def index_constant(value: int) -> ir.Value:
    """An `index` constant at the current insertion point."""
    return arith.ConstantOp(ir.IndexType.get(), value).result


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
    return arith.CmpIOp(arith.CmpIPredicate.sge, trips, index_constant(count)).result


class Emitter:
    """Emits one planned loop: every value of the body has one copy per jammed row, each a scalar or a vector."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.copies: dict[ir.Value, Copies] = {}
        self.buffers: dict[ir.Value, ir.Value] = {}
        self.keep: ir.Value | None = None
        self.rows = LaneAnalysis(plan.jam) if plan.jam is not None else None

    def run(self) -> list[ir.Value]:
        """Emits the loop at the insertion point; the result values replace the loop's."""
        self.buffers = lane_buffers(self.plan)
        if self.plan.jam is None:
            return self._blocks()
        lower, upper = list(self.plan.jam.operation.operands)[:2]
        rows = self.plan.rows
        last = arith.SubIOp(upper, index_constant(rows)).result
        outer = scf.ForOp(lower, upper, index_constant(rows))
        with ir.InsertionPoint(outer.body):
            first = arith.MinSIOp(outer.induction_variable, last).result
            variable = body_of(self.plan.jam).arguments[0]
            self.copies[variable] = [arith.AddIOp(first, index_constant(row)).result for row in range(rows)]
            for op in list(body_of(self.plan.jam).operations)[:-1]:
                if op.operation == self.plan.loop.operation:
                    self._blocks()
                else:
                    self._emit(op)
            scf.YieldOp([])
        return []

    def _blocks(self) -> list[ir.Value]:
        plan = self.plan
        lower, upper = (self._one(bound) for bound in list(plan.loop.operation.operands)[:2])
        initial = list(plan.loop.operation.operands)[3:]
        partial = [
            self._broadcast(reduction.neutral(value.type))
            for reduction, value in zip(plan.reductions, initial, strict=True)
        ]
        self.packing = Packing(plan)
        width = index_constant(plan.lanes)
        last = arith.SubIOp(upper, width).result
        end = upper if plan.may_repeat else self._whole_blocks_end(lower, upper)
        blocks = scf.ForOp(lower, end, width, partial)
        with ir.InsertionPoint(blocks.body):
            start = arith.MinSIOp(blocks.induction_variable, last).result
            self._block(start, blocks)
        self.packing.free()
        totals = self._totals(initial, list(blocks.results))
        return totals if plan.may_repeat else self._one_at_a_time(end, upper, totals)

    def _whole_blocks_end(self, lower: ir.Value, upper: ir.Value) -> ir.Value:
        rest = arith.RemSIOp(arith.SubIOp(upper, lower).result, index_constant(self.plan.lanes)).result
        return arith.SubIOp(upper, rest).result

    def _one_at_a_time(self, lower: ir.Value, upper: ir.Value, carried: list[ir.Value]) -> list[ir.Value]:
        rest = self.plan.loop.operation.clone()
        rest.operands[0], rest.operands[1] = lower, upper
        for position, value in enumerate(carried):
            rest.operands[3 + position] = value
        return list(rest.results)

    def _block(self, start: ir.Value, blocks: scf.ForOp) -> None:
        block = body_of(self.plan.loop)
        self.copies[block.arguments[0]] = [start]
        for argument, partial in zip(list(block.arguments)[1:], blocks.inner_iter_args, strict=True):
            self.copies[argument] = [partial]
        if self.plan.reductions or self.plan.analysis.accumulations:
            self.keep = self._kept_lanes(start, blocks.induction_variable)
        self.packing.fill(start)
        self._emit_block(block)
        self.packing.flush(start)
        scf.YieldOp([self._vector(value, 0) for value in list(block.operations)[-1].operation.operands])

    def _kept_lanes(self, start: ir.Value, fresh: ir.Value) -> ir.Value:
        position = arith.AddIOp(self._broadcast(start), self._lane_numbers()).result
        return arith.CmpIOp(arith.CmpIPredicate.sge, position, self._broadcast(fresh)).result

    def _totals(self, initial: list[ir.Value], partial: list[ir.Value]) -> list[ir.Value]:
        totals = []
        for reduction, first, lanes in zip(self.plan.reductions, initial, partial, strict=True):
            total = self._horizontal(reduction.kind, lanes, reduction.combine)
            operands = [total, total]
            operands[reduction.carried_operand] = first
            totals.append(self._like(reduction.combine, operands, [first.type]).results[0])
        return totals

    def _horizontal(self, kind: str, lanes: ir.Value, combine: ir.Operation) -> ir.Value:
        """All lanes combined into one scalar, with the flags of the op that combines."""
        attributes = {"kind": ir.Attribute.parse(f"#vector.kind<{kind}>")}
        if "fastmath" in combine.operation.attributes:
            attributes["fastmath"] = combine.operation.attributes["fastmath"]
        element = ir.VectorType(lanes.type).element_type
        made = ir.Operation.create("vector.reduction", results=[element], operands=[lanes], attributes=attributes)
        return made.results[0]

    def _emit_block(self, block: ir.Block) -> None:
        for op in list(block.operations)[:-1]:
            self._emit(op)

    def _emit(self, op: ir.Operation) -> None:
        emitters: dict[str, Callable[[ir.Operation], None]] = {
            "memref.load": self._emit_load,
            "memref.store": self._emit_store,
            "memref.alloc": self._emit_nothing,
            "memref.alloca": self._emit_nothing,
            "memref.dealloc": self._emit_nothing,
            "scf.for": self._emit_for,
            "scf.if": self._emit_if,
        }
        sums = self.plan.analysis.accumulations
        with op.location:
            if op.operation in sums.by_store:
                self._emit_sum(sums.by_store[op.operation])
            elif op.operation not in sums.skipped:
                emitters.get(op_name(op), self._emit_elementwise)(op)

    def _emit_nothing(self, op: ir.Operation) -> None:
        del op

    def _emit_elementwise(self, op: ir.Operation) -> None:
        operands = list(op.operation.operands)
        varies = any(self.plan.analysis.of(result) is Lanes.VARYING for result in op.operation.results)
        types = [self._lane_type(result.type) if varies else result.type for result in op.operation.results]
        rows = []
        for row in range(self._rows_of(operands)):
            values = [self._vector(value, row) if varies else self._scalar(value, row) for value in operands]
            self._mask_contribution(op, values)
            rows.append(list(self._like(op, values, types).results))
        for position, result in enumerate(op.operation.results):
            self.copies[result] = [row[position] for row in rows]

    def _mask_contribution(self, op: ir.Operation, values: list[ir.Value]) -> None:
        for reduction in self.plan.reductions:
            if reduction.combine.operation == op.operation:
                position = 1 - reduction.carried_operand
                neutral = self._broadcast(reduction.neutral(op.operation.results[0].type))
                values[position] = arith.SelectOp(self.keep, values[position], neutral).result

    def _emit_load(self, op: ir.Operation) -> None:
        access = self.plan.accesses.get(op.operation)
        operands = list(op.operation.operands)
        pattern = access.pattern if access else Pattern.SHARED
        self.copies[op.operation.results[0]] = [
            self._load(op, pattern, access, row) for row in range(self._rows_of(operands))
        ]

    def _load(self, op: ir.Operation, pattern: Pattern, access: Access | None, row: int) -> ir.Value:
        buffer, indices = memref_of(op), indices_of(op)
        result = op.operation.results[0].type
        if pattern is Pattern.PRIVATE:
            places = [self._scalar(index, row) for index in indices]
            return vector.LoadOp(self._lane_type(result), self.buffers[buffer], [*places, index_constant(0)]).result
        if pattern is Pattern.PACKED:
            places = [self._scalar(index, row) for axis, index in enumerate(indices) if axis != access.axis]
            return vector.LoadOp(self._lane_type(result), self.packing.of(access), [*places, index_constant(0)]).result
        places = [self._scalar(index, row) for index in indices]
        if pattern is Pattern.CONTIGUOUS:
            return vector.LoadOp(self._lane_type(result), self._scalar(buffer, row), places).result
        if pattern is Pattern.SHARED:
            return memref.LoadOp(self._scalar(buffer, row), places).result
        elements = [
            memref.LoadOp(self._scalar(buffer, row), [self._lane(index, row, lane) for index in indices]).result
            for lane in range(self.plan.lanes)
        ]
        return vector.FromElementsOp(self._lane_type(result), elements).result

    def _emit_store(self, op: ir.Operation) -> None:
        access = self.plan.accesses[op.operation]
        buffer, indices, value = memref_of(op), indices_of(op), op.operation.operands[0]
        for row in range(self._rows_of(list(op.operation.operands))):
            places = [self._scalar(index, row) for index in indices]
            if access.pattern is Pattern.PRIVATE:
                vector.StoreOp(self._vector(value, row), self.buffers[buffer], [*places, index_constant(0)])
            elif access.pattern is Pattern.PACKED:
                places = [place for axis, place in enumerate(places) if axis != access.axis]
                vector.StoreOp(self._vector(value, row), self.packing.of(access), [*places, index_constant(0)])
            elif access.pattern is Pattern.CONTIGUOUS:
                vector.StoreOp(self._vector(value, row), self._scalar(buffer, row), places)
            elif access.pattern is Pattern.SHARED:
                memref.StoreOp(self._scalar(value, row), self._scalar(buffer, row), places)
            else:
                for lane in range(self.plan.lanes):
                    at = [self._lane(index, row, lane) for index in indices]
                    memref.StoreOp(self._lane(value, row, lane), self._scalar(buffer, row), at)

    def _emit_sum(self, sum_: Accumulation) -> None:
        """Adds the lanes that this block is the first to run; all lanes of one element are added up before."""
        access = self.plan.accesses[sum_.store]
        type_ = sum_.add.results[0].type
        value = self._vector(sum_.contribution, 0)
        fresh = arith.SelectOp(self.keep, value, self._broadcast(number(type_, 0))).result
        buffer, indices = memref_of(sum_.store), indices_of(sum_.store)
        places = [self._scalar(index, 0) for index in indices]
        if access.pattern is Pattern.SHARED:
            old = memref.LoadOp(self._scalar(buffer, 0), places).result
            total = self._horizontal("add", fresh, sum_.add)
            memref.StoreOp(self._like(sum_.add, [old, total], [type_]).results[0], self._scalar(buffer, 0), places)
        elif access.pattern is Pattern.GATHERED:
            for lane in range(self.plan.lanes):
                at = [self._lane(index, 0, lane) for index in indices]
                old = memref.LoadOp(self._scalar(buffer, 0), at).result
                part = vector.ExtractOp(fresh, [], [lane]).result
                memref.StoreOp(self._like(sum_.add, [old, part], [type_]).results[0], self._scalar(buffer, 0), at)
        else:
            target = self._scalar(buffer, 0)
            if access.pattern is Pattern.PACKED:
                target = self.packing.of(access)
                places = [place for axis, place in enumerate(places) if axis != access.axis] + [index_constant(0)]
            old = vector.LoadOp(self._lane_type(type_), target, places).result
            vector.StoreOp(self._like(sum_.add, [old, fresh], [self._lane_type(type_)]).results[0], target, places)

    def _emit_for(self, op: ir.Operation) -> None:
        operands = list(op.operation.operands)
        block = body_of(op)
        carried = list(block.arguments)[1:]
        initial = [self._states(argument, value) for argument, value in zip(carried, operands[3:], strict=True)]
        bounds = [self._one(bound) for bound in operands[:3]]
        loop = scf.ForOp(*bounds, [value for states in initial for value in states])
        with ir.InsertionPoint(loop.body):
            self.copies[block.arguments[0]] = [loop.induction_variable]
            self._bind(carried, list(loop.inner_iter_args), initial)
            self._emit_block(block)
            yielded = list(block.operations)[-1].operation.operands
            scf.YieldOp(
                [
                    value
                    for argument, result in zip(carried, yielded, strict=True)
                    for value in self._states(argument, result)
                ]
            )
        self._bind(list(op.operation.results), list(loop.results), initial)

    def _states(self, carried: ir.Value, value: ir.Value) -> Copies:
        """The copies of `value` in the form in which `carried` is carried."""
        rows = self.plan.rows if self.rows is not None and self.rows.of(carried) else 1
        varies = self.plan.analysis.of(carried) is Lanes.VARYING
        return [self._vector(value, row) if varies else self._scalar(value, row) for row in range(rows)]

    def _bind(self, values: list[ir.Value], flat: list[ir.Value], shape: list[Copies]) -> None:
        remaining = iter(flat)
        for value, states in zip(values, shape, strict=True):
            self.copies[value] = [next(remaining) for _ in states]

    def _emit_if(self, op: ir.Operation) -> None:
        condition = op.operation.operands[0]
        if self.plan.analysis.of(condition) is not Lanes.UNIFORM:
            self._emit_both_branches(op)
            return
        results = list(op.operation.results)
        blocks = [region.blocks[0] for region in op.operation.regions if len(region.blocks)]
        types = [self._lane_type(r.type) if self.plan.analysis.of(r) is Lanes.VARYING else r.type for r in results]
        choice = scf.IfOp(self._one(condition), types, has_else=len(blocks) == 2)
        for block, target in zip(blocks, (choice.then_block, choice.else_block), strict=False):
            with ir.InsertionPoint(target):
                self._emit_block(block)
                yielded = list(block.operations)[-1].operation.operands
                scf.YieldOp([self._states(r, value)[0] for r, value in zip(results, yielded, strict=True)])
        for result, value in zip(results, choice.results, strict=True):
            self.copies[result] = [value]

    def _emit_both_branches(self, op: ir.Operation) -> None:
        blocks = [region.blocks[0] for region in op.operation.regions]
        for block in blocks:
            self._emit_block(block)
        yields = [list(block.operations)[-1].operation.operands for block in blocks]
        condition = op.operation.operands[0]
        for result, then, other in zip(op.operation.results, *yields, strict=True):
            rows = self._rows_of([condition, then, other])
            self.copies[result] = [
                arith.SelectOp(self._vector(condition, r), self._vector(then, r), self._vector(other, r)).result
                for r in range(rows)
            ]

    def _rows_of(self, operands: list[ir.Value]) -> int:
        return max((len(self.copies.get(value, ())) for value in operands), default=1) or 1

    def _scalar(self, value: ir.Value, row: int) -> ir.Value:
        copies = self.copies.get(value)
        return value if copies is None else copies[row if len(copies) > 1 else 0]

    def _one(self, value: ir.Value) -> ir.Value:
        return self._scalar(value, 0)

    def _vector(self, value: ir.Value, row: int) -> ir.Value:
        scalar = self._scalar(value, row)
        if isinstance(scalar.type, ir.VectorType):
            return scalar
        if self.plan.analysis.of(value) is Lanes.LINEAR:
            numbers = self._lane_numbers()
            if scalar.type != ir.IndexType.get():
                numbers = arith.IndexCastOp(self._lane_type(scalar.type), numbers).result
            return arith.AddIOp(self._broadcast(scalar), numbers).result
        return self._broadcast(scalar)

    def _lane(self, value: ir.Value, row: int, lane: int) -> ir.Value:
        scalar = self._scalar(value, row)
        if isinstance(scalar.type, ir.VectorType):
            return vector.ExtractOp(scalar, [], [lane]).result
        if self.plan.analysis.of(value) is Lanes.LINEAR:
            return arith.AddIOp(scalar, index_constant(lane)).result
        return scalar

    def _lane_numbers(self) -> ir.Value:
        return vector.StepOp(self._lane_type(ir.IndexType.get())).result

    def _broadcast(self, value: ir.Value) -> ir.Value:
        return vector.BroadcastOp(self._lane_type(value.type), value).result

    def _lane_type(self, type_: ir.Type) -> ir.VectorType:
        return ir.VectorType.get([self.plan.lanes], type_)

    def _like(self, op: ir.Operation, operands: list[ir.Value], types: list[ir.Type]) -> ir.Operation:
        attributes = {name: op.operation.attributes[name] for name in op.operation.attributes}
        if op_name(op) == "arith.constant":
            return op.operation.clone()
        return ir.Operation.create(
            op_name(op), results=types, operands=operands, attributes=attributes, loc=op.location
        )
