"""Reductions over a range of indices."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from tapeless._mlir import arith, ir
from tapeless.passes.ir.build import number
from tapeless.passes.phi.graph.nodes import Node
from tapeless.passes.phi.lower.loops.code import Code, Values, counted

STARTS = {"sum": 0.0, "prod": 1.0, "max": -math.inf, "min": math.inf, "and": 1, "or": 0}
EXTREMES = {"max": arith.MaximumFOp, "min": arith.MinimumFOp}
INTEGERS: dict[str, Callable[..., Any]] = {
    "sum": arith.AddIOp,
    "prod": arith.MulIOp,
    "max": arith.MaxSIOp,
    "min": arith.MinSIOp,
    "and": arith.AndIOp,
    "or": arith.OrIOp,
}


def reduced(code: Code, node: Node, args: Values) -> Values:
    """One value carried through the range."""
    low, high = args
    start = number(ir.Type.parse(node.type), STARTS[node.name])

    def step(place: ir.Value, carried: Values) -> Values:
        (term,) = code.body(node.bodies[0], [place])
        return [_combined(code, node, carried[0], term)]

    return counted(low, high, [start], step)


def _combined(code: Code, node: Node, a: ir.Value, b: ir.Value) -> ir.Value:
    if not node.is_float:
        return INTEGERS[node.name](a, b).result
    if node.name in EXTREMES:
        return EXTREMES[node.name](a, b, fastmath=code.flags).result
    return code.add(a, b) if node.name == "sum" else code.multiply(a, b)


def place_of_extreme(code: Code, node: Node, args: Values) -> Values:
    """The first index of the largest or smallest term; not a number counts as that, as in the extreme itself."""
    low, high = args
    body = node.bodies[0]
    predicate = arith.CmpFPredicate.UGT if node.name == "argmax" else arith.CmpFPredicate.ULT
    type_ = ir.Type.parse(body.results[0].type)
    start = number(type_, -math.inf if node.name == "argmax" else math.inf)

    def step(place: ir.Value, carried: Values) -> Values:
        best, where = carried
        (term,) = code.body(body, [place])
        is_number = arith.CmpFOp(arith.CmpFPredicate.ORD, best, best).result
        is_first = arith.CmpIOp(arith.CmpIPredicate.eq, place, low).result
        better = arith.AndIOp(arith.CmpFOp(predicate, term, best).result, is_number).result
        taken = arith.OrIOp(better, is_first).result
        return [arith.SelectOp(taken, term, best).result, arith.SelectOp(taken, place, where).result]

    return counted(low, high, [start, low], step)[1:]
