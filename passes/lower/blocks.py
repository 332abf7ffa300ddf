"""Reductions in blocks: partial results per block, combined in order.

The blocks depend on the size only, and each is reduced from the neutral element, so the result is the same on any
number of threads, one included.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tapeless._mlir import ir

from .aliasing import is_array
from .builder import Builder, Index, Loop
from .bulk import Lowered, combine, end_region, scalars
from .emitter import Emitter
from .threads import outline
from .tree import Node
from .views import View
from .work import MAX_BLOCKS, block_size, ceil_div, smallest_block

# Emits the loop over iterations [low, high) from starting values; returns the final values.
Pass = Callable[[Index, Index, Sequence[ir.Value]], list[ir.Value]]


def reduce_in_blocks(
    emitter: Emitter, node: Node, region: int, width: Index, running: Sequence[Lowered], run: Pass
) -> list[ir.Value]:
    """The reduced scalars of an operator: one loop when it is small or inside another, else a loop over blocks."""
    smallest = smallest_block(node)
    is_small = isinstance(width, int) and width <= smallest
    if is_small or not emitter.is_outermost or not can_block(node, region, running):
        return run(0, width, scalars(running))
    builder = emitter.builder
    width = builder.arith("arith.maxsi", width, 0)
    block = block_size(builder, width, smallest)
    blocks = ceil_div(builder, width, block)
    neutral = scalars(running)
    if emitter.options.threads > 1:
        return reduce_on_threads(emitter, node, region, (width, block, blocks), neutral, run)
    loop = builder.begin_for(0, blocks, starts=neutral)
    partial = run(*bounds(builder, loop.variable, width, block), neutral)
    end_region(emitter, combine_again(emitter, node, region, loop.carried, partial))
    return list(loop.op.results)


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


def combine_again(
    emitter: Emitter, node: Node, region: int, left: Sequence[ir.Value], right: Sequence[ir.Value]
) -> list[ir.Value]:
    """Emits the operator a second time, on partial results."""
    for inner in node.regions[region]:
        for result in inner.results:
            emitter.env.pop(result, None)
    return scalars(combine(emitter, node, region, left, right, left))


def reduce_on_threads(
    emitter: Emitter,
    node: Node,
    region: int,
    sizes: tuple[Index, Index, Index],
    neutral: Sequence[ir.Value],
    run: Pass,
) -> list[ir.Value]:
    """Blocks run on threads and leave their results in a small table, which is then combined in order."""
    builder = emitter.builder
    width, block, blocks = sizes
    tables = [emitter.pool.table(MAX_BLOCKS, value.type) for value in neutral]
    loop = builder.begin_for(0, blocks, parallel=True, private=True)
    partial = run(*bounds(builder, loop.variable, width, block), neutral)
    for table, value in zip(tables, partial, strict=True):
        builder.store(value, table.value, [loop.variable])
    emit_on_threads(emitter, loop, blocks, 1)
    total = builder.begin_for(0, blocks, starts=neutral)
    values = [builder.load(table.value, [total.variable]) for table in tables]
    end_region(emitter, combine_again(emitter, node, region, total.carried, values))
    for table in tables:
        emitter.pool.release(table)
    return list(total.op.results)


def emit_on_threads(emitter: Emitter, loop: Loop, width: Index, grain: Index) -> None:
    """Ends a private parallel loop and hands it to the threads."""
    frame = end_region(emitter)
    outline(emitter, loop, frame, width, grain)
