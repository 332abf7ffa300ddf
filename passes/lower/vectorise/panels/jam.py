"""Register tiles: a few iterations of the parallel loop around a vectorised one run together and share its loads."""

from __future__ import annotations

import contextlib
from dataclasses import replace

from tapeless._mlir import ir
from tapeless.passes.lower.vectorise.accesses import Access, Pattern
from tapeless.passes.lower.vectorise.lanes import LaneAnalysis, Lanes, NotVectorisable
from tapeless.passes.lower.vectorise.panels.panels import Panel
from tapeless.passes.lower.vectorise.plan import LanePlan, is_parallel
from tapeless.passes.lower.vectorise.walking import body_of, counts_by_one, indices_of, nested, op_name
from tapeless.passes.lower.vectorise.width import registers

MANY_ROWS, FEW_ROWS = 8, 4
LARGEST_BODY = 8
UNCOPIED = {Pattern.PANEL: Pattern.CONTIGUOUS, Pattern.TILE: Pattern.SHARED}


def jam(plan: LanePlan, vector_bits: int) -> LanePlan:
    """The plan with the loop around it jammed, when that is legal and its body small enough for registers."""
    outer = plan.loop.operation.parent
    if not _can_run_together(plan) or not _is_plain(outer, plan) or _moves_copies(plan, outer):
        if plan.panels(Pattern.PANEL):
            raise NotVectorisable("panels are read, but the loop around runs one iteration at a time")
        return plan
    accesses = {op: _copied(access, plan, outer) for op, access in plan.accesses.items()}
    return replace(plan, jam=outer.operation, rows=_rows(plan, vector_bits), accesses=accesses)


def for_few_rows(plan: LanePlan) -> LanePlan:
    """The jammed plan for so few iterations of the loop around that copies do not pay."""
    return replace(uncopied(plan), rows=FEW_ROWS)


def uncopied(plan: LanePlan) -> LanePlan:
    """The plan with loads from the arrays themselves."""
    accesses = {
        op: replace(access, pattern=UNCOPIED.get(access.pattern, access.pattern), panel=None)
        for op, access in plan.accesses.items()
    }
    return replace(plan, accesses=accesses)


def tile_rows(sums_allow: int) -> int:
    """How many iterations run together where registers have room for the sums of so many."""
    return MANY_ROWS if sums_allow >= MANY_ROWS else FEW_ROWS


def _rows(plan: LanePlan, vector_bits: int) -> int:
    """How many iterations run together: many if their sums take up half of the registers at most."""
    loops = [op for op in nested(body_of(plan.loop)) if op_name(op) == "scf.for"]
    carried = max(len(loop.operation.results) for loop in loops)
    sums = MANY_ROWS * carried * (plan.lanes // plan.register)
    return MANY_ROWS if 2 * sums <= registers(vector_bits) else FEW_ROWS


def _moves_copies(plan: LanePlan, outer: ir.Operation) -> bool:
    """Whether every iteration of the loop around works on copies of its own, which iterations together cannot share."""
    packed = [access.op for access in plan.accesses.values() if access.pattern is Pattern.PACKED]
    return op_name(outer) == "scf.for" and any(body_of(outer).arguments[0] in indices_of(op) for op in packed)


def _can_run_together(plan: LanePlan) -> bool:
    """Whether the planned loop may run for several iterations of the one around, and fits into registers then."""
    return plan.analysis.may_run_together and plan.may_repeat and _is_small(plan)


def _is_plain(outer: ir.Operation, plan: LanePlan) -> bool:
    """Whether the loop around counts up, has independent iterations, and holds nothing but the planned one."""
    if op_name(outer) != "scf.for" or not is_parallel(outer) or not counts_by_one(outer):
        return False
    if not _only_wraps(outer, plan):
        return False
    with contextlib.suppress(NotVectorisable):
        rows = LaneAnalysis(outer)
        return not rows.uneven and not rows.arms
    return False


def _copied(access: Access, plan: LanePlan, outer: ir.Operation) -> Access:
    """Loads that jammed iterations or blocks repeat are made from copies where their elements lie close together."""
    if access.pattern is Pattern.CONTIGUOUS:
        panel = Panel.of(access.op, access.axis, plan.loop, plan.loop)
        return access if panel is None else replace(access, pattern=Pattern.PANEL, panel=panel)
    last = len(indices_of(access.op)) - 1
    if access.pattern is Pattern.SHARED and last > 0:
        panel = Panel.of(access.op, last, outer, plan.loop)
        return access if panel is None else replace(access, pattern=Pattern.TILE, panel=panel)
    return access


def _is_small(plan: LanePlan) -> bool:
    varying = [
        result
        for op in nested(body_of(plan.loop))
        for result in op.operation.results
        if plan.analysis.of(result) is Lanes.VARYING
    ]
    return len(varying) <= LARGEST_BODY and not any(op_name(op) == "scf.if" for op in nested(body_of(plan.loop)))


def _only_wraps(outer: ir.Operation, plan: LanePlan) -> bool:
    """Whether `outer` holds nothing but the planned loop and index arithmetic for it."""
    others = [op for op in list(body_of(outer).operations)[:-1] if op.operation != plan.loop.operation]
    bounds_inside = any(
        not isinstance(v.owner, ir.Block) and v.owner.operation.block == body_of(outer)
        for v in list(plan.loop.operation.operands)[:2]
    )
    return not bounds_inside and all(op_name(op).startswith("arith.") for op in others)
