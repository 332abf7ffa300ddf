"""Reductions in blocks: partial results per block, combined in order.

The blocks depend on the size only, and each is reduced from the neutral element, so the result is the same on any
number of threads, one included.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tapeless._mlir import ir
from tapeless.passes.lower.blocks.searches import is_searched
from tapeless.passes.lower.blocks.threads import SIGNED_NOT_ABOVE, make_part, run_part
from tapeless.passes.lower.llvm.loop_hints import ATTRIBUTE, SHORT
from tapeless.passes.lower.loops.builder import Builder, Index, Loop
from tapeless.passes.lower.loops.bulk import Lowered, combine, end_region, scalars
from tapeless.passes.lower.loops.emitter import Emitter, Partials
from tapeless.passes.lower.loops.views import View
from tapeless.passes.lower.loops.work import MAX_BLOCKS, block_size, ceil_div, smallest_block
from tapeless.passes.lower.storage.aliasing import is_array
from tapeless.passes.lower.storage.tree import Node

# Emits the loop over iterations [low, high) from starting values; returns the final values.
Pass = Callable[[Index, Index, Sequence[ir.Value]], list[ir.Value]]


def reduce_in_blocks(
    emitter: Emitter, node: Node, region: int, width: Index, running: Sequence[Lowered], run: Pass
) -> list[ir.Value]:
    """The reduced scalars of an operator: one loop when it is small or inside another, else a loop over blocks.

    Inside a sequential loop, small widths found at run time take the plain loop, because a block costs a call.
    """
    smallest = smallest_block(node)
    is_small = isinstance(width, int) and width <= smallest
    neutral = scalars(running)
    if is_small or not emitter.is_outermost or not can_block(node, region, running):
        return run(0, width, neutral)
    if emitter.builder.depth == 0:
        return reduce_by_parts(emitter, node, region, width, neutral, run)
    builder = emitter.builder
    branch = begin_if_small(emitter, width, smallest, [value.type for value in neutral])
    end_region(emitter, run(0, width, neutral))
    emitter.forget(node)
    builder.push(branch, 1, [], is_branch=True)
    end_region(emitter, reduce_by_parts(emitter, node, region, width, neutral, run))
    return list(branch.results)


def begin_if_small(emitter: Emitter, width: Index, smallest: Index, types: Sequence[ir.Type] = ()) -> ir.Operation:
    """Starts a branch for widths up to `smallest`."""
    builder = emitter.builder
    predicate = ir.IntegerAttr.get(ir.IntegerType.get_signless(64), SIGNED_NOT_ABOVE)
    operands = [builder.as_value(width), builder.as_value(smallest)]
    small = builder.value("arith.cmpi", ir.IntegerType.get_signless(1), operands, predicate=predicate)
    branch = builder.create("scf.if", types, [small], regions=2)
    builder.push(branch, 0, [], is_branch=True)
    return branch


def can_block(node: Node, region: int, running: Sequence[Lowered]) -> bool:
    """Whether the running values are scalars and the operator can be emitted twice."""
    if not running or any(isinstance(value, View) for value in running):
        return False
    return all(is_plain(inner) for inner in node.regions[region])


def is_plain(node: Node) -> bool:
    return not node.regions and not any(is_array(value) for value in (*node.operands, *node.results))


def bounds(builder: Builder, number: Index, width: Index, block: Index) -> tuple[Index, Index]:
    """First iteration of a block and the one after its last."""
    low = builder.mul(number, block)
    return low, builder.arith("arith.minsi", builder.add(low, block), width)


def reduce_by_parts(
    emitter: Emitter, node: Node, region: int, width: Index, neutral: Sequence[ir.Value], run: Pass
) -> list[ir.Value]:
    """Blocks leave their results in a small table, which is then combined in order.

    They run in a function of their own on any number of threads, so that every number runs the same machine code.
    """
    builder = emitter.builder
    width = builder.arith("arith.maxsi", width, 0)
    block = block_size(builder, width, smallest_block(node))
    blocks = ceil_div(builder, width, block)
    tables = [emitter.pool.table(MAX_BLOCKS, value.type) for value in neutral]
    loop = builder.begin_for(0, blocks, parallel=True, private=True)
    partial = run(*bounds(builder, loop.variable, width, block), neutral)
    for table, value in zip(tables, partial, strict=True):
        builder.store(value, table.value, [loop.variable])
    emit_by_parts(emitter, loop, blocks, 1)
    total = builder.begin_for(0, blocks, starts=neutral)
    total.op.attributes[ATTRIBUTE] = ir.Attribute.parse(SHORT)
    values = [builder.load(table.value, [total.variable]) for table in tables]
    emitter.forget(node)
    end_region(emitter, scalars(combine(emitter, node, region, total.carried, values, values)))
    for number, table in enumerate(tables):
        if is_searched(emitter.plan.tree, node, number) and builder.depth == 0:
            emitter.partials[node.results[number]] = Partials(table, blocks, lambda b: bounds(builder, b, width, block))
        else:
            emitter.pool.release(table)
    return list(total.op.results)


def emit_by_parts(emitter: Emitter, loop: Loop, width: Index, grain: Index) -> None:
    """Ends a private parallel loop and moves it into a function that threads can share."""
    frame = end_region(emitter)
    run_part(emitter, make_part(emitter, loop, frame), width, grain)
