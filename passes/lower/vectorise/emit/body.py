"""Emits the statements of a vectorised loop's body, for all lanes of a block at once."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tapeless._mlir import arith, ir, scf
from tapeless.passes.ir.build import index, number
from tapeless.passes.ir.guards import GUARD, holds, is_guarded
from tapeless.passes.ir.regions.structure import arguments_of, operands_of
from tapeless.passes.lower.llvm.loop_hints import ATTRIBUTE, MAPPING, SUMMING
from tapeless.passes.lower.vectorise.emit import uneven
from tapeless.passes.lower.vectorise.emit.memory import Memory
from tapeless.passes.lower.vectorise.emit.values import Copies, LaneValues, any_lane, op_like
from tapeless.passes.lower.vectorise.lanes import RUN_FOR_TAKERS, Lanes
from tapeless.passes.lower.vectorise.panels.stretches import Stretch, Waiting
from tapeless.passes.lower.vectorise.plan import LanePlan
from tapeless.passes.lower.vectorise.sums.lane_sums import LaneSums
from tapeless.passes.lower.vectorise.together import runs_together
from tapeless.passes.lower.vectorise.walking import body_of, nested, op_name


class Body:
    """Emits statements at the insertion point and keeps what their values have become."""

    def __init__(self, plan: LanePlan) -> None:
        self.plan = plan
        self.values = LaneValues(plan)
        self.memory = Memory(plan, self.values)
        self.sums = LaneSums(plan, self.values)
        self.emitters: dict[str, Callable[[ir.Operation], None]] = {
            "memref.load": self.memory.load,
            "memref.store": self.memory.store,
            "memref.alloc": self.memory.make,
            "memref.dealloc": self.memory.free,
            "scf.for": self._emit_for,
            "scf.while": lambda op: uneven.emit_while(op, self.values, self.emit_block),
            "scf.if": self._emit_if,
            GUARD: self._emit_guard,
        }

    def emit_block(self, block: ir.Block) -> None:
        """Emits everything but the terminator."""
        for op in list(block.operations)[:-1]:
            self.emit(op)

    def emit(self, op: ir.Operation) -> None:
        """Emits one statement and the sums over the lanes that are needed of it."""
        into_memory = self.plan.analysis.accumulations
        if op.operation in self.plan.analysis.mirrored:
            return
        with op.location:
            if op.operation in into_memory.by_store:
                self._emit_addition(op)
            elif self.sums.emits(op):
                self.sums.emit(op)
            elif op.operation not in into_memory.skipped:
                self.sums.read_along(op)
                self.emitters.get(op_name(op), self._emit_elementwise)(op)
            self.sums.take(op)

    def _emit_addition(self, store: ir.Operation) -> None:
        sum_ = self.plan.analysis.accumulations.by_store[store.operation]
        if self.plan.analysis.is_in_arm(store):
            self.sums.add_taken(sum_, self.values.active)
            return
        if sum_.add.results[0] in self.plan.summed.additions:
            self.sums.add(sum_)
        else:
            self.memory.add(sum_, self.sums.fresh)

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

    def _emit_guard(self, op: ir.Operation) -> None:
        operands, result = list(op.operation.operands), op.operation.results[0]
        form = self.values.vector if self.values.varies(result) else self.values.scalar
        rows = range(self.values.rows_of(operands))
        self.values[result] = [holds([form(value, row) for value in operands]) for row in rows]

    def _neutralise_repeated(self, op: ir.Operation, values: list[ir.Value]) -> None:
        """What repeated lanes contribute to a reduction becomes the neutral element."""
        for reduction in self.plan.reductions:
            if reduction.combine.operation == op.operation and self.sums.fresh is not None:
                position = 1 - reduction.carried_operand
                neutral = self.values.broadcast(reduction.neutral(op.operation.results[0].type))
                values[position] = arith.SelectOp(self.sums.fresh, values[position], neutral).result

    def _emit_for(self, op: ir.Operation) -> None:
        if op.operation in self.plan.analysis.uneven:
            uneven.emit_for(op, self.values, self.emit_block)
            return
        lower, upper, step = self.values.scalars(list(op.operation.operands)[:3])
        if runs_together(op, self.plan):
            lower = self._emit_together(op, lower, upper)
        initial = self._carried_as(arguments_of(op, "carried"), operands_of(op, "carried"))
        self._emit_iterations(op, (lower, upper, step), initial, _flat(initial))

    def emit_stretch(self, stretch: Stretch, waiting: Waiting) -> None:
        """The iterations of a stretch; sums go on from where they wait, and do so again, or are whole."""
        op = stretch.loop
        initial = self._carried_as(arguments_of(op, "carried"), operands_of(op, "carried"))
        bounds = stretch.begin, stretch.end, self.values.scalar(op.operands[2])
        sums = self._emit_iterations(op, bounds, initial, waiting.started(stretch, _flat(initial)))
        choice = scf.IfOp(stretch.is_last, has_else=True)
        with ir.InsertionPoint(choice.else_block):
            waiting.store(sums)
            scf.YieldOp([])
        with ir.InsertionPoint(choice.then_block):
            for each in list(op.block.operations)[list(op.block.operations).index(op.opview) + 1 : -1]:
                self.emit(each)
            scf.YieldOp([])

    def _emit_iterations(
        self, op: ir.Operation, bounds: tuple[ir.Value, ir.Value, ir.Value], initial: list[Copies], start: Copies
    ) -> Copies:
        """A loop between bounds, and what it carries in the end."""
        block, results, carried = body_of(op), list(op.operation.results), arguments_of(op, "carried")
        loop = scf.ForOp(*bounds, start)
        with ir.InsertionPoint(loop.body):
            self.values[block.arguments[0]] = [loop.induction_variable]
            self._bind(carried, list(loop.inner_iter_args), initial)
            self.emit_block(block)
            scf.YieldOp(_flat(self._carried_as(carried, list(list(block.operations)[-1].operation.operands))))
        self._bind(results, list(loop.results), initial)
        if not any(_is_vector_code(each) for each in nested(loop.body)):
            loop.operation.attributes[ATTRIBUTE] = ir.Attribute.parse(SUMMING if results else MAPPING)
        return list(loop.results)

    def _carried_as(self, arguments: Sequence[ir.Value], values: Sequence[ir.Value]) -> list[Copies]:
        """The copies of values in the form in which a loop carries the arguments."""
        sums = self.plan.summed.carried
        return [
            [self.sums.spread(self.sums.of(value))] if argument in sums else self.values.carried_as(argument, value)
            for argument, value in zip(arguments, values, strict=True)
        ]

    def _bind(self, values: Sequence[ir.Value], flat: Sequence[ir.Value], shape: Sequence[Copies]) -> None:
        self.values.bind(values, flat, shape)
        self.sums.sums.update({v: self.values.scalar(v) for v in values if v in self.plan.summed.carried})

    def _emit_together(self, op: ir.Operation, lower: ir.Value, upper: ir.Value) -> ir.Value:
        """As many iterations at a time as a register has elements; gives back where they end."""
        count, block = self.plan.register, body_of(op)
        rest = arith.RemSIOp(arith.SubIOp(upper, lower).result, index(count)).result
        end = arith.SubIOp(upper, rest).result
        loop = scf.ForOp(lower, end, index(count))
        self.values.neighbours, self.values.along = count, block.arguments[0]
        with ir.InsertionPoint(loop.body):
            first = loop.induction_variable
            self.values[block.arguments[0]] = [arith.AddIOp(first, index(k)).result for k in range(count)]
            self.emit_block(block)
            scf.YieldOp([])
        self.values.neighbours, self.values.along = 1, None
        return end

    def _emit_if(self, op: ir.Operation) -> None:
        condition = op.operation.operands[0]
        if self.plan.analysis.of(condition) is not Lanes.UNIFORM:
            is_rare = is_guarded(op) and self.plan.jam is None and self.values.neighbours == 1
            (self._emit_guarded if is_rare else self._emit_both_branches)(op)
            return
        results = list(op.operation.results)
        blocks = [region.blocks[0] for region in op.operation.regions if len(region.blocks)]
        types = [self.values.lane_type(r.type) if self.values.varies(r) else r.type for r in results]
        choice = scf.IfOp(self.values.scalar(condition), types, has_else=len(blocks) == 2)
        for block, target in zip(blocks, (choice.then_block, choice.else_block), strict=False):
            with ir.InsertionPoint(target):
                self.emit_block(block)
                pairs = zip(results, list(block.operations)[-1].operation.operands, strict=True)
                scf.YieldOp([self.values.carried_as(result, value)[0] for result, value in pairs])
        for result, value in zip(results, choice.results, strict=True):
            self.values[result] = [value]

    def _emit_both_branches(self, op: ir.Operation) -> None:
        condition, values = op.operation.operands[0], self.values
        blocks = [region.blocks[0] for region in op.operation.regions if len(region.blocks)]
        yields = [list(block.operations)[-1].operation.operands for block in blocks]
        arms: list[list[ir.Value] | None] = [None for _ in blocks]
        for place, block in enumerate(blocks):
            if any(op_name(each) in RUN_FOR_TAKERS for each in nested(block)):
                arms[place] = self._emit_for_takers(block, condition, is_else=place == 1)
            else:
                self.emit_block(block)

        def of(arm: int, place: int, row: int) -> ir.Value:
            made = arms[arm]
            return values.vector(yields[arm][place], row) if made is None else made[place]

        for place, result in enumerate(op.operation.results):
            rows = values.rows_of(
                [condition, *(each[place] for each, made in zip(yields, arms, strict=True) if made is None)]
            )
            self.values[result] = [
                arith.SelectOp(values.vector(condition, r), of(0, place, r), of(1, place, r)).result
                for r in range(rows)
            ]

    def _emit_guarded(self, op: ir.Operation) -> None:
        """The first way for all lanes, and the second only where a lane takes it, which then chooses for each."""
        condition, results = op.operation.operands[0], list(op.operation.results)
        usual, rare = (region.blocks[0] for region in op.operation.regions)
        self.emit_block(usual)
        first = [self.values.vector(each) for each in list(usual.operations)[-1].operation.operands]
        lanes = self.values.vector(condition)
        others = arith.XOrIOp(lanes, self.values.broadcast(number(condition.type, 1))).result
        choice = scf.IfOp(any_lane(others), [value.type for value in first], has_else=True)
        with ir.InsertionPoint(choice.then_block):
            self.emit_block(rare)
            second = [self.values.vector(each) for each in list(rare.operations)[-1].operation.operands]
            scf.YieldOp([arith.SelectOp(lanes, a, b).result for a, b in zip(first, second, strict=True)])
        with ir.InsertionPoint(choice.else_block):
            scf.YieldOp(first)
        for result, value in zip(results, choice.results, strict=True):
            self.values[result] = [value]

    def _emit_for_takers(self, block: ir.Block, condition: ir.Value, *, is_else: bool) -> list[ir.Value]:
        """An arm with loops or memory, which runs if any lane takes it; what it yields."""
        lanes, around = self.values.vector(condition), self.values.active
        if is_else:
            true = self.values.broadcast(number(condition.type, 1))
            lanes = arith.XOrIOp(lanes, true).result
        if around is not None:
            lanes = arith.AndIOp(around, lanes).result
        yielded = list(list(block.operations)[-1].operation.operands)
        choice = scf.IfOp(any_lane(lanes), [self.values.lane_type(each.type) for each in yielded], has_else=True)
        with ir.InsertionPoint(choice.then_block):
            self.values.active = lanes
            self.emit_block(block)
            self.values.active = around
            scf.YieldOp([self.values.vector(each) for each in yielded])
        with ir.InsertionPoint(choice.else_block):
            scf.YieldOp([self.values.broadcast(number(each.type, 0)) for each in yielded])
        return list(choice.results)


def _flat(states: Sequence[Copies]) -> Copies:
    return [value for copies in states for value in copies]


def _is_vector_code(op: ir.Operation) -> bool:
    values = [*op.operation.operands, *op.operation.results]
    return any(isinstance(value.type, ir.VectorType) for value in values)
