"""Derivatives of functions with loops that are segments: where one is not finite, all of it is asked of `redundant`.

Closed forms, and slopes that loops carry beside them, take products of many slopes in another order than steps back do.
"""

from __future__ import annotations

from collections.abc import Sequence

from tapeless._mlir import arith, ir, scf
from tapeless.passes.ad.coarsened.finite import are_finite
from tapeless.passes.ad.segmented import SEGMENT, is_raised
from tapeless.passes.ir.build import is_array, number
from tapeless.passes.ir.search import ops_named
from tapeless.passes.marks import SOLVED
from tapeless.passes.phi.differentiate.stepwise import may_overflow
from tapeless.passes.phi.exchange.attributes import flags_of


def without_doubt(op: ir.OpView, function: ir.OpView, made: Sequence[ir.Value], count: int) -> list[ir.Value]:
    """What becomes of a request, of which the first `count` results are values: numbers that are finite if they can be.

    A request in the body of a loop or an operator stays as it is: there, states of the other method have no place.
    """
    values, slopes = list(made)[:count], list(made)[count:]
    if op.operation.parent.name != "func.func" or not slopes or any(map(is_array, slopes)) or not _has_loops(function):
        return list(made)
    finite = are_finite(slopes, SOLVED)
    choice = scf.IfOp(finite, [each.type for each in slopes], has_else=True)
    with ir.InsertionPoint(choice.then_block):
        scf.YieldOp(slopes)
    with ir.InsertionPoint(choice.else_block):
        again = op.operation.clone()
        again.attributes["method"] = ir.StringAttr.get("redundant")
        steps = list(again.results)[count:]
        scf.YieldOp([_finite_one(each, step) for each, step in zip(slopes, steps, strict=True)])
    return [*values, *choice.results]


def _finite_one(slope: ir.Value, step: ir.Value) -> ir.Value:
    """A slope if it is finite, else what steps gave for it."""
    zero = number(slope.type, 0.0)
    finite = arith.CmpFOp(arith.CmpFPredicate.OEQ, arith.MulFOp(slope, zero).result, zero).result
    return arith.SelectOp(finite, slope, step).result


def _has_loops(function: ir.OpView) -> bool:
    """Whether loops of a function are segments, whose derivatives may be infinite."""
    return any(is_raised(op) and may_overflow(flags_of(op.fm)) for op in ops_named(function, SEGMENT))
