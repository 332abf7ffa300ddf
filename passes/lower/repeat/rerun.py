"""Whether a loop may run a second time and do the same again."""

from __future__ import annotations

from tapeless._mlir import ir
from tapeless.passes.lower.vectorise.walking import body_of, memref_of, nested, op_name

SCALAR_CODE = ("arith.", "math.", "soac.fn")
PLAIN = ("scf.for", "scf.if", "scf.yield", "memref.dim", "memref.load", "memref.store")
OTHER_NAMES = ("memref.cast", "memref.reinterpret_cast", "memref.subview", "memref.collapse_shape")
BUFFERS = ("memref.alloc", "memref.alloca", "memref.get_global", "builtin.unrealized_conversion_cast")


def may_run_again(loop: ir.Operation) -> bool:
    """Whether a loop only computes, reads and writes, and reads nothing that it writes."""
    body = list(nested(body_of(loop)))
    if not all(_is_plain(op_name(op)) for op in body):
        return False
    reads = [_buffer(memref_of(op)) for op in body if op_name(op) == "memref.load"]
    writes = [_buffer(memref_of(op)) for op in body if op_name(op) == "memref.store"]
    if not writes:
        return True
    are_known = all(buffer is not None for buffer in (*reads, *writes))
    return are_known and not set(reads) & set(writes)


def _is_plain(name: str) -> bool:
    return name in PLAIN or name in OTHER_NAMES or name.startswith(SCALAR_CODE)


def _buffer(value: ir.Value) -> ir.Value | None:
    """The buffer that a memref is in, if it can be told from all others."""
    while not isinstance(value, ir.BlockArgument) and op_name(value.owner) in OTHER_NAMES:
        value = value.owner.operation.operands[0]
    if isinstance(value, ir.BlockArgument):
        return value if op_name(value.owner.owner) == "func.func" else None
    return value if op_name(value.owner) in BUFFERS else None
