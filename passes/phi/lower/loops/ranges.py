"""Reductions over a range of indices."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from tapeless._mlir import arith, ir
from tapeless.passes.ir.build import Rows, map_, number, sum_rows
from tapeless.passes.phi.graph.loops.ranges import is_count
from tapeless.passes.phi.graph.nodes import Node
from tapeless.passes.phi.lower.loops.code import Code, Values, counted, index

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
    """One value carried through the range; a sum that has no order is one of a map."""
    low, high = args
    if node.name == "sum" and node.is_float and code.is_free:
        return [_summed(code, node, low, high)]
    start = number(ir.Type.parse(node.type), STARTS[node.name])

    def step(place: ir.Value, carried: Values) -> Values:
        (term,) = code.body(node.bodies[0], [place])
        return [_combined(code, node, carried[0], term)]

    return counted(low, high, [start], step)


def _summed(code: Code, node: Node, low: ir.Value, high: ir.Value) -> ir.Value:
    """The sum of a map over the range, which becomes one loop in lanes."""
    starts_at_zero = node.args[0].kind == "constant" and node.args[0].constant == 0
    width = high if starts_at_zero else arith.SubIOp(high, low).result
    if not (starts_at_zero and is_count(node.args[1])):
        width = arith.MaxSIOp(width, index(0)).result

    def term(place: ir.Value, _: Rows, __: Rows) -> tuple[Rows, Rows]:
        return code.body(node.bodies[0], [place if starts_at_zero else arith.AddIOp(place, low).result]), []

    (terms,), _ = map_(width, [], [], term)
    return sum_rows(width, terms, number(ir.Type.parse(node.type), 0.0))


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
