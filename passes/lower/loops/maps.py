"""Maps as loops that write straight into their destinations, with or without accumulators."""

from __future__ import annotations

from collections.abc import Sequence

from tapeless.passes.lower.blocks.accumulators import accumulate
from tapeless.passes.lower.blocks.blocks import emit_by_parts
from tapeless.passes.lower.loops.builder import Index, Loop
from tapeless.passes.lower.loops.bulk import bind_elements, end_region, open_rows, store_rows
from tapeless.passes.lower.loops.emitter import Emitter
from tapeless.passes.lower.loops.views import View
from tapeless.passes.lower.loops.work import block_size, smallest_block
from tapeless.passes.lower.storage.places import destination
from tapeless.passes.lower.storage.tree import Node

# Operations whose sums the compiler may order as it likes.
SUMS = frozenset({"soac.reduce", "soac.fused", "soac.update"})
ROWS_PER_PACKING = 96


def emit_map(emitter: Emitter, node: Node) -> None:
    """A loop with independent iterations, or, with accumulators, one whose iterations are independent but for sums."""
    width = emitter.index(node.op.width)
    operands = list(node.op.accs)
    arrays = len(node.results) - len(operands)
    targets = [destination(emitter, result) for result in node.results[:arrays]]
    accumulators = [emitter.view(operand) for operand in operands]

    def begin(low: Index, high: Index, sums: Sequence[View], *, private: bool) -> Loop:
        return begin_iterations(emitter, node, (low, high), targets, sums, private=private)

    if accumulators:
        accumulate(emitter, node, width, accumulators, begin)
    elif runs_in_parts(emitter, node, width):
        loop = begin(0, width, [], private=True)
        emit_by_parts(emitter, loop, width, block_size(emitter.builder, width, _fewest_iterations(node)))
    else:
        begin(0, width, [], private=False)
        end_region(emitter)
    emitter.env.update(zip(node.results[arrays:], accumulators, strict=True))


def begin_iterations(
    emitter: Emitter,
    node: Node,
    bounds: tuple[Index, Index],
    targets: Sequence[View],
    accumulators: Sequence[View],
    *,
    private: bool,
) -> Loop:
    """The loop over some iterations, filled but not ended."""
    builder, inputs = emitter.builder, list(node.op.inputs)
    loop = builder.begin_for(*bounds, parallel=not accumulators, accumulating=True, private=private)
    index, *arguments = node.arguments()
    emitter.env[index] = loop.variable
    bind_elements(emitter, arguments[: len(inputs)], inputs, loop.variable)
    emitter.env.update(zip(arguments[len(inputs) :], accumulators, strict=True))
    open_rows(emitter, node, 0, targets, loop.variable)
    emitter.emit_block(node.regions[0])
    store_rows(emitter, node, 0, targets, loop.variable)
    emitter.release_after(node.terminator)
    return loop


def runs_in_parts(emitter: Emitter, node: Node, width: Index) -> bool:
    """Whether an outermost map becomes a function that threads share.

    A map around sums does so even for one thread: the compiler may order them as it likes, and must do it the same way
    for any number of threads.
    """
    is_small = isinstance(width, int) and width <= _fewest_iterations(node)
    if is_small or not emitter.is_outermost:
        return False
    return emitter.options.has_threads or holds_sum(node)


def _fewest_iterations(node: Node) -> int:
    """The fewest iterations that are worth a block: each block of a product of matrices packs one of them again."""
    return max(smallest_block(node), ROWS_PER_PACKING) if _is_product(node) else smallest_block(node)


def _is_product(node: Node) -> bool:
    """Whether a map holds no operators but one map, and that none but one sum."""
    rows = _operators(node)
    if len(rows) != 1 or rows[0].name != "soac.map":
        return False
    sums = _operators(rows[0])
    return len(sums) == 1 and sums[0].name in SUMS and not _operators(sums[0])


def _operators(node: Node) -> list[Node]:
    return [child for region in node.regions for child in region if child.regions or child.name in SUMS]


def holds_sum(node: Node) -> bool:
    """Whether a sum lies anywhere inside."""
    inner = [child for region in node.regions for child in region]
    return any(child.name in SUMS or holds_sum(child) for child in inner)


RULES = {"soac.map": emit_map}
