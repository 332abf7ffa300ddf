"""Inner loops that lanes leave at different times: triangular ones, and those that run until a lane has converged.

Such a loop runs until the last lane has left it. What a lane carries stays as it was when the lane left; whatever else
an iteration does is done for all lanes, so it must be harmless in those that have left:

- It reads elements that all lanes share, which one of those that are still there needs, and copies that each lane has.
- It writes to copies that each lane has alone, where those that have left keep what was there.
- It neither divides integers, nor adds to memory, nor makes buffers.
"""

from __future__ import annotations

from tapeless._mlir import ir
from tapeless.passes.ir.sizes.sizes import DIVISIONS
from tapeless.passes.lower.vectorise.accesses import Access, Pattern
from tapeless.passes.lower.vectorise.lanes import LaneAnalysis, NotVectorisable
from tapeless.passes.lower.vectorise.sums.summed import SummedValues
from tapeless.passes.lower.vectorise.walking import body_of, nested, op_name
from tapeless.passes.lower.vectorise.weight import weight_of
from tapeless.passes.marks import ACCUMULATING, PARALLEL, REDUCING

# Shorter iterations take one lane about as long as all of them, which wait for the last one.
SHORTEST_ITERATION = 8
READABLE = (Pattern.SHARED, Pattern.PRIVATE, Pattern.PACKED)


def refuse_unsafe(analysis: LaneAnalysis, accesses: dict[ir.Operation, Access]) -> None:
    """Refuses a loop whose uneven loops do what lanes that have left them may not do."""
    for loop in analysis.uneven:
        _require_reached_by_all(loop, analysis)
        for region in loop.regions:
            for op in nested(region.blocks[0]):
                _require_harmless(op.operation, analysis, accesses)


def refuse_short(analysis: LaneAnalysis, summed: SummedValues) -> None:
    """Refuses a loop whose uneven loops gain nothing: all are short, or LLVM makes lanes of their iterations."""
    if not analysis.uneven:
        return
    if any(map(_is_for_llvm, analysis.uneven)):
        raise NotVectorisable("an inner loop with bounds that depend on the lane has independent iterations")
    blocks = [[region.blocks[0] for region in loop.regions] for loop in analysis.uneven]
    if max(sum(weight_of(block, analysis, summed) for block in each) for each in blocks) < SHORTEST_ITERATION:
        raise NotVectorisable("loops that lanes leave at different times are short")


def _is_for_llvm(loop: ir.Operation) -> bool:
    if op_name(loop) != "scf.for" or any(len(op.operation.regions) for op in nested(body_of(loop))):
        return False
    return any(mark in loop.attributes for mark in (PARALLEL, ACCUMULATING, REDUCING))


def _require_reached_by_all(loop: ir.Operation, analysis: LaneAnalysis) -> None:
    parent = loop.parent
    while parent.operation != analysis.loop.operation:
        if op_name(parent) == "scf.if" and analysis.of(parent.operation.operands[0]):
            raise NotVectorisable("lanes leave a loop at different times that not all of them reach")
        parent = parent.operation.parent


def _require_harmless(op: ir.Operation, analysis: LaneAnalysis, accesses: dict[ir.Operation, Access]) -> None:
    name = op_name(op)
    if name == "memref.store" and (op not in accesses or accesses[op].pattern is not Pattern.PRIVATE):
        raise NotVectorisable("a loop that lanes leave at different times writes to memory that they share")
    if op in analysis.accumulations.skipped or name in ("memref.alloc", "memref.alloca"):
        raise NotVectorisable("a loop that lanes leave at different times adds to memory, or makes a buffer")
    if name == "memref.load" and (op not in accesses or accesses[op].pattern not in READABLE):
        raise NotVectorisable("lanes that have left a loop would read elements that there may not be")
    if name == "scf.if" and analysis.of(op.operands[0]):
        raise NotVectorisable("lanes that have left a loop would take both ways of a branch that others skip")
    if name in DIVISIONS and any(analysis.of(value) for value in op.operands):
        raise NotVectorisable("lanes that have left a loop would divide integers")
