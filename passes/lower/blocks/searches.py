"""Searches for the place of an extreme element: only where the extreme of a block says that it is there."""

from __future__ import annotations

from tapeless._mlir import arith, ir
from tapeless.dialects.soac.schedules import Search
from tapeless.passes.ir.scopes import outer_values
from tapeless.passes.lower.loops.bulk import end_region
from tapeless.passes.lower.loops.combinators import Reduction
from tapeless.passes.lower.loops.emitter import Emitter

EQUAL_OR_UNORDERED = arith.CmpFPredicate.UEQ.value


def has_extreme(emitter: Emitter, partial: ir.Value, extreme: ir.Value) -> ir.Value:
    """Whether the extreme of all elements is that of a block."""
    bit = ir.IntegerType.get_signless(1)
    return emitter.builder.value("arith.cmpf", bit, [partial, extreme], predicate=_predicate(EQUAL_OR_UNORDERED))


def search_in_blocks(opened: Reduction, _: Search) -> list[ir.Value]:
    """The place found in the first block whose extreme is that of all, read one block after the other."""
    emitter, (start,) = opened.emitter, opened.starts
    value = next(value for value in outer_values(opened.node.op) if value in emitter.partials)
    builder, partials = emitter.builder, emitter.partials.pop(value)
    bit = ir.IntegerType.get_signless(1)
    loop = builder.begin_for(0, partials.blocks, starts=[start])
    extreme, block = emitter.scalar(value), builder.load(partials.table.value, [loop.variable])
    holds = has_extreme(emitter, block, extreme)
    is_open = builder.value("arith.cmpi", bit, [loop.carried[0], start], predicate=_predicate(0))
    wanted = builder.value("arith.andi", bit, [holds, is_open])
    branch = builder.create("scf.if", [start.type], [wanted], regions=2)
    builder.push(branch, 0, [], is_branch=True)
    end_region(emitter, opened.run(*partials.bounds(loop.variable), [start]))
    builder.push(branch, 1, [], is_branch=True)
    end_region(emitter, loop.carried)
    end_region(emitter, list(branch.results))
    emitter.pool.release(partials.table)
    return list(loop.op.results)


def _predicate(number: int) -> ir.Attribute:
    return ir.IntegerAttr.get(ir.IntegerType.get_signless(64), number)
