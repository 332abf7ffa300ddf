"""Emits loops that lanes leave at different times, see `uneven.py` beside: as long as one lane is there."""

from __future__ import annotations

from collections.abc import Callable

from tapeless._mlir import arith, ir, scf
from tapeless.passes.ir.build import index, number
from tapeless.passes.ir.regions.structure import arguments_of, operands_of
from tapeless.passes.lower.vectorise.emit.values import LaneValues, any_lane, largest_lane
from tapeless.passes.lower.vectorise.walking import body_of

Block = Callable[[ir.Block], None]


def emit_for(op: ir.Operation, values: LaneValues, emit_block: Block) -> None:
    """A loop that counts to a bound of each lane, or down from it, where lanes begin later that have less to do."""
    lower, upper, step = list(op.operation.operands)[:3]
    begin, ends = values.scalar(lower), values.vector(upper)
    if values.active is not None:
        ends = arith.SelectOp(values.active, ends, values.broadcast(begin)).result
    start = [values.vector(value) for value in operands_of(op, "carried")]
    last = largest_lane(ends)
    loop = scf.ForOp(begin, last, values.scalar(step), start)
    mirrored = [each for each in values.plan.analysis.mirrored.values() if each.loop == op.operation]
    block, around = body_of(op), values.active
    with ir.InsertionPoint(loop.body):
        count = loop.induction_variable
        if mirrored:
            left = arith.SubIOp(last, count).result
            values.active = arith.CmpIOp(arith.CmpIPredicate.sge, ends, values.broadcast(left)).result
            for each in mirrored:
                below = left if each.distance == 0 else arith.SubIOp(left, index(each.distance)).result
                values[each.place] = [below]
        else:
            values.active = arith.CmpIOp(arith.CmpIPredicate.slt, values.broadcast(count), ends).result
        values[block.arguments[0]] = [count]
        carried = list(loop.inner_iter_args)
        _bind(arguments_of(op, "carried"), carried, values)
        emit_block(block)
        scf.YieldOp(_kept(values.active, block, carried, values))
    values.active = around
    _bind(list(op.operation.results), list(loop.results), values)


def emit_while(op: ir.Operation, values: LaneValues, emit_block: Block) -> None:
    """A loop with a condition of its own in every lane: it carries its values, and which lanes are still there."""
    before, after = (region.blocks[0] for region in op.operation.regions)
    start = [values.vector(value) for value in op.operation.operands]
    around = values.active
    there = values.broadcast(number(ir.IntegerType.get_signless(1), 1)) if around is None else around
    types = [each.type for each in start]
    handed = [values.lane_type(argument.type) for argument in after.arguments]
    loop = scf.WhileOp([*handed, *types, there.type], [*start, there])
    first = loop.before.blocks.append(*types, there.type)
    second = loop.after.blocks.append(*handed, *types, there.type)
    with ir.InsertionPoint(first):
        *carried, values.active = first.arguments
        _bind(list(before.arguments), carried, values)
        emit_block(before)
        condition, *passed = list(before.operations)[-1].operation.operands
        still = arith.AndIOp(values.active, values.vector(condition)).result
        scf.ConditionOp(any_lane(still), [*(values.vector(each) for each in passed), *carried, still])
    with ir.InsertionPoint(second):
        *carried, values.active = list(second.arguments)[len(handed) :]
        _bind(list(after.arguments), list(second.arguments)[: len(handed)], values)
        emit_block(after)
        scf.YieldOp([*_kept(values.active, after, carried, values), values.active])
    values.active = around
    _bind(list(op.operation.results), list(loop.results)[: len(handed)], values)


def _kept(there: ir.Value, block: ir.Block, carried: list[ir.Value], values: LaneValues) -> list[ir.Value]:
    """What the end of a block hands on in lanes that are there, and what was carried in the others."""
    yielded = [values.vector(value) for value in list(block.operations)[-1].operation.operands]
    return [arith.SelectOp(there, new, old).result for new, old in zip(yielded, carried, strict=True)]


def _bind(old: list[ir.Value], new: list[ir.Value], values: LaneValues) -> None:
    for value, copy in zip(old, new, strict=True):
        values[value] = [copy]
