"""What LLVM is told about the loops of vector code: short ones become straight code, the others stay as they are.

So do scalar loops beside it that step along a stride; LLVM's attempts at those are a quarter of the time that it takes
for products of matrices.

A small product in each lane, such as that of a 4 x 4 matrix with a vector, is a nest of loops of known length. As
loops, each of its sums waits for the one before, and what it makes lies in memory; as straight code it stays in
registers.
"""

from __future__ import annotations

from tapeless._mlir import ir
from tapeless.passes.ir.sizes.sizes import constant_int
from tapeless.passes.lower.llvm.loop_hints import ATTRIBUTE, MAPPING, SCALAR, SHORT, SUMMING
from tapeless.passes.lower.vectorise.accesses import is_across
from tapeless.passes.lower.vectorise.walking import body_of, nested, op_name

UNROLLED = f"#llvm.loop_annotation<{SCALAR}, unroll = <full = true>>"
# The most operations of a nest as straight code.
MOST_OPERATIONS = 128


def annotate_vector_loops(block: ir.Block) -> None:
    """Tells LLVM to unroll short loops, and of the others neither to vectorise nor to unroll them.

    Both would cost compile time and gain nothing.
    """
    final, unrolled = ir.Attribute.parse(SHORT), ir.Attribute.parse(UNROLLED)
    for op in nested(block):
        if op_name(op) == "scf.for" and ATTRIBUTE not in op.operation.attributes:
            op.operation.attributes[ATTRIBUTE] = unrolled if _is_short(op) else final


def leave_rows_to_llvm(loop: ir.Operation) -> None:
    """Has LLVM vectorise those innermost loops of scalar code that find their elements side by side."""
    for op in [loop, *nested(body_of(loop))]:
        if op_name(op) != "scf.for" or _holds_loops(op) or _is_short(op):
            continue
        if not any(map(_steps, nested(body_of(op)))):
            op.operation.attributes[ATTRIBUTE] = ir.Attribute.parse(SUMMING if len(op.operation.results) else MAPPING)


def _holds_loops(loop: ir.Operation) -> bool:
    return any(op_name(op) in ("scf.for", "scf.while") for op in nested(body_of(loop)))


def _steps(op: ir.Operation) -> bool:
    """Whether an operation reaches memory along a stride."""
    return op_name(op) in ("memref.load", "memref.store") and is_across(op)


def _is_short(loop: ir.Operation) -> bool:
    count = _operations(loop)
    return count is not None and count <= MOST_OPERATIONS


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
