"""Products that something is divided by: where they overflow, a guarded branch takes its second way."""

from __future__ import annotations

from collections.abc import Iterator

from tapeless._mlir import arith, ir
from tapeless.passes.ir.build import any_order
from tapeless.passes.ir.guards import number_tested, widest

SCALAR_CODE = ("arith.", "math.")


def watch_denominators(branch: ir.Operation) -> None:
    """Adds products that only the first way divides by to what the condition of a branch looks at."""
    nothing = number_tested(branch).owner.operation
    total = nothing.operands[0]
    with ir.InsertionPoint(nothing), nothing.location:
        for product in _denominators(total, _read_by_second_way(branch)):
            wide = widest([total, product])
            if wide[0].type == total.type:
                total = arith.AddFOp(*wide, fastmath=any_order()).result
    nothing.operands[0] = total


def _read_by_second_way(branch: ir.Operation) -> set[ir.Value]:
    """What both ways start from, and what is within the second one."""
    found: set[ir.Value] = set()

    def visit(op: ir.Operation) -> ir.WalkResult:
        found.update(op.operands)
        return ir.WalkResult.ADVANCE

    for op in branch.regions[1].blocks[0].operations:
        op.operation.walk(visit)
    return found


def _denominators(value: ir.Value, known: set[ir.Value]) -> Iterator[ir.Value]:
    """The products that scalar code divides by on the way to a value from known ones."""
    seen, waiting = set(known), [value]
    while waiting:
        each = waiting.pop()
        if each in seen or isinstance(each, ir.BlockArgument) or not each.owner.name.startswith(SCALAR_CODE):
            continue
        seen.add(each)
        waiting += each.owner.operands
        if each.owner.name == "arith.divf" and _is_product(each.owner.operands[1], known):
            yield each.owner.operands[1]


def _is_product(value: ir.Value, known: set[ir.Value]) -> bool:
    return value not in known and not isinstance(value, ir.BlockArgument) and value.owner.name == "arith.mulf"
