"""Loads, stores and sums into memory of a vectorised loop, by the pattern in which the lanes reach memory."""

from __future__ import annotations

from tapeless._mlir import arith, ir, memref, vector
from tapeless.passes.ir.build import index, number
from tapeless.passes.lower.vectorise.accesses import Access, Pattern
from tapeless.passes.lower.vectorise.emit.private import as_loaded, as_stored, lane_buffers, widened
from tapeless.passes.lower.vectorise.emit.values import LaneValues, largest_lane, op_like
from tapeless.passes.lower.vectorise.panels.packing import Packing
from tapeless.passes.lower.vectorise.panels.panel_buffers import Panels
from tapeless.passes.lower.vectorise.plan import LanePlan
from tapeless.passes.lower.vectorise.sums.accumulations import Accumulation
from tapeless.passes.lower.vectorise.walking import indices_of, memref_of

WHOLE_VECTORS = (Pattern.PRIVATE, Pattern.PACKED, Pattern.CONTIGUOUS, Pattern.PANEL)

OWN_COPIES = (Pattern.PRIVATE, Pattern.PICKED)

ONE_FOR_ALL = (Pattern.SHARED, Pattern.TILE)


class Memory:
    """The buffers of a vectorised loop: the program's own, one copy per lane of private ones, lane-major copies.

    The copies are made by the stage that runs the loop.
    """

    packing: Packing

    def __init__(self, plan: LanePlan, values: LaneValues) -> None:
        self.plan = plan
        self.values = values
        self.private = lane_buffers(plan)
        self.panels: dict[Pattern, Panels] = {}

    def load(self, op: ir.Operation) -> None:
        """Emits a load."""
        rows = range(self.values.rows_of(op.operation.operands))
        self.values[op.operation.results[0]] = [self._load(self._access(op), row) for row in rows]

    def store(self, op: ir.Operation) -> None:
        """Emits a store."""
        for row in range(self.values.rows_of(op.operation.operands)):
            self._store(self._access(op), op.operation.operands[0], row)

    def make(self, op: ir.Operation) -> None:
        """Emits the making of a private buffer, which has room for the lane that needs most."""
        self.private[op.operation.results[0]] = widened(op.operation.results[0], self.plan.lanes, self._room(op))

    def free(self, op: ir.Operation) -> None:
        """Emits the end of a private buffer."""
        memref.DeallocOp(self.private[op.operation.operands[0]])

    def _room(self, allocation: ir.Operation) -> list[ir.Value]:
        sizes = [self.values.scalar(size) for size in allocation.operation.operands]
        return [largest_lane(size) if isinstance(size.type, ir.VectorType) else size for size in sizes]

    def add(self, sum_: Accumulation, fresh: ir.Value | None) -> None:
        """Adds the `fresh` lanes, those that no block before has run, each to an element of its own."""
        type_ = sum_.add.results[0].type
        for row in range(self.values.neighbours):
            part = self.values.vector(sum_.contribution, row)
            if fresh is not None:
                part = arith.SelectOp(fresh, part, self.values.broadcast(number(type_, 0))).result
            self._add_row(sum_, part, row)

    def _add_row(self, sum_: Accumulation, part: ir.Value, row: int) -> None:
        access, type_ = self._access(sum_.store), sum_.add.results[0].type
        if access.pattern in WHOLE_VECTORS:
            target, places = self._place(access, row)
            old = vector.LoadOp(part.type, target, places).result
            vector.StoreOp(op_like(sum_.add, [old, part], [part.type]).results[0], target, places)
            return
        for lane in range(self.plan.lanes):
            target, places = self._place(access, row, lane)
            old, piece = memref.LoadOp(target, places).result, vector.ExtractOp(part, [], [lane]).result
            memref.StoreOp(op_like(sum_.add, [old, piece], [type_]).results[0], target, places)

    def _access(self, op: ir.Operation) -> Access:
        """The pattern of an op; what stands beside the vectorised loop is the same for all lanes."""
        return self.plan.accesses.get(op.operation, Access(op, Pattern.SHARED, 0))

    def _load(self, access: Access, row: int) -> ir.Value:
        type_ = self.values.lane_type(access.op.operation.results[0].type)
        if access.pattern in OWN_COPIES:
            return self._load_own(access, row, type_)
        if access.pattern in WHOLE_VECTORS:
            return vector.LoadOp(type_, *self._place(access, row)).result
        if access.pattern in ONE_FOR_ALL:
            return memref.LoadOp(*self._place(access, row)).result
        elements = [memref.LoadOp(*self._place(access, row, lane)).result for lane in range(self.plan.lanes)]
        return vector.FromElementsOp(type_, elements).result

    def _load_own(self, access: Access, row: int, type_: ir.VectorType) -> ir.Value:
        """What each lane has in its copy of a private buffer."""
        if access.pattern is Pattern.PICKED:
            own = [memref.LoadOp(*self._place(access, row, lane)).result for lane in range(self.plan.lanes)]
            stored = vector.FromElementsOp(self.values.lane_type(own[0].type), own).result
        else:
            copy, places = self._place(access, row)
            element = ir.MemRefType(copy.type).element_type
            stored = vector.LoadOp(self.values.lane_type(element), copy, places).result
        return as_loaded(stored, type_.element_type)

    def _store(self, access: Access, value: ir.Value, row: int) -> None:
        if access.pattern is Pattern.PRIVATE:
            self._store_own(as_stored(self.values.vector(value, row)), *self._place(access, row))
        elif access.pattern is Pattern.PICKED:
            for lane in range(self.plan.lanes):
                memref.StoreOp(as_stored(self.values.lane(value, row, lane)), *self._place(access, row, lane))
        elif access.pattern in WHOLE_VECTORS:
            vector.StoreOp(self.values.vector(value, row), *self._place(access, row))
        elif access.pattern is Pattern.SHARED:
            memref.StoreOp(self.values.scalar(value, row), *self._place(access, row))
        else:
            for lane in range(self.plan.lanes):
                memref.StoreOp(self.values.lane(value, row, lane), *self._place(access, row, lane))

    def _store_own(self, value: ir.Value, copy: ir.Value, places: list[ir.Value]) -> None:
        """Stores what each lane has, but for those that have left the loop around."""
        if self.values.active is not None:
            old = vector.LoadOp(value.type, copy, places).result
            value = arith.SelectOp(self.values.active, value, old).result
        vector.StoreOp(value, copy, places)

    def _place(self, access: Access, row: int, lane: int = 0) -> tuple[ir.Value, list[ir.Value]]:
        """The buffer and the indices that one lane reaches; whole vectors begin there."""
        buffer, indices = memref_of(access.op), indices_of(access.op)
        if access.pattern is Pattern.GATHERED:
            return self.values.scalar(buffer, row), [self.values.lane(each, row, lane) for each in indices]
        if access.pattern is Pattern.PICKED:
            return self.private[buffer], [*(self.values.lane(each, row, lane) for each in indices), index(lane)]
        places = self.values.scalars(indices, row)
        if access.pattern is Pattern.PRIVATE:
            return self.private[buffer], [*places, index(0)]
        if access.panel is not None:
            lane = row if access.pattern is Pattern.TILE else 0
            return self.panels[access.pattern].place(access.panel, self.values.scalars(access.panel.loops, row), lane)
        if access.pattern is Pattern.PACKED:
            copy, others = self.packing.place(access, places)
            return copy, [*others, index(0)]
        return self.values.scalar(buffer, row), places
