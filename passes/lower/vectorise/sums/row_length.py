"""Rows that lanes copy for nothing but functions around the innermost loops: long rows are not worth that.

A copy lets lanes call the functions side by side, once per row; without it, LLVM vectorises along the rows, which then
are read as they are. Sums over rows of 8 elements, followed by `exp` and `log`, take a quarter of the time from copies,
those over rows of 1,000 elements twice as long. What counts is how many elements are copied for each iteration: of two
rows of 64 elements (real and imaginary parts of a spectrum, and a logarithm), the gradient takes 1.3 ms from copies and
0.8 without. Where the loops step along a stride, LLVM makes no vectors of them, and copies may have any length that
leaves room in the second-level cache.
"""

from __future__ import annotations

from functools import reduce

from tapeless._mlir import arith, ir
from tapeless.passes.ir.build import index
from tapeless.passes.lower.vectorise.accesses import Access, Pattern
from tapeless.passes.lower.vectorise.plan import LanePlan
from tapeless.passes.lower.vectorise.walking import indices_of, is_made_in, memref_of, op_name

MOST_COPIED = 128
MOST_COPIED_ACROSS = 2048


def rows_are_short(plan: LanePlan, outer: ir.Operation) -> ir.Value | None:
    """Whether all rows that are copied for functions only are short; None where `outer` has none of a known length."""
    deepest = max((access.depth for access in plan.accesses.values()), default=0)
    copied = [access for access in plan.accesses.values() if _is_copied_for_functions(access, deepest)]
    rows = {(memref_of(access.op), loop.operands[1]): loop for access in copied for loop in [_loop_around(access)]}
    known = [loop for loop in rows.values() if not any(is_made_in(bound, outer) for bound in list(loop.operands)[:2])]
    if not known:
        return None
    elements = reduce(lambda a, b: arith.AddIOp(a, b).result, map(_length, known))
    most = MOST_COPIED_ACROSS if plan.goes_across else MOST_COPIED
    return arith.CmpIOp(arith.CmpIPredicate.slt, elements, index(most)).result


def _is_copied_for_functions(access: Access, deepest: int) -> bool:
    """Whether no loop but those along its own axes would read a copied row again."""
    return access.pattern is Pattern.PACKED and 0 < access.depth == deepest < len(indices_of(access.op))


def _loop_around(access: Access) -> ir.Operation:
    parent = access.op.operation.parent
    while op_name(parent) != "scf.for":
        parent = parent.operation.parent
    return parent.operation


def _length(loop: ir.Operation) -> ir.Value:
    return arith.SubIOp(loop.operands[1], loop.operands[0]).result
