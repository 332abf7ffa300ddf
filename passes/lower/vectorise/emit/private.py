"""One copy per lane of the buffers that hold an iteration's temporaries.

Note [Bools]: a bool is a byte in memory and a bit in a vector, so the copies for lanes hold bytes.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from tapeless._mlir import arith, ir, memref
from tapeless.passes.ir.machine import STACK_OF_LANES
from tapeless.passes.lower.vectorise.plan import LanePlan
from tapeless.passes.lower.vectorise.walking import is_inside, op_name


def lane_buffers(plan: LanePlan) -> dict[ir.Value, ir.Value]:
    """For each private buffer a wider one whose last axis is the lane, made beside the original."""
    own = [buffer for buffer in plan.analysis.private if plan.analysis.has_own_lanes(buffer)]
    outside = [buffer for buffer in own if not is_inside(buffer.owner, plan.loop)]
    return {buffer: _beside(buffer, plan.lanes) for buffer in outside if buffer not in plan.summed.buffers}


def _beside(buffer: ir.Value, lanes: int) -> ir.Value:
    """A wider buffer made, and freed, beside a private one."""
    allocation = buffer.owner
    sizes = list(allocation.operation.operands)
    with ir.InsertionPoint(_after(allocation)), allocation.location:
        result = widened(buffer, lanes, sizes)
    if op_name(result.owner) == "memref.alloc":
        _free(result, buffer, allocation)
    return result


def widened(buffer: ir.Value, lanes: int, sizes: list[ir.Value]) -> ir.Value:
    """A buffer like a private one, with a copy for each lane."""
    old = ir.MemRefType(buffer.type)
    element = byte() if is_bool(old.element_type) else old.element_type
    wide = ir.MemRefType.get([*old.shape, lanes], element)
    small = not sizes and math.prod(wide.shape) * 8 <= STACK_OF_LANES
    make = memref.AllocaOp if small and op_name(buffer.owner) == "memref.alloca" else memref.AllocOp
    return make(wide, sizes, [], alignment=ir.IntegerAttr.get(ir.IntegerType.get_signless(64), 64)).result


def is_bool(type_: ir.Type) -> bool:
    """Whether a type is that of conditions."""
    return type_ == ir.IntegerType.get_signless(1)


def byte() -> ir.Type:
    """What a bool is in the copies for lanes."""
    return ir.IntegerType.get_signless(8)


def as_stored(value: ir.Value) -> ir.Value:
    """A value, or vector of values, as the copies hold it. See Note [Bools]."""
    return _converted(value, byte(), arith.ExtUIOp) if is_bool(_element(value.type)) else value


def as_loaded(value: ir.Value, element: ir.Type) -> ir.Value:
    """What a copy holds as a value, or vector of values, of the buffer's own type. See Note [Bools]."""
    return _converted(value, element, arith.TruncIOp) if is_bool(element) else value


def _converted(value: ir.Value, element: ir.Type, by: Callable[..., ir.OpView]) -> ir.Value:
    is_vector = isinstance(value.type, ir.VectorType)
    return by(ir.VectorType.get(value.type.shape, element) if is_vector else element, value).result


def _element(type_: ir.Type) -> ir.Type:
    return type_.element_type if isinstance(type_, ir.VectorType) else type_


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
