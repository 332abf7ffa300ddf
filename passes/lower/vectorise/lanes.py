"""What each value of a loop body is to the lanes: the same in all, counting up with them, or different in each."""

from __future__ import annotations

from enum import IntEnum

from tapeless._mlir import ir
from tapeless.passes.ir.guards import GUARD, is_guarded
from tapeless.passes.ir.regions.structure import arguments_of, operands_of
from tapeless.passes.lower.vectorise.mirrored import Mirrored, mirrored_places
from tapeless.passes.lower.vectorise.sums.accumulations import Accumulations
from tapeless.passes.lower.vectorise.walking import (
    body_of,
    indices_of,
    is_inside,
    loops_between,
    memref_of,
    nested,
    op_name,
)
from tapeless.passes.marks import ACCUMULATING, PARALLEL

ELEMENTWISE_DIALECTS = ("arith", "math")
ELEMENTWISE_OPS = ("soac.fn",)
UNIFORM_OPS = ("memref.dim", "vector.broadcast")
ALLOCATIONS = ("memref.alloc", "memref.alloca")
REACHING = ("memref.load", "memref.store", "scf.if")
RUN_FOR_TAKERS = ("scf.for", "memref.load", "memref.store")


class Lanes(IntEnum):
    """How a value depends on the lane; larger means less regular."""

    UNIFORM = 0
    LINEAR = 1
    VARYING = 2


class NotVectorisable(Exception):
    """The loop holds something that lanes cannot run together; the message says what."""


class LaneAnalysis:
    """The lanes of every value in one loop, whose induction variable counts up with them.

    Note [Private buffers]: the iterations of the loop are independent, so a buffer that only the loop uses and whose
    indices do not depend on the iteration holds one iteration's temporaries. Each lane gets its own copy of it. An
    iteration may also reach single elements at places that are data, such as the score of a label, of a buffer that it
    walks as well: a copy for each lane then takes no more memory than what iterations write anyway.

    `uneven` are the loops inside that lanes leave at different times: their upper bound or condition depends on the
    lane (`uneven.py`). `mirrored` are the places that some of them count down to their first one (`mirrored.py`).
    `arms` are the branches with loops or memory that not all lanes take (`arms.py`).
    """

    def __init__(self, loop: ir.Operation) -> None:
        self.loop = loop
        body = body_of(loop)
        self.lanes: dict[ir.Value, Lanes] = {body.arguments[0]: Lanes.LINEAR}
        self.lanes.update({carried: Lanes.VARYING for carried in arguments_of(loop, "carried")})
        self.private = {value: Lanes.UNIFORM for value in exclusive_buffers(loop)}
        self.accumulations = Accumulations(loop, self.private)
        self.uneven: set[ir.Operation] = set()
        self.mirrored: dict[ir.Operation, Mirrored] = {}
        self.arms: set[ir.Operation] = set()
        self.is_stable = False
        while not self.is_stable:
            self.is_stable = True
            self._visit_block(body)

    @property
    def may_run_together(self) -> bool:
        """Whether several iterations of the loop around may run at once, each with the lanes of this one."""
        alone = self.loop.operation.results or self.private or self.accumulations or self.uneven or self.arms
        return not alone

    def of(self, value: ir.Value) -> Lanes:
        """How `value` depends on the lane."""
        return self.lanes.get(value, Lanes.UNIFORM)

    def has_own_lanes(self, buffer: ir.Value) -> bool:
        """Whether `buffer` is private and holds different values in each lane."""
        return self.private.get(buffer, Lanes.UNIFORM) is Lanes.VARYING

    def _is_walked(self, buffer: ir.Value) -> bool:
        """Whether an inner loop of independent iterations walks the buffer. See Note [Private buffers]."""
        if not any(mark in self.loop.operation.attributes for mark in (PARALLEL, ACCUMULATING)):
            return False
        stores = [use.owner for use in buffer.uses if op_name(use.owner) == "memref.store"]
        return any(loops_between(op, self.loop) and not any(map(self.of, indices_of(op))) for op in stores)

    def _raise(self, value: ir.Value, lanes: Lanes) -> None:
        if lanes > self.of(value):
            self.lanes[value] = lanes
            self.is_stable = False

    def _visit_block(self, block: ir.Block) -> None:
        for op in block.operations:
            of_sums = self.accumulations.skipped, self.accumulations.by_store
            if not any(op.operation in each for each in (*of_sums, self.mirrored)):
                VISITORS.get(op_name(op), LaneAnalysis._visit_elementwise)(self, op)

    def _visit_elementwise(self, op: ir.Operation) -> None:
        name = op_name(op)
        worst = max((self.of(value) for value in op.operation.operands), default=Lanes.UNIFORM)
        elementwise = name.split(".")[0] in ELEMENTWISE_DIALECTS or name in (*ELEMENTWISE_OPS, GUARD)
        if not elementwise and (name not in UNIFORM_OPS or worst is not Lanes.UNIFORM):
            raise NotVectorisable(f"'{name}' cannot run in lanes")
        for result in op.operation.results:
            self._raise(result, Lanes.VARYING if worst is not Lanes.UNIFORM else Lanes.UNIFORM)

    def _visit_sum(self, op: ir.Operation) -> None:
        left, right = (self.of(value) for value in op.operation.operands)
        if right is Lanes.UNIFORM or (left is Lanes.UNIFORM and op_name(op) == "arith.addi"):
            self._raise(op.operation.results[0], max(left, right))
        else:
            self._raise(op.operation.results[0], Lanes.VARYING)

    def _visit_cast(self, op: ir.Operation) -> None:
        self._raise(op.operation.results[0], self.of(op.operation.operands[0]))

    def _visit_load(self, op: ir.Operation) -> None:
        buffer = memref_of(op)
        varies = self.has_own_lanes(buffer) or any(self.of(index) for index in indices_of(op))
        self._raise(op.operation.results[0], Lanes.VARYING if varies else Lanes.UNIFORM)

    def _visit_store(self, op: ir.Operation) -> None:
        buffer, value = memref_of(op), op.operation.operands[0]
        varying_index = any(self.of(index) for index in indices_of(op))
        if buffer in self.private:
            if varying_index and not self._is_walked(buffer):
                raise NotVectorisable("a private buffer is written at an index that depends on the lane")
            differs = self.of(value) or varying_index or self.is_in_uneven(op) or self.is_in_arm(op)
            if differs and not self.has_own_lanes(buffer):
                self.private[buffer] = Lanes.VARYING
                self.is_stable = False
        elif not varying_index:
            raise NotVectorisable("every iteration writes the same element")

    def is_in_uneven(self, op: ir.Operation) -> bool:
        """Whether an operation lies in a loop that lanes leave at different times."""
        return any(is_inside(op, loop) for loop in self.uneven)

    def is_in_arm(self, op: ir.Operation) -> bool:
        """Whether an operation lies in a branch that not all lanes take."""
        return any(is_inside(op, branch) for branch in self.arms)

    def _visit_for(self, op: ir.Operation) -> None:
        lower, upper, step = list(op.operation.operands)[:3]
        if self.of(lower) or self.of(step):
            raise NotVectorisable("where an inner loop begins depends on the lane")
        if self.of(upper):
            self.uneven.add(op.operation)
            self.mirrored.update(mirrored_places(op))
        block, is_even = body_of(op), op.operation not in self.uneven
        carried = arguments_of(op, "carried")
        for argument, initial in zip(carried, operands_of(op, "carried"), strict=True):
            self._raise(argument, Lanes.UNIFORM if is_even and not self.of(initial) else Lanes.VARYING)
        self._visit_block(block)
        yielded = list(block.operations)[-1].operation.operands
        for argument, value, result in zip(carried, yielded, op.operation.results, strict=True):
            self._raise(argument, Lanes.VARYING if self.of(value) else Lanes.UNIFORM)
            self._raise(result, self.of(argument))

    def _visit_while(self, op: ir.Operation) -> None:
        self.uneven.add(op.operation)
        for region in op.operation.regions:
            for argument in region.blocks[0].arguments:
                self._raise(argument, Lanes.VARYING)
            self._visit_block(region.blocks[0])
        for result in op.operation.results:
            self._raise(result, Lanes.VARYING)

    def _visit_if(self, op: ir.Operation) -> None:
        diverges = self.of(op.operation.operands[0]) is not Lanes.UNIFORM
        blocks = [block for region in op.operation.regions for block in region.blocks]
        if diverges:
            _require_speculatable(blocks, *(() if is_guarded(op) else REACHING))
            if any(op_name(each) in RUN_FOR_TAKERS for block in blocks for each in nested(block)):
                self.arms.add(op.operation)
        for block in blocks:
            self._visit_block(block)
            for result, value in zip(op.operation.results, list(block.operations)[-1].operation.operands, strict=True):
                self._raise(result, Lanes.VARYING if diverges or self.of(value) else Lanes.UNIFORM)

    def _visit_allocation(self, op: ir.Operation) -> None:
        buffer = op.operation.results[0]
        if buffer not in self.private or op_name(op) == "memref.alloca":
            raise NotVectorisable("a buffer is made in every iteration")
        if not self.has_own_lanes(buffer):
            self.private[buffer] = Lanes.VARYING
            self.is_stable = False

    def _visit_nothing(self, op: ir.Operation) -> None:
        del op


VISITORS = {
    "arith.addi": LaneAnalysis._visit_sum,
    "arith.subi": LaneAnalysis._visit_sum,
    "arith.index_cast": LaneAnalysis._visit_cast,
    "memref.load": LaneAnalysis._visit_load,
    "memref.store": LaneAnalysis._visit_store,
    "memref.alloc": LaneAnalysis._visit_allocation,
    "memref.alloca": LaneAnalysis._visit_allocation,
    "memref.dealloc": LaneAnalysis._visit_nothing,
    "scf.for": LaneAnalysis._visit_for,
    "scf.while": LaneAnalysis._visit_while,
    "scf.condition": LaneAnalysis._visit_nothing,
    "scf.if": LaneAnalysis._visit_if,
    "scf.yield": LaneAnalysis._visit_nothing,
}


def _require_speculatable(blocks: list[ir.Block], *reaching: str) -> None:
    """What runs in all lanes where one takes it must be safe in the others; loops end, since lanes share bounds."""
    for block in blocks:
        for op in nested(block):
            name = op_name(op)
            if (
                name in ("scf.yield", "scf.for", *reaching)
                or name.split(".")[0] == "math"
                or name in (*ELEMENTWISE_OPS, GUARD)
            ):
                continue
            if name.split(".")[0] != "arith" or name in ("arith.divsi", "arith.remsi", "arith.floordivsi"):
                raise NotVectorisable(f"'{name}' under a condition that depends on the lane")


def exclusive_buffers(loop: ir.Operation) -> list[ir.Value]:
    """The buffers that the loop writes, nothing else reads, and no index of the loop's variable selects from."""
    stored = {memref_of(op) for op in nested(body_of(loop)) if op_name(op) == "memref.store"}
    return [buffer for buffer in stored if _is_exclusive(buffer, loop)]


def _is_exclusive(buffer: ir.Value, loop: ir.Operation) -> bool:
    if isinstance(buffer.owner, ir.Block) or op_name(buffer.owner) not in ALLOCATIONS:
        return False
    variable = body_of(loop).arguments[0]
    for use in buffer.uses:
        name = op_name(use.owner)
        if name == "memref.dealloc":
            continue
        if name not in ("memref.load", "memref.store", "memref.dim") or not is_inside(use.owner, loop):
            return False
        if name != "memref.dim" and any(index == variable for index in indices_of(use.owner)):
            return False
    return True
