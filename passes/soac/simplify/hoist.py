"""Invariant code moved out of the bodies of operators and loops."""

from __future__ import annotations

from tapeless._mlir import ir
from tapeless.passes.ir.costs import is_check
from tapeless.passes.ir.regions.slots import is_structured
from tapeless.passes.ir.speculation import is_safe_anywhere
from tapeless.passes.ir.trips import surely_runs
from tapeless.passes.soac.simplify.checks import hoist_check

READS = frozenset({"tensor.extract"})
CHEAP_ARRAYS = frozenset({"tensor.splat", "tensor.empty", "tensor.from_elements", "tensor.extract_slice"})
STAYING = frozenset({"scf.if", "soac.with_acc"})


def hoist(root: ir.OpView) -> bool:
    """Hoists loop-invariant code out of every loop below `root`, innermost loops first."""
    changed = False
    for region in root.regions:
        for block in region.blocks:
            for op in list(block.operations):
                if len(op.regions):
                    changed |= hoist(op)
            if is_structured(root.operation.name) and root.operation.name not in STAYING:
                changed |= _hoist_from(block, root)
    return changed


def _hoist_from(block: ir.Block, loop: ir.OpView) -> bool:
    """Moves the invariant operations of one body before the loop; fills stay, each iteration may write into its own."""
    varying = set(block.arguments)
    changed, unchecked = False, surely_runs(loop)
    for op in list(block.operations)[:-1]:
        if op.operation.name == "soac.assert" and hoist_check(op, loop, varying):
            changed = True
            continue
        unchecked = unchecked and not is_check(op)
        if _is_invariant(op, varying) and _may_move(op, unchecked):
            op.operation.move_before(loop.operation)
            changed = True
        else:
            varying.update(op.results)
    return changed


def _may_move(op: ir.OpView, unchecked: bool) -> bool:
    if op.operation.name in CHEAP_ARRAYS or len(op.results) == 0 or any(_is_accumulator(value) for value in op.results):
        return False
    return is_safe_anywhere(op) or (unchecked and op.operation.name in READS)


def _is_accumulator(value: ir.Value) -> bool:
    return not isinstance(value.type, (ir.RankedTensorType, ir.IntegerType, ir.IndexType, ir.FloatType, ir.ComplexType))


def _is_invariant(op: ir.OpView, varying: set[ir.Value]) -> bool:
    """Whether neither the operation nor anything in its regions uses a value of this iteration."""
    if any(operand in varying for operand in op.operands):
        return False
    blocks = [block for region in op.regions for block in region.blocks]
    return all(_is_invariant(inner, varying) for block in blocks for inner in block.operations)
