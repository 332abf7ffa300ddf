"""The pass `phi-segments`: scalar code whose derivative is cheaper as a whole becomes segments."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.dialects import phi
from tapeless.passes.driver.base import FunctionPass
from tapeless.passes.ir.rebuild import Values, copy_op
from tapeless.passes.ir.scopes import Reads
from tapeless.passes.phi.exchange.attributes import flags_attribute
from tapeless.passes.phi.segments.candidate import Candidate, IsActive, candidate, carries_derivatives
from tapeless.passes.phi.segments.cuts import best_pieces, widths
from tapeless.passes.phi.segments.gate import Estimate, estimate
from tapeless.passes.phi.segments.runs import Run, runs_of


def outline(candidate: Candidate, before: ir.OpView, label: str, found: Estimate | None) -> ir.OpView:
    """Moves the operations of a candidate into a `phi.segment` before an operation, which carries its cost."""
    locations = [op.location for op in candidate.ops]
    with ir.InsertionPoint(before), ir.Location.fused(locations) if len(locations) > 1 else locations[0]:
        types = [each.type for each in candidate.outs]
        activity = [_activity(values) for values in (candidate.inputs, candidate.outs)]
        flags = flags_attribute(candidate.flags)
        made = phi.SegmentOp(candidate.inputs, types, ir.StringAttr.get(label), *activity, flags)
    if found is not None:
        whole = ir.IntegerType.get_signless(64, made.context)
        made.operation.attributes["cost"] = ir.IntegerAttr.get(whole, round(found.after))
        made.operation.attributes["cost_by_operation"] = ir.IntegerAttr.get(whole, round(found.before))
    inputs = [each.type for each in candidate.inputs]
    block = ir.Block.create_at_start(made.operation.regions[0], inputs, [made.location] * len(inputs))
    values: Values = dict(zip(candidate.inputs, block.arguments, strict=True))
    with ir.InsertionPoint(block):
        for op in (*candidate.constants, *candidate.ops):
            with op.location:
                copy_op(op, values)
        with made.location:
            phi.YieldOp([values[each] for each in candidate.outs])
    for old, new in zip(candidate.outs, made.outs, strict=True):
        old.replace_all_uses_with(new)
    for op in reversed(candidate.ops):
        op.operation.erase()
    return made


def _activity(values: list[ir.Value]) -> ir.ArrayAttr:
    floats = (ir.F64Type, ir.F32Type)
    return ir.ArrayAttr.get([ir.BoolAttr.get(isinstance(value.type, floats)) for value in values])


# Operations whose blocks are looked through; operators of reductions and scans keep the form that rules know.
AROUND = frozenset({"func.func", "soac.map", "scf.for", "scf.if"})

Piece = tuple[list[ir.OpView], ir.OpView, Estimate | None]


@dataclass(frozen=True)
class Segments(FunctionPass):
    """Outlines runs of scalar operations as `phi.segment`, where their derivative as a whole costs less.

    ```mlir
    %s = arith.addf %x, %y : f64
    %q = arith.divf %x, %s : f64

    %q = "phi.segment"(%x, %y) ({
    ^bb0(%u: f64, %v: f64):
      %s = arith.addf %u, %v : f64
      %q = arith.divf %u, %s : f64
      "phi.yield"(%q) : (f64) -> ()
    }) {label = "s0", active_in = [true, true], active_out = [true], fm = #phi.fm<"contract">} : (f64, f64) -> f64
    ```
    The attributes `cost` and `cost_by_operation` say what values and gradient cost either way. Small branches belong to
    a run as a whole. With `gated=false` every run becomes a segment.
    """

    name: ClassVar[str] = "phi-segments"
    gated: bool = True

    def run_on(self, function: ir.OpView) -> bool:
        """Outlines the segments of a function; whether there are any."""
        return outline_segments(function, self.gated, carries_derivatives)


def outline_segments(function: ir.OpView, gated: bool, is_active: IsActive) -> bool:
    """Outlines segments of a function whose derivative is cheaper for the values that are active; whether any."""
    count = 0
    # What a piece reads may have become the result of the piece before.
    results: dict[ir.Value, bool] = {}

    def is_active_now(value: ir.Value) -> bool:
        return results[value] if value in results else is_active(value)

    reads = Reads.below(function)
    for block in list(_blocks(function)):
        for run in list(runs_of(block, reads)):
            for ops, before, cost in _pieces(run, block, gated, is_active_now):
                found = candidate(ops, block, is_active_now)
                made = outline(found, before, f"s{count}", cost)
                results |= {each: place in found.seeded for place, each in enumerate(made.outs)}
                count += 1
    return count > 0


def _blocks(op: ir.OpView) -> Iterator[ir.Block]:
    """The blocks in which segments are looked for, inner ones first."""
    if op.operation.name not in AROUND:
        return
    for region in op.operation.regions:
        for block in region.blocks:
            for inner in block.operations:
                yield from _blocks(inner)
            yield block


def _pieces(run: Run, block: ir.Block, gated: bool, is_active: IsActive) -> list[Piece]:
    """The operations of each segment, the operation right after them in the run, and their cost."""
    if not gated:
        found = candidate(run.ops, block)
        return [(run.ops, run.before, None)] if found.inputs and found.outs else []

    def look(start: int, end: int) -> tuple[float, float, Piece]:
        ops = run.ops[start:end]
        cost = estimate(candidate(ops, block, is_active))
        # Operations of the run that are in no segment stay where they are and may read what this one gives.
        before = run.ops[end] if end < len(run.ops) else run.before
        gain = cost.gain if cost is not None else 0.0
        return gain, (gain / cost.before if gain and cost is not None else 0.0), (ops, before, cost)

    return best_pieces(widths(run.ops), look)
