"""Several sums of a few numbers: LLVM unrolls the loop and sums side by side, but not fused multiply-adds."""

from __future__ import annotations

from tapeless._mlir import ir
from tapeless.passes.ir.sizes.sizes import constant_int
from tapeless.passes.lower.arithmetic.wide_totals import FREE
from tapeless.passes.marks import RECURSIVE

# Fewer numbers make no vectors, and loops over more are vectorised as loops, products included.
FEWEST, MOST = 4, 8
IN_ORDER = "#arith.fastmath<contract>"
# Longer loops are not unrolled.
UNROLLED = 64


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
    """Takes the freedom of order from the short sums of public and of recursive functions."""
    free, in_order = ir.Attribute.parse(FREE), ir.Attribute.parse(IN_ORDER)

    def visit(op: ir.Operation) -> ir.WalkResult:
        if op.name == "arith.addf" and op.attributes["fastmath"] == free and _is_short(op.parent):
            op.attributes["fastmath"] = in_order
        return ir.WalkResult.ADVANCE

    for function in module.body.operations:
        attributes = function.operation.attributes
        if function.operation.name == "func.func" and ("sym_visibility" not in attributes or RECURSIVE in attributes):
            function.operation.walk(visit)


def _is_short(loop: ir.Operation) -> bool:
    count = trip_count(loop)
    return count is not None and count <= UNROLLED
