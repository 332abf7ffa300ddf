"""The pass `lower-nontemporal-stores`: large results are written past the caches."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from functools import reduce
from typing import ClassVar

from tapeless._mlir import arith, ir, llvm, memref, scf
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.ir.build import index
from tapeless.passes.ir.search import ops_named
from tapeless.passes.lower.math.lanes import Lanes
from tapeless.passes.lower.math.newton import quotient
from tapeless.passes.lower.vectorise.emit.body import Body
from tapeless.passes.lower.vectorise.emit.emit import end_of_whole_blocks, leave_as_they_are, one_at_a_time
from tapeless.passes.lower.vectorise.lanes import NotVectorisable
from tapeless.passes.lower.vectorise.plan import LanePlan
from tapeless.passes.lower.vectorise.streaming import ResultUses, plan_stream, written_arrays
from tapeless.passes.lower.vectorise.walking import body_of, nested, op_name

LINE_BYTES = 64
SEQUENTIALLY_CONSISTENT = 7


@dataclass(frozen=True)
class Streams:
    """Makes stores to large results that nothing reads soon nontemporal, past the caches.

    An ordinary store reads the line it writes to first. Such loops are then bound by memory, so that divisions of
    doubles, which would take longer, go by Newton's method.

    ```mlir
    scf.for %i = %c0 to %n step %c1 {           scf.if %large_and_aligned {
      memref.store %y, %result[%i]                scf.for %i = %c0 to %end step %c8 {
    } {tapeless.parallel}                           vector.store %ys, %result[%i] {alignment = 64, nontemporal = true}
    ```
    """

    name: ClassVar[str] = "lower-nontemporal-stores"
    skips_numbers: ClassVar[bool] = True
    vector_bits: int = 512
    large_bytes: int = 4 << 20

    def run(self, module: ir.Module) -> None:
        """Rewrites the streaming loops of the module."""
        for plan in [plan for function in module.body for plan in self._plans(function)]:
            self._stream(plan)

    def _plans(self, function: ir.Operation) -> Iterator[LanePlan]:
        results: dict[ir.Value, ResultUses] = {}
        for loop in ops_named(function, "scf.for", outer_first=True):
            with contextlib.suppress(NotVectorisable):
                yield plan_stream(loop, self.vector_bits, results)

    def _stream(self, plan: LanePlan) -> None:
        loop = plan.loop.operation
        with ir.InsertionPoint(loop), loop.location:
            choice = scf.IfOp(self._pays(plan), has_else=True)
            with ir.InsertionPoint(choice.then_block):
                _stores_past_caches(plan)
                scf.YieldOp([])
            _mark_stores(choice.then_block)
            _replace_divisions(choice.then_block)
            leave_as_they_are(choice)
            with ir.InsertionPoint(choice.else_block):
                loop.clone()
                scf.YieldOp([])
        loop.erase()

    def _pays(self, plan: LanePlan) -> ir.Value:
        """Whether every array that the loop writes is large and begins at a cache line."""
        trips, arrays = plan.loop.operation.operands[1], written_arrays(plan)
        smallest = min(element_bytes(array) for array in arrays)
        is_large = arith.CmpIOp(arith.CmpIPredicate.sge, trips, index(self.large_bytes // smallest)).result
        return reduce(lambda a, b: arith.AndIOp(a, b).result, (_begins_at_line(array) for array in arrays), is_large)


def element_bytes(array: ir.Value) -> int:
    """The size of an element in memory."""
    element = ir.MemRefType(array.type).element_type
    return 8 if isinstance(element, ir.IndexType) else element.width // 8


def _begins_at_line(array: ir.Value) -> ir.Value:
    address = memref.ExtractAlignedPointerAsIndexOp(array).result
    within = arith.AndIOp(address, index(LINE_BYTES - 1)).result
    return arith.CmpIOp(arith.CmpIPredicate.eq, within, index(0)).result


def _stores_past_caches(plan: LanePlan) -> None:
    """Whole blocks in lanes, the rest one by one; the fence makes the stores visible to threads that get the result.

    The last block comes first: what a loop before has read last is still in a cache.
    """
    lower, upper = list(plan.loop.operation.operands)[:2]
    end = end_of_whole_blocks(lower, upper, plan.lanes)
    last = arith.SubIOp(end, index(plan.lanes)).result
    one_at_a_time(plan, end, upper, [])
    body, blocks = Body(plan), scf.ForOp(lower, end, index(plan.lanes))
    with ir.InsertionPoint(blocks.body):
        first = arith.SubIOp(last, blocks.induction_variable).result
        body.values[body_of(plan.loop).arguments[0]] = [first]
        body.emit_block(body_of(plan.loop))
        scf.YieldOp([])
    llvm.FenceOp(ir.IntegerAttr.get(ir.IntegerType.get_signless(64), SEQUENTIALLY_CONSISTENT))


def _mark_stores(block: ir.Block) -> None:
    for store in (op for op in nested(block) if op_name(op) == "vector.store"):
        lanes = ir.VectorType(store.operation.operands[0].type)
        aligned = min(LINE_BYTES, lanes.shape[0] * element_bytes(store.operation.operands[1]))
        store.operation.attributes["nontemporal"] = ir.BoolAttr.get(True)
        store.operation.attributes["alignment"] = ir.IntegerAttr.get(ir.IntegerType.get_signless(64), aligned)


def _replace_divisions(block: ir.Block) -> None:
    for division in [op.operation for op in nested(block) if op_name(op) == "arith.divf"]:
        if isinstance(division.result.type, ir.VectorType) and Lanes(division.result).element == ir.F64Type.get():
            with ir.InsertionPoint(division), division.location:
                division.result.replace_all_uses_with(quotient(*map(Lanes, division.operands)).value)
            division.erase()
