"""Sums of a few numbers, whose loops LLVM unrolls.

It sums several of them side by side, but not fused multiply-adds; and the order in which it takes one depends on the
code beside it, which is not the same for every number of threads. So the shorter ones are made in order, and the longer
ones stay loops until LLVM makes vectors of them, whose order depends on the loop alone.
"""

from __future__ import annotations

from tapeless._mlir import ir
from tapeless.passes.ir.sizes.sizes import constant_int
from tapeless.passes.lower.arithmetic.wide_totals import FREE
from tapeless.passes.lower.llvm.loop_hints import AS_A_LOOP, ATTRIBUTE
from tapeless.passes.marks import RECURSIVE

# Fewer numbers make no vectors, and loops over more are vectorised as loops, products included.
FEWEST, MOST = 4, 8
IN_ORDER = "#arith.fastmath<contract>"
# Longer loops are not unrolled.
UNROLLED = 64
# Loops of as many iterations gain by vectors.
FEWEST_IN_VECTORS = 16
# What sums in vectors may compute.
PLAIN = ("arith.", "math.", "soac.fn", "soac.guard", "memref.load", "memref.store", "scf.yield")


def is_summed_in_vectors(sum_: ir.Operation) -> bool:
    """Whether a sum of scalars is one of several totals of a loop with so few iterations."""
    loop = sum_.parent
    if loop.name != "scf.for" or len(loop.results) < 2 or isinstance(sum_.results[0].type, ir.VectorType):
        return False
    count = trip_count(loop)
    if count is None or not FEWEST <= count <= MOST:
        return False
    return any(use.owner.name == "scf.yield" for use in sum_.results[0].uses)


def trip_count(loop: ir.Operation) -> int | None:
    """How often a loop runs, if it is one and that is known."""
    if loop.name != "scf.for":
        return None
    bounds = [bound for value in list(loop.operands)[:3] if (bound := constant_int(value)) is not None]
    return len(range(*bounds)) if len(bounds) == 3 else None


def fix_short_sums(module: ir.Module) -> None:
    """Takes the freedom of order from the short sums of public and of recursive functions, or has LLVM find vectors."""
    free, in_order, as_a_loop = map(ir.Attribute.parse, (FREE, IN_ORDER, AS_A_LOOP))

    def visit(op: ir.Operation) -> ir.WalkResult:
        if op.name == "arith.addf" and op.attributes["fastmath"] == free and _is_short(op.parent):
            if _is_for_vectors(op.parent):
                op.parent.attributes[ATTRIBUTE] = as_a_loop
            else:
                op.attributes["fastmath"] = in_order
        return ir.WalkResult.ADVANCE

    for function in module.body.operations:
        attributes = function.operation.attributes
        if function.operation.name == "func.func" and ("sym_visibility" not in attributes or RECURSIVE in attributes):
            function.operation.walk(visit)


def _is_short(loop: ir.Operation) -> bool:
    count = trip_count(loop)
    return count is not None and count <= UNROLLED


def _is_for_vectors(loop: ir.Operation) -> bool:
    """Whether LLVM makes vectors of a loop: it computes with elements that lie side by side."""
    count = trip_count(loop)
    if count is None or count < FEWEST_IN_VECTORS or ATTRIBUTE in loop.attributes:
        return False
    block = loop.regions[0].blocks[0]
    counter, *carried = block.arguments
    if any(isinstance(each.type, ir.VectorType) for each in carried):
        return False
    body = [each.operation for each in block.operations]
    return all(op.name.startswith(PLAIN) and _is_side_by_side(op, counter) for op in body)


def _is_side_by_side(op: ir.Operation, counter: ir.Value) -> bool:
    """Whether what an operation reads or writes in the iterations of a loop lies side by side, or is the same."""
    if op.name not in ("memref.load", "memref.store"):
        return True
    buffer, *indices = list(op.operands)[1 if op.name == "memref.store" else 0 :]
    strides, _ = ir.MemRefType(buffer.type).get_strides_and_offset()
    return counter not in indices[:-1] and (not indices or counter not in indices[-1:] or strides[-1] == 1)
