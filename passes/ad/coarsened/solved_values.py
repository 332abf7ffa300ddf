"""Values of loops that only derivatives read: in closed form where that is finite, elsewhere by steps as written."""

from __future__ import annotations

from tapeless._mlir import ir, scf
from tapeless.passes.ad.activity import is_float
from tapeless.passes.ad.coarsened.finite import are_finite
from tapeless.passes.ir.guards import OPERATIONS
from tapeless.passes.phi.differentiate.stepwise import may_overflow
from tapeless.passes.phi.exchange.attributes import flags_attribute, flags_of
from tapeless.passes.phi.exchange.segment import expressions, rewrite
from tapeless.passes.phi.graph.graph import DERIVATIVE
from tapeless.passes.phi.solve.solver import solved


def solved_values(steps: ir.OpView) -> list[ir.Value]:
    """The results of a segment that is a loop in closed form; the segment itself becomes the second way of a branch."""
    whole = steps.operation.clone().opview
    whole.operation.attributes["fm"] = flags_attribute(DERIVATIVE | flags_of(whole.fm))
    found = expressions(whole)
    closed = solved(found.graph, found.roots)
    if list(closed) == list(found.roots):
        whole.operation.erase()
        return list(steps.outs)
    rewrite(whole, found.symbols, closed)
    floats = [each for each in whole.outs if is_float(each.type)]
    if not floats or not may_overflow(found.graph.flags):
        steps.operation.erase()
        return list(whole.outs)
    choice = scf.IfOp(are_finite(floats, OPERATIONS), [each.type for each in whole.outs], has_else=True)
    with ir.InsertionPoint(choice.then_block):
        scf.YieldOp(list(whole.outs))
    with ir.InsertionPoint(choice.else_block):
        end = scf.YieldOp(list(steps.outs))
    steps.operation.move_before(end.operation)
    return list(choice.results)
