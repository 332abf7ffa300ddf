"""The pass `ad-while-to-for`: while loops with a known or counted number of iterations."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from tapeless._mlir import arith, ir, scf
from tapeless.dataclasses_on_use import dataclass
from tapeless.dialects import soac
from tapeless.dialects.ad.marks import BOUND
from tapeless.passes.ad.activity import is_float
from tapeless.passes.ad.copying import inline_block
from tapeless.passes.driver.base import FunctionPass
from tapeless.passes.ir.build import index, number
from tapeless.passes.ir.rebuild import replace_op
from tapeless.passes.ir.search import ops_named

MOST_GUARDED = 4096
"""Up to which bound all iterations are run under a guard; those of a larger one are counted first."""


@dataclass(frozen=True)
class WhileToFor(FunctionPass):
    """Converts `scf.while` to counted `scf.for` loops, which the reverse sweep can run backwards.

    A loop with the attribute `ad.bound = N` runs N guarded iterations if N is small, and fails when it has not ended by
    then; any other is run once before, to count.

    ```mlir
    %r = scf.while (%x = %a) { cond } do { body }       %n = (the same loop, counting)
                                                        %r = scf.for %i = 0 to %n iter_args(%x = %a) { body }
    ```
    """

    name: ClassVar[str] = "ad-while-to-for"

    def run_on(self, function: ir.OpView) -> None:
        """Rewrites every while loop of the function."""
        rewrite_whiles(function)


def rewrite_whiles(function: ir.OpView) -> None:
    """Rewrites the while loops of a function that give floats, inner ones first; the others have no derivative."""
    for op in ops_named(function, "scf.while"):
        if not any(is_float(result.type) for result in op.operation.results):
            continue
        with ir.InsertionPoint(op), op.location:
            bound = _bound(op)
            state = _counted(op, bound) if bound is None or bound > MOST_GUARDED else _guarded(op, bound)
            condition, *passed = _run_before(op, state)
            if bound is not None:
                _check_finished(condition, bound)
            replace_op(op, passed)


def _bound(op: ir.OpView) -> int | None:
    attributes = op.operation.attributes
    return ir.IntegerAttr(attributes[BOUND]).value if BOUND in attributes else None


def _counted(op: ir.OpView, bound: int | None) -> list[ir.Value]:
    initial = list(op.operation.operands)
    trips = _count(op, initial, bound)
    loop = scf.ForOp(index(0), trips, index(1), initial)
    with ir.InsertionPoint(loop.body):
        scf.YieldOp(_iterate(op, list(loop.inner_iter_args)))
    return list(loop.results)


def _guarded(op: ir.OpView, bound: int) -> list[ir.Value]:
    initial = list(op.operation.operands)
    loop = scf.ForOp(index(0), index(bound), index(1), initial)
    with ir.InsertionPoint(loop.body):
        state = list(loop.inner_iter_args)
        condition, *passed = _run_before(op, state)
        choice = scf.IfOp(condition, [value.type for value in state], has_else=True)
        with ir.InsertionPoint(choice.then_block):
            scf.YieldOp(_run_after(op, passed))
        with ir.InsertionPoint(choice.else_block):
            scf.YieldOp(state)
        scf.YieldOp(list(choice.results))
    return list(loop.results)


def _check_finished(condition: ir.Value, bound: int) -> None:
    """After as many iterations as the bound allows the condition must not hold."""
    bit, i64 = ir.IntegerType.get_signless(1), ir.IntegerType.get_signless(64)
    finished = arith.XOrIOp(condition, number(bit, 1)).result
    message = ir.StringAttr.get("the loop ran more than {} iterations; raise its bound")
    soac.AssertOp(finished, [number(i64, bound)], kind=ir.StringAttr.get("TapelessError"), message=message)


def _count(op: ir.OpView, initial: Sequence[ir.Value], bound: int | None) -> ir.Value:
    """The number of iterations, found by running the loop, up to its bound."""
    types = [*(value.type for value in initial), ir.IndexType.get()]
    loop = scf.WhileOp(types, [*initial, index(0)])
    here = [ir.Location.current] * len(types)
    before = ir.Block.create_at_start(loop.before, types, here)
    with ir.InsertionPoint(before):
        *state, count = before.arguments
        condition = _run_before(op, state)[0]
        if bound is not None:
            is_below = arith.CmpIOp(arith.CmpIPredicate.slt, count, index(bound)).result
            condition = arith.AndIOp(condition, is_below).result
        scf.ConditionOp(condition, [*state, count])
    after = ir.Block.create_at_start(loop.after, types, here)
    with ir.InsertionPoint(after):
        *state, count = after.arguments
        scf.YieldOp([*_iterate(op, state), arith.AddIOp(count, index(1)).result])
    return list(loop.results)[-1]


def _iterate(op: ir.OpView, state: Sequence[ir.Value]) -> list[ir.Value]:
    return _run_after(op, _run_before(op, state)[1:])


def _run_before(op: ir.OpView, state: Sequence[ir.Value]) -> list[ir.Value]:
    """The condition and the values passed on, for a state."""
    return inline_block(op.operation.regions[0].blocks[0], state)


def _run_after(op: ir.OpView, passed: Sequence[ir.Value]) -> list[ir.Value]:
    """The next state."""
    return inline_block(op.operation.regions[1].blocks[0], passed)
