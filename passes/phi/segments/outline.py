"""A candidate made a segment."""

from __future__ import annotations

from tapeless._mlir import ir
from tapeless.dialects import phi
from tapeless.passes.ir.copies import Values, copy_op
from tapeless.passes.phi.exchange.attributes import flags_attribute
from tapeless.passes.phi.segments.candidate import Candidate
from tapeless.passes.phi.segments.gate import Estimate


def outline(candidate: Candidate, before: ir.OpView, label: str, found: Estimate | None) -> ir.OpView:
    """Moves the operations of a candidate into a `phi.segment` before an operation, which carries what it costs."""
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
