"""One copy per lane of the buffers that hold an iteration's temporaries."""

from __future__ import annotations

import math

from tapeless._mlir import ir, memref
from tapeless.passes.ir.machine import STACK_OF_LANES
from tapeless.passes.lower.vectorise.plan import LanePlan
from tapeless.passes.lower.vectorise.walking import op_name


def lane_buffers(plan: LanePlan) -> dict[ir.Value, ir.Value]:
    """For each private buffer a wider one whose last axis is the lane, made beside the original."""
    own = [buffer for buffer in plan.analysis.private if plan.analysis.has_own_lanes(buffer)]
    private = [buffer for buffer in own if buffer not in plan.summed.buffers]
    return {buffer: _widened(buffer, plan) for buffer in private}


def _widened(buffer: ir.Value, plan: LanePlan) -> ir.Value:
    allocation = buffer.owner
    old = ir.MemRefType(buffer.type)
    wide = ir.MemRefType.get([*old.shape, plan.lanes], old.element_type)
    sizes = list(allocation.operation.operands)
    small = not sizes and math.prod(wide.shape) * 8 <= STACK_OF_LANES
    with ir.InsertionPoint(_after(allocation)), allocation.location:
        make = memref.AllocaOp if small and op_name(allocation) == "memref.alloca" else memref.AllocOp
        result = make(wide, sizes, [], alignment=ir.IntegerAttr.get(ir.IntegerType.get_signless(64), 64)).result
    if make is memref.AllocOp:
        _free(result, buffer, allocation)
    return result


def _free(wide: ir.Value, buffer: ir.Value, allocation: ir.Operation) -> None:
    deallocations = [use.owner for use in buffer.uses if op_name(use.owner) == "memref.dealloc"]
    ends = deallocations or [list(allocation.operation.block.operations)[-1]]
    for end in ends:
        with ir.InsertionPoint(end), end.location:
            memref.DeallocOp(wide)


def _after(op: ir.Operation) -> ir.Operation:
    """The op that follows `op` in its block."""
    operations = list(op.operation.block.operations)
    position = next(i for i, other in enumerate(operations) if other.operation == op.operation)
    return operations[position + 1]
