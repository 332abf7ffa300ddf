"""Treeverse's decisions as code on `index` values: the same formulas as in `treeverse.py`, at run time."""

from __future__ import annotations

from tapeless._mlir import arith, ir, scf
from tapeless.passes.ir.build import index

LESS = arith.CmpIPredicate.slt


def rounds_for(steps: ir.Value, budget: ir.Value) -> ir.Value:
    """The least number of rounds in which a chain of so many steps can be run backwards with `budget` kept states."""
    types = [ir.IndexType.get()] * 2
    loop = scf.WhileOp(types, [index(0), index(1)])
    here = [ir.Location.current] * 2
    with ir.InsertionPoint(before := ir.Block.create_at_start(loop.before, types, here)):
        rounds, reach = before.arguments
        scf.ConditionOp(arith.CmpIOp(LESS, reach, steps).result, [rounds, reach])
    with ir.InsertionPoint(after := ir.Block.create_at_start(loop.after, types, here)):
        rounds, reach = after.arguments
        following = plus(rounds, index(1))
        wider = arith.MulIOp(reach, plus(following, budget)).result
        scf.YieldOp([following, arith.DivSIOp(wider, following).result])
    return loop.results[0]


def split(budget: ir.Value, rounds: ir.Value, start: ir.Value, end: ir.Value) -> ir.Value:
    """The next checkpoint between `start` and the end of its stretch; the last step: none before."""
    weighted = plus(arith.MulIOp(budget, start).result, arith.MulIOp(rounds, end).result)
    middle = arith.CeilDivSIOp(weighted, arith.MaxSIOp(plus(rounds, budget), index(1)).result).result
    last = arith.MaxSIOp(plus(start, index(1)), minus(end, index(1))).result
    return arith.MinSIOp(middle, last).result


def plus(left: ir.Value, right: ir.Value) -> ir.Value:
    """The sum of two whole numbers."""
    return arith.AddIOp(left, right).result


def minus(left: ir.Value, right: ir.Value) -> ir.Value:
    """The difference of two whole numbers."""
    return arith.SubIOp(left, right).result
