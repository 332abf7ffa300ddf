"""What has to run a second time so that a loop does the same again."""

from __future__ import annotations

from collections.abc import Iterator

from tapeless._mlir import ir
from tapeless.abi import ATTRIBUTE as ABI
from tapeless.passes.ir.guards import is_guarded
from tapeless.passes.ir.scopes import ancestor_in, is_inside
from tapeless.passes.lower.vectorise.walking import body_of, memref_of, nested, op_name
from tapeless.passes.marks import PARALLEL, REDUCING

SCALAR_CODE = ("arith.", "math.", "soac.fn", "soac.guard")
PLAIN = ("scf.for", "scf.if", "scf.yield", "memref.dim", "memref.load", "memref.store")
OTHER_NAMES = ("memref.cast", "memref.reinterpret_cast", "memref.subview", "memref.collapse_shape")
BUFFERS = ("memref.alloc", "memref.alloca", "memref.get_global", "builtin.unrealized_conversion_cast")


def what_runs_again(loop: ir.Operation) -> list[ir.Operation]:
    """The loop, after those that fill the arrays which it both reads and writes; nothing if that cannot be repeated."""
    reads, writes = _accesses(loop)
    if reads is None or writes is None:
        return []
    shared = (reads & writes).difference(private_buffers(loop))
    if not shared:
        return [loop]
    if op_name(loop.parent) != "func.func" or not all(_begins_undefined(buffer) for buffer in shared):
        return []
    fills = _fills(loop, shared)
    return [] if fills is None else [*fills, loop]


def private_buffers(loop: ir.Operation) -> list[ir.Value]:
    """The buffers from outside that hold what single iterations of a loop make for themselves."""
    if PARALLEL not in loop.attributes and REDUCING not in loop.attributes:
        return []
    written = [_buffer(memref_of(op)) for op in nested(body_of(loop)) if op_name(op) == "memref.store"]
    return [
        buffer
        for buffer in dict.fromkeys(written)
        if buffer is not None
        and not isinstance(buffer, ir.BlockArgument)
        and op_name(buffer.owner) in ("memref.alloc", "memref.alloca")
        and not is_inside(buffer.owner.operation, loop)
        and all(is_inside(user, loop) for user in _users(buffer))
    ]


def _accesses(loop: ir.Operation) -> tuple[set[ir.Value] | None, set[ir.Value] | None]:
    """The buffers that a loop reads and those that it writes; nothing if it does more, or they cannot be told apart."""
    everything = list(nested(body_of(loop)))
    body = list(_usual(body_of(loop)))
    if not all(_is_plain(op_name(op)) for op in body):
        return None, None
    reads = [_buffer(memref_of(op)) for op in everything if op_name(op) == "memref.load"]
    writes = [_buffer(memref_of(op)) for op in body if op_name(op) == "memref.store"]
    if not writes:
        return set(), set()
    if any(buffer is None for buffer in (*reads, *writes)):
        return None, None
    return set(reads), set(writes)


def _usual(block: ir.Block) -> Iterator[ir.Operation]:
    """What a loop runs when no guarded branch takes its second way."""
    for op in block.operations:
        yield op
        regions = list(op.operation.regions)
        for region in regions[:1] if op_name(op) == "scf.if" and is_guarded(op) else regions:
            for inner in region.blocks:
                yield from _usual(inner)


def _fills(loop: ir.Operation, buffers: set[ir.Value]) -> list[ir.Operation] | None:
    """The loops that write buffers before a loop, if they do nothing else and nothing else touches them before."""
    block = loop.block
    order = [op.operation for op in block.operations]
    before = set(order[: order.index(loop)])
    found: set[ir.Operation] = set()
    for buffer in buffers:
        holders = [ancestor_in(block, user) for user in _users(buffer)]
        here = {holder.operation for holder in holders if holder is not None and holder.operation in before}
        if not here or any(holder is None for holder in holders):
            return None
        found |= here
    return [op for op in order if op in found] if all(_is_fill(op, buffers) for op in found) else None


def _begins_undefined(buffer: ir.Value) -> bool:
    """Whether a function finds nothing in a buffer: it makes it, or the caller made it for a result."""
    if isinstance(buffer, ir.BlockArgument):
        return ABI in buffer.owner.owner.attributes
    return op_name(buffer.owner) in ("memref.alloc", "memref.alloca")


def _users(buffer: ir.Value) -> Iterator[ir.Operation]:
    """What reads or writes a buffer, under any name."""
    for use in buffer.uses:
        op = use.owner.operation
        if op_name(op) in OTHER_NAMES:
            yield from _users(op.results[0])
        elif op_name(op) not in ("memref.dim", "memref.dealloc"):
            yield op


def _is_fill(op: ir.Operation, buffers: set[ir.Value]) -> bool:
    if op_name(op) != "scf.for" or len(op.results):
        return False
    reads, writes = _accesses(op)
    return reads is not None and not reads and writes is not None and writes <= buffers


def _is_plain(name: str) -> bool:
    return name in PLAIN or name in OTHER_NAMES or name.startswith(SCALAR_CODE)


def _buffer(value: ir.Value) -> ir.Value | None:
    """The buffer that a memref is in, if it can be told from all others."""
    while not isinstance(value, ir.BlockArgument) and op_name(value.owner) in OTHER_NAMES:
        value = value.owner.operation.operands[0]
    if isinstance(value, ir.BlockArgument):
        return value if op_name(value.owner.owner) == "func.func" else None
    return value if op_name(value.owner) in BUFFERS else None
