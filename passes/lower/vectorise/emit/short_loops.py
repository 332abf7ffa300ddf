"""What LLVM is told about the loops of vector code: short ones become straight code, the others stay as they are.

A small product in each lane, such as that of a 4 x 4 matrix with a vector, is a nest of loops of known length. As
loops, each of its sums waits for the one before, and what it makes lies in memory; as straight code it stays in
registers.
"""

from __future__ import annotations

from tapeless._mlir import ir
from tapeless.passes.ir.sizes.sizes import constant_int
from tapeless.passes.lower.llvm.loop_hints import ATTRIBUTE
from tapeless.passes.lower.vectorise.walking import body_of, nested, op_name

FINAL = "#llvm.loop_annotation<vectorize = <disable = true>, unroll = <disable = true>>"
UNROLLED = "#llvm.loop_annotation<vectorize = <disable = true>, unroll = <full = true>>"
# The most operations of a nest as straight code.
MOST_OPERATIONS = 128


def annotate_vector_loops(block: ir.Block) -> None:
    """Tells LLVM to unroll short loops, and of the others neither to vectorise nor to unroll them.

    Both would cost compile time and gain nothing.
    """
    final, unrolled = ir.Attribute.parse(FINAL), ir.Attribute.parse(UNROLLED)
    for op in nested(block):
        if op_name(op) == "scf.for" and ATTRIBUTE not in op.operation.attributes:
            count = _operations(op)
            is_short = count is not None and count <= MOST_OPERATIONS
            op.operation.attributes[ATTRIBUTE] = unrolled if is_short else final


def _operations(loop: ir.Operation) -> int | None:
    """The operations that a loop and those in it run, if their lengths are known and they do nothing else."""
    low, high, step = map(constant_int, list(loop.operation.operands)[:3])
    if low is None or high is None or step is None:
        return None
    counts = [_operations(op) if op_name(op) == "scf.for" else _single(op) for op in body_of(loop).operations]
    known = [count for count in counts if count is not None]
    return sum(known) * max(-(-(high - low) // step), 0) if len(known) == len(counts) else None


def _single(op: ir.Operation) -> int | None:
    return None if len(op.operation.regions) else 1
