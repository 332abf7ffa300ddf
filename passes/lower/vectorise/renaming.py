"""Buffers that hold one array after another are split into one buffer per array.

The lowering lets arrays that are not alive together share memory. Which form an array takes in a vectorised loop is
decided per buffer, so arrays that share one would have to agree.

```mlir
scf.for %j = 0 to %n { store %a, %buffer[%j] }         scf.for %j = 0 to %n { store %a, %buffer[%j] }
... reads %buffer ...                                  ... reads %buffer ...
scf.for %j = 0 to %n { store %b, %buffer[%j] }         scf.for %j = 0 to %n { store %b, %another[%j] }
... reads %buffer ...                                  ... reads %another ...
```
"""

from __future__ import annotations

from collections.abc import Sequence

from tapeless._mlir import ir
from tapeless.passes.ir.sizes.sizes import constant_int
from tapeless.passes.lower.vectorise.lanes import exclusive_buffers
from tapeless.passes.lower.vectorise.walking import body_of, indices_of, is_inside, memref_of, nested, op_name

Operations = list[ir.Operation]


def split_reused_buffers(loop: ir.Operation) -> None:
    """Gives every array that only one iteration of `loop` uses a buffer of its own."""
    for buffer in exclusive_buffers(loop):
        _split(buffer, body_of(loop), _accesses(body_of(loop), buffer))


def _split(buffer: ir.Value, block: ir.Block, accesses: Operations) -> None:
    """Splits the accesses of one buffer in `block`, then each part in the block that it lies in."""
    for number, part in enumerate(_lives(buffer, block, accesses)):
        own = buffer if number == 0 else _another(buffer, part)
        holders = _holders(block, part)
        if len(holders) == 1 and op_name(holders[0]) == "scf.for":
            _split(own, body_of(holders[0]), part)


def _lives(buffer: ir.Value, block: ir.Block, accesses: Operations) -> list[Operations]:
    """The accesses in runs that begin where the buffer is filled, or whose one loop fills it in each iteration."""
    runs: list[Operations] = []
    may_go_on = False
    for holder in _holders(block, accesses):
        inside = [op for op in accesses if op == holder.operation or is_inside(op, holder)]
        if _starts_anew(holder, buffer, inside):
            may_go_on = _fills(holder, buffer, inside)
            runs.append(inside)
        elif may_go_on:
            runs[-1] += inside
        else:
            return [accesses]
    return runs


def _starts_anew(op: ir.Operation, buffer: ir.Value, accesses: Operations) -> bool:
    """Whether `op` reads nothing of the buffer that was there before: it fills it, or each of its iterations does."""
    if op_name(op) != "scf.for":
        return False
    if _fills(op, buffer, accesses):
        return True
    first = _holders(body_of(op), accesses)[0]
    inside = [each for each in accesses if each == first.operation or is_inside(each, first)]
    return _starts_anew(first, buffer, inside)


def _fills(op: ir.Operation, buffer: ir.Value, accesses: Operations) -> bool:
    """Whether the loop nest `op` writes every element and reads none."""
    if any(op_name(access) != "memref.store" for access in accesses):
        return False
    sizes, variables = _sizes(buffer), []
    for size in sizes:
        if op_name(op) != "scf.for" or not _covers(op, size):
            return False
        variables.append(body_of(op).arguments[0])
        op = next((each for each in body_of(op).operations if each.operation in accesses or _holds(each, accesses)), op)
    return op_name(op) == "memref.store" and indices_of(op) == variables


def _holds(op: ir.Operation, accesses: Operations) -> bool:
    return any(is_inside(access, op) for access in accesses)


def _covers(loop: ir.Operation, size: ir.Value | int) -> bool:
    lower, upper, step = list(loop.operation.operands)[:3]
    if constant_int(lower) != 0 or constant_int(step) != 1:
        return False
    return constant_int(upper) == size if isinstance(size, int) else upper == size


def _sizes(buffer: ir.Value) -> list[ir.Value | int]:
    type_, dynamic = ir.MemRefType(buffer.type), iter(buffer.owner.operation.operands)
    return [next(dynamic) if type_.is_dynamic_dim(axis) else type_.shape[axis] for axis in range(type_.rank)]


def _another(buffer: ir.Value, accesses: Operations) -> ir.Value:
    """A second buffer like `buffer`, used by `accesses` in its place and freed beside it."""
    allocation = buffer.owner.operation
    own = allocation.clone(ir.InsertionPoint(allocation)).results[0]
    for use in [use for use in buffer.uses if op_name(use.owner) == "memref.dealloc"]:
        free = use.owner.operation.clone(ir.InsertionPoint(use.owner))
        free.operands[0] = own
    for access in accesses:
        access.operands[1 if op_name(access) == "memref.store" else 0] = own
    return own


def _accesses(block: ir.Block, buffer: ir.Value) -> Operations:
    names = ("memref.load", "memref.store")
    return [op.operation for op in nested(block) if op_name(op) in names and memref_of(op) == buffer]


def _holders(block: ir.Block, accesses: Sequence[ir.Operation]) -> Operations:
    """The ops of `block` that are or contain the accesses, in order."""
    return [op for op in block.operations if any(op.operation == each or is_inside(each, op) for each in accesses)]
