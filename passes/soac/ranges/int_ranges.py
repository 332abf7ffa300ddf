"""`soac-int-ranges`: tests whose outcome is known from the ranges of integers."""

from __future__ import annotations

from typing import ClassVar

from tapeless._mlir import arith, ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.ir.rebuild import replace_op
from tapeless.passes.ir.search import ops_named
from tapeless.passes.soac.ranges.analysis import Ranges
from tapeless.passes.soac.simplify.prune import prune

UNSIGNED = {"arith.divsi": arith.DivUIOp, "arith.floordivsi": arith.DivUIOp, "arith.remsi": arith.RemUIOp}


@dataclass(frozen=True)
class IntRanges:
    """Folds comparisons by integer range analysis, and divides unsigned where no operand is negative.

    ```mlir
    %negative = arith.cmpi slt, %low, %c0             %i = %low
    %from_end = arith.addi %low, %n
    %i = arith.select %negative, %from_end, %low
    ```
    for a `%low` that a search carries and that starts at zero. Threads of GPUs have an operation on 64 bits for each
    of these in every step.
    """

    name: ClassVar[str] = "soac-int-ranges"

    def run(self, module: ir.Module) -> None:
        """Every function by itself; of arguments nothing is known."""
        root = module.operation.opview
        ranges = Ranges()
        for function in module.body.operations:
            ranges.read(function)
        changed = False
        for name in UNSIGNED:
            for op in list(ops_named(root, name)):
                changed |= _divide_unsigned(op, ranges)
        for name in ("arith.cmpi", "arith.select", "arith.andi", "arith.ori", "arith.xori"):
            for op in list(ops_named(root, name)):
                changed |= _replace(op, ranges)
        if changed:
            prune(root)


def _divide_unsigned(op: ir.OpView, ranges: Ranges) -> bool:
    left, right = op.operands
    if ranges.of(left).low < 0 or ranges.of(right).low <= 0:
        return False
    found = ranges.of(op.results[0])
    with op.location, ir.InsertionPoint(op):
        made = UNSIGNED[op.operation.name](left, right).result
    ranges.found[made] = found
    replace_op(op, [made])
    return True


def _replace(op: ir.OpView, ranges: Ranges) -> bool:
    """By one of its operands, or by a constant where it is a test."""
    (result,) = op.results
    if op.operation.name == "arith.select":
        condition, first, second = op.operands
        if not isinstance(condition.type, ir.IntegerType) or not ranges.of(condition).is_one:
            return False
        replace_op(op, [first if ranges.of(condition).low else second])
        return True
    found = ranges.of(result) if isinstance(result.type, ir.IntegerType) and result.type.width == 1 else None
    if found is None or not found.is_one:
        return False
    with op.location, ir.InsertionPoint(op):
        made = arith.ConstantOp(result.type, ir.IntegerAttr.get(result.type, found.low)).result
    ranges.found[made] = found
    replace_op(op, [made])
    return True
