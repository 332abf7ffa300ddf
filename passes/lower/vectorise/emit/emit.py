"""Replaces a planned loop by vector code: wide blocks, then narrow ones; few iterations and long rows keep their loops.

Note [Stages]: the wide stage runs whole blocks only. What is left runs in narrow blocks, the last of which repeats some
iterations (Note [Last block]). A loop that reads what it writes cannot repeat iterations and finishes one at a time.

Note [Few iterations]: loops with fewer iterations than lanes run in a quarter of the lanes, and else in pairs, where
loops inside of them are not for LLVM: a loop that steps along a stride, as the sum of a product with few columns does,
would run one element at a time, and each of its sums would wait for the one before. A quarter of the lanes use what is
copied for a register tile once or twice, so that there is no copy unless what is read is larger than the caches.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from tapeless._mlir import arith, ir, scf
from tapeless.passes.ir.build import index
from tapeless.passes.ir.regions.structure import operands_of
from tapeless.passes.lower.vectorise.accesses import Pattern
from tapeless.passes.lower.vectorise.emit.short_loops import annotate_vector_loops, leave_rows_to_llvm
from tapeless.passes.lower.vectorise.emit.stage import Stage, Values
from tapeless.passes.lower.vectorise.panels.jam import for_few_rows, tile_rows, uncopied
from tapeless.passes.lower.vectorise.plan import LanePlan
from tapeless.passes.lower.vectorise.sums.row_length import rows_are_short
from tapeless.passes.lower.vectorise.walking import body_of, is_made_in, nested, op_name

NARROWEST_TILE, PAIR = 4, 2
# The elements of a matrix from which register tiles of few lanes are read without copies.
MOST_UNCOPIED = 1 << 19


def vectorise(plan: LanePlan) -> None:
    """Replaces the planned loop, and the one jammed with it, by vector code; a copy stays for where it does not pay."""
    outer = plan.jam if plan.jam is not None else plan.loop
    with ir.InsertionPoint(outer), outer.location:
        is_short = rows_are_short(plan, outer)
        way = partial(_copy, outer)
        for narrow in _narrowed(plan):
            way = partial(_choose_blocks, narrow, is_short, partial(_narrow_stages, narrow), way)
            if narrow.panels(Pattern.TILE) and (is_small := _reads_little(plan)) is not None:
                small = uncopied(narrow)
                way = partial(_choose_blocks, small, is_small, partial(_narrow_stages, small), way)
        results = _choose_blocks(plan, is_short, partial(_stages, plan), way)
    for old, new in zip(outer.operation.results, results, strict=True):
        old.replace_all_uses_with(new)
    outer.operation.erase()


def _choose_blocks(
    plan: LanePlan, also: ir.Value | None, blocks: Callable[[], Values], otherwise: Callable[[], Values]
) -> Values:
    """The blocks of a plan if there are iterations enough to fill one, and something else holds."""
    enough = _has_trips(*_bounds(plan.loop), plan.lanes)
    if plan.jam is not None:
        enough = arith.AndIOp(enough, _has_trips(*_bounds(plan.jam), 1)).result
    if also is not None:
        enough = arith.AndIOp(enough, also).result
    outer = plan.jam if plan.jam is not None else plan.loop
    return _choose(enough, operands_of(outer, "carried"), blocks, otherwise)


def _narrowed(plan: LanePlan) -> list[LanePlan]:
    """The plan with fewer lanes, the fewest first; a register tile gets more rows for it. See Note [Few iterations]."""
    quarter = max(plan.lanes // 4, NARROWEST_TILE)
    if plan.jam is None and not plan.steps_along_strides:
        return []
    narrow = [_with_lanes(plan, quarter)] if quarter < plan.lanes else []
    # Loops inside that find their elements side by side are for LLVM.
    return narrow if plan.reads_strided_panels else [_with_lanes(uncopied(plan), PAIR), *narrow]


def _reads_little(plan: LanePlan) -> ir.Value | None:
    """Whether the matrix of which a register tile has rows is small; None where it has sides of unknown lengths."""
    inner = [op for op in nested(body_of(plan.loop)) if op_name(op) == "scf.for"]
    if plan.jam is None or plan.reads_strided_panels or len(inner) != 1:
        return None
    if any(is_made_in(bound, plan.jam) for bound in _bounds(inner[0])):
        return None
    rows, summands = (arith.SubIOp(*reversed(_bounds(loop))).result for loop in (plan.jam, inner[0]))
    elements = arith.MulIOp(rows, summands).result
    return arith.CmpIOp(arith.CmpIPredicate.slt, elements, index(MOST_UNCOPIED)).result


def _with_lanes(plan: LanePlan, lanes: int) -> LanePlan:
    rows = plan.rows if plan.jam is None else tile_rows(plan.rows * plan.lanes // lanes)
    return replace(plan, lanes=lanes, wide=lanes, register=min(plan.register, lanes), rows=rows)


def _narrow_stages(plan: LanePlan) -> Values:
    return _stages(plan) if plan.jam is None else Stage(plan, overlaps=True).run_jammed()


def _copy(loop: ir.Operation) -> Values:
    """A copy of a loop, of which LLVM vectorises those inside that go along rows."""
    copy = loop.operation.clone()
    leave_rows_to_llvm(copy)
    return list(copy.results)


def _choose(condition: ir.Value, like: Values, then: Callable[[], Values], otherwise: Callable[[], Values]) -> Values:
    """Values of the same types as `like`, computed in one of two ways."""
    choice = scf.IfOp(condition, [value.type for value in like], has_else=True)
    for block, emit in ((choice.then_block, then), (choice.else_block, otherwise)):
        with ir.InsertionPoint(block):
            scf.YieldOp(emit())
    leave_as_they_are(choice)
    return list(choice.results)


def _stages(plan: LanePlan) -> Values:
    if plan.jam is not None:
        return _jammed(plan)
    (lower, upper), carried = _bounds(plan.loop), operands_of(plan.loop, "carried")
    if plan.wide > plan.lanes:
        lower, carried = _wide_blocks(plan, lower, upper, carried)
    if plan.may_repeat:
        return Stage(plan, overlaps=True).run(lower, upper, carried)
    end = end_of_whole_blocks(lower, upper, plan.lanes)
    carried = Stage(plan, overlaps=False).run(lower, end, carried)
    return one_at_a_time(plan, end, upper, carried)


def _jammed(plan: LanePlan) -> Values:
    """Rows together, from packed copies where there are enough of them or it cannot be done without."""
    if plan.reads_strided_panels:
        return Stage(plan, overlaps=True).run_jammed()
    enough = _has_trips(*_bounds(plan.jam), plan.rows)
    few = for_few_rows(plan)
    return _choose(enough, [], Stage(plan, overlaps=True).run_jammed, Stage(few, overlaps=True).run_jammed)


def _wide_blocks(plan: LanePlan, lower: ir.Value, upper: ir.Value, carried: Values) -> tuple[ir.Value, Values]:
    """The whole blocks of the wide stage; gives back where they end."""
    end = end_of_whole_blocks(lower, upper, plan.wide)
    wide = Stage(replace(plan, lanes=plan.wide), overlaps=False)
    enough = _has_trips(lower, upper, plan.wide)
    return end, _choose(enough, carried, lambda: wide.run(lower, end, carried), lambda: carried)


def one_at_a_time(plan: LanePlan, lower: ir.Value, upper: ir.Value, carried: Values) -> Values:
    """The planned loop's own iterations from `lower` to `upper`."""
    rest = plan.loop.operation.clone()
    for position, value in {0: lower, 1: upper, **dict(enumerate(carried, start=3))}.items():
        rest.operands[position] = value
    leave_rows_to_llvm(rest)
    return list(rest.results)


def leave_as_they_are(choice: scf.IfOp) -> None:
    """Tells LLVM that these loops are vector code."""
    for block in (choice.then_block, choice.else_block):
        annotate_vector_loops(block)


def _bounds(loop: ir.Operation) -> tuple[ir.Value, ir.Value]:
    lower, upper = list(loop.operation.operands)[:2]
    return lower, upper


def _has_trips(lower: ir.Value, upper: ir.Value, count: int) -> ir.Value:
    trips = arith.SubIOp(upper, lower).result
    return arith.CmpIOp(arith.CmpIPredicate.sge, trips, index(count)).result


def end_of_whole_blocks(lower: ir.Value, upper: ir.Value, lanes: int) -> ir.Value:
    """Where the last whole block of `lanes` iterations ends."""
    rest = arith.RemSIOp(arith.SubIOp(upper, lower).result, index(lanes)).result
    return arith.SubIOp(upper, rest).result
