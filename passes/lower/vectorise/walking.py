"""Walking loops on memrefs: names, bodies, nesting, and what loads and stores touch."""

from __future__ import annotations

from collections.abc import Iterator

from tapeless._mlir import ir
from tapeless.passes.ir.sizes.sizes import constant_int


def op_name(op: ir.Operation) -> str:
    """The full name of an op, whatever view it comes in."""
    return op.operation.name


def body_of(loop: ir.Operation) -> ir.Block:
    """The single block of an `scf.for`."""
    return loop.operation.regions[0].blocks[0]


def counts_by_one(loop: ir.Operation) -> bool:
    """Whether the step of a loop is the constant 1."""
    return constant_int(loop.operation.operands[2]) == 1


def is_inside(op: ir.Operation, ancestor: ir.Operation) -> bool:
    """Whether `op` lies in a region of `ancestor`."""
    parent = op.operation.parent
    while parent is not None:
        if parent.operation == ancestor.operation:
            return True
        parent = parent.operation.parent
    return False


def is_made_in(value: ir.Value, loop: ir.Operation) -> bool:
    """Whether `value` is computed in a loop or is an argument of its body."""
    if not isinstance(value.owner, ir.Block):
        return is_inside(value.owner, loop)
    holder = value.owner.owner
    return holder.operation == loop.operation or is_inside(holder, loop)


def loops_between(op: ir.Operation, outer: ir.Operation) -> int:
    """How many loops inside `outer` lie around `op`."""
    count, parent = 0, op.operation.parent
    while parent.operation != outer.operation:
        count += op_name(parent) == "scf.for"
        parent = parent.operation.parent
    return count


def nested(block: ir.Block) -> Iterator[ir.Operation]:
    """Every op of a block and of the regions in it, outer before inner."""
    pending = [iter(block.operations)]
    while pending:
        op = next(pending[-1], None)
        if op is None:
            pending.pop()
            continue
        yield op
        if len(op.regions):
            inner = [each for region in op.regions for each in region.blocks]
            pending += [iter(each.operations) for each in reversed(inner)]


def memref_of(access: ir.Operation) -> ir.Value:
    """The memref a load or store touches."""
    return access.operation.operands[1 if op_name(access) == "memref.store" else 0]


def indices_of(access: ir.Operation) -> list[ir.Value]:
    """The index operands of a load or store."""
    return list(access.operation.operands)[2 if op_name(access) == "memref.store" else 1 :]


RENAMINGS = ("memref.reinterpret_cast", "memref.cast")


def buffer_of(access: ir.Operation) -> ir.Value:
    """The buffer behind the memref that a load or store touches."""
    value = memref_of(access)
    while not isinstance(value.owner, ir.Block) and op_name(value.owner) in RENAMINGS:
        value = value.owner.operation.operands[0]
    return value
