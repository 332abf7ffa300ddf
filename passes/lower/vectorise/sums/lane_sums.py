"""Emits what a vectorised loop computes on sums over its lanes.

Note [Neighbours]: in a loop that runs a few iterations together, a sum that differs between them is one vector with an
element per iteration; sums stay scalars elsewhere.
"""

from __future__ import annotations

from collections.abc import Sequence

from tapeless._mlir import arith, ir, memref, vector
from tapeless.passes.ir.constants import is_zero
from tapeless.passes.ir.sizes.sizes import constant_int
from tapeless.passes.lower.vectorise.accesses import last_stride
from tapeless.passes.lower.vectorise.emit.values import LaneValues, op_like
from tapeless.passes.lower.vectorise.flow import is_float
from tapeless.passes.lower.vectorise.lanes import Lanes
from tapeless.passes.lower.vectorise.plan import LanePlan
from tapeless.passes.lower.vectorise.sums import registers
from tapeless.passes.lower.vectorise.sums.accumulations import Accumulation
from tapeless.passes.lower.vectorise.walking import indices_of, memref_of, op_name


class LaneSums:
    """The sums over the lanes of one block; `fresh` are the lanes that count, all when it is None."""

    def __init__(self, plan: LanePlan, values: LaneValues) -> None:
        self.plan = plan
        self.values = values
        self.fresh: ir.Value | None = None
        self.count: ir.Value | None = None
        self.sums: dict[ir.Value, ir.Value] = {}
        self.along: dict[ir.Value, ir.Value] = {}

    def emits(self, op: ir.Operation) -> bool:
        """Whether `op` works on sums only, or is a product that is not needed but for its sum."""
        summed = self.plan.summed
        if op_name(op) in ("memref.load", "memref.store") and summed.holds_sums(op):
            return True
        if op_name(op) == "scf.for":
            return False
        return any(value in summed.carried or value in summed.products for value in op.operation.results)

    def emit(self, op: ir.Operation) -> None:
        """Emits an op on sums."""
        summed = self.plan.summed
        if op_name(op) == "memref.store":
            self._store(op, self.of(op.operation.operands[0]))
        elif op_name(op) == "memref.load":
            self.sums[op.operation.results[0]] = self._load(op)
        elif op.operation.results[0] in summed.carried:
            self.sums[op.operation.results[0]] = self._linear(op)

    def read_along(self, op: ir.Operation) -> None:
        """Loads what iterations that run together read side by side as one vector, beside the loads of each."""
        results = list(op.operation.results)
        if op_name(op) != "memref.load" or self.plan.analysis.of(results[0]) is not Lanes.UNIFORM:
            return
        if self._is_along_neighbours(op):
            self.along[results[0]] = self._load(op)

    def take(self, op: ir.Operation) -> None:
        """Sums up those results of `op` over the lanes whose sums are needed."""
        for result in op.operation.results:
            if result in self.plan.summed.taken:
                self.sums[result] = self._over_lanes(result)

    def of(self, value: ir.Value) -> ir.Value:
        """The sum of a value over the lanes."""
        if value in self.sums:
            return self.sums[value]
        if self.plan.analysis.of(value) is Lanes.UNIFORM:
            return self._times_lanes(value)
        return self._over_lanes(value)

    def add(self, sum_: Accumulation) -> None:
        """Adds the lanes to an element that they share."""
        part = self.of(sum_.contribution)
        if self._is_along_neighbours(sum_.store):
            new = op_like(sum_.add, [self._load(sum_.store), self.spread(part)], [self._wide(part)]).results[0]
            self._store(sum_.store, new)
            return
        for row in range(self.values.neighbours):
            piece = vector.ExtractOp(part, [], [row]).result if isinstance(part.type, ir.VectorType) else part
            buffer, places = self._place(sum_.store, row)
            old = memref.LoadOp(buffer, places).result
            memref.StoreOp(op_like(sum_.add, [old, piece], [piece.type]).results[0], buffer, places)

    def add_taken(self, sum_: Accumulation, takers: ir.Value) -> None:
        """Adds the lanes that take a branch to an element that all of them share."""
        counted = takers if self.fresh is None else arith.AndIOp(takers, self.fresh).result
        part = self.values.vector(sum_.contribution)
        piece = registers.total(registers.folded(part, self.plan.register, counted))
        buffer, places = self._place(sum_.store, 0)
        old = memref.LoadOp(buffer, places).result
        memref.StoreOp(op_like(sum_.add, [old, piece], [piece.type]).results[0], buffer, places)

    def _linear(self, op: ir.Operation) -> ir.Value:
        operands = list(op.operation.operands)
        if op_name(op) == "arith.mulf":
            uniform = self.plan.analysis.of
            sums = [self._plain(v) if uniform(v) is Lanes.UNIFORM else self.of(v) for v in operands]
        else:
            sums = [self.of(value) for value in operands]
        if any(isinstance(value.type, ir.VectorType) for value in sums):
            sums = [self.spread(value) for value in sums]
        return op_like(op, sums, [sums[0].type]).results[0]

    def _over_lanes(self, value: ir.Value) -> ir.Value:
        rows = range(self.values.rows_of(self._behind(value)))
        folded = [self._folded(value, row) for row in rows]
        return registers.total(folded[0]) if len(folded) == 1 else registers.totals(folded)

    def _behind(self, value: ir.Value) -> Sequence[ir.Value]:
        return value.owner.operation.operands if value in self.plan.summed.products else [value]

    def _folded(self, value: ir.Value, row: int) -> ir.Value:
        vectors = [self.values.vector(each, row) for each in self._behind(value)]
        if value in self.plan.summed.products:
            return registers.folded_product(value.owner.operation, vectors, self.plan.register, self.fresh)
        return registers.folded(vectors[0], self.plan.register, self.fresh)

    def _times_lanes(self, value: ir.Value) -> ir.Value:
        plain = self._plain(value)
        if is_zero(value) or constant_int(value) == 0:
            return plain
        count = self._lane_count(value.type)
        times = arith.MulFOp if is_float(value.type) else arith.MulIOp
        return times(plain, self.spread(count) if isinstance(plain.type, ir.VectorType) else count).result

    def _lane_count(self, type_: ir.Type) -> ir.Value:
        if isinstance(type_, ir.IndexType):
            return self.count
        if not is_float(type_):
            return arith.IndexCastOp(type_, self.count).result
        return arith.SIToFPOp(type_, arith.IndexCastOp(ir.IntegerType.get_signless(64), self.count).result).result

    def _plain(self, value: ir.Value) -> ir.Value:
        """A value that all lanes share, for all iterations that run together."""
        if value in self.along and self.values.neighbours > 1:
            return self.along[value]
        copies = [self.values.scalar(value, row) for row in range(self.values.rows_of([value]))]
        if len(copies) == 1:
            return copies[0]
        return vector.FromElementsOp(self._wide(copies[0]), copies).result

    def spread(self, value: ir.Value) -> ir.Value:
        """A sum as one for each of the iterations that run together."""
        if isinstance(value.type, ir.VectorType) or self.values.neighbours == 1:
            return value
        return vector.BroadcastOp(self._wide(value), value).result

    def _wide(self, value: ir.Value) -> ir.VectorType:
        if isinstance(value.type, ir.VectorType):
            return value.type
        return ir.VectorType.get([self.values.neighbours], value.type)

    def _is_along_neighbours(self, access: ir.Operation) -> bool:
        """Whether the iterations that run together touch neighbouring elements."""
        if self.values.neighbours == 1 or self.values.along not in indices_of(access)[-1:]:
            return False
        return self.values.rows_of(indices_of(access)[:-1]) == 1 and last_stride(memref_of(access)) == 1

    def _load(self, op: ir.Operation) -> ir.Value:
        element = ir.MemRefType(memref_of(op).type).element_type
        rows = self.values.rows_of(indices_of(op))
        if self._is_along_neighbours(op):
            return vector.LoadOp(ir.VectorType.get([rows], element), *self._place(op, 0)).result
        elements = [memref.LoadOp(*self._place(op, row)).result for row in range(rows)]
        return elements[0] if rows == 1 else vector.FromElementsOp(ir.VectorType.get([rows], element), elements).result

    def _store(self, op: ir.Operation, sum_: ir.Value) -> None:
        if self._is_along_neighbours(op):
            vector.StoreOp(self.spread(sum_), *self._place(op, 0))
            return
        for row in range(self.values.neighbours):
            piece = vector.ExtractOp(sum_, [], [row]).result if isinstance(sum_.type, ir.VectorType) else sum_
            memref.StoreOp(piece, *self._place(op, row))

    def _place(self, op: ir.Operation, row: int) -> tuple[ir.Value, list[ir.Value]]:
        return self.values.scalar(memref_of(op), row), self.values.scalars(indices_of(op), row)
