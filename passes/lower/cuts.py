"""How a loop that sums into arrays is cut into blocks with copies of their own: by its work and the size of the sums.

The work is counted with the sizes that are known when the loop starts. Blocks depend on sizes only, never on the number
of threads, so that results do not either.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tapeless._mlir import ir
from tapeless.passes.soac.data_places import is_data

from .builder import Builder, Index
from .emitter import Emitter, Unavailable
from .tree import Node
from .views import View
from .work import ASSUMED_WIDTH, ceil_div, own_cost

MOST_COPIES = 64
# With threads and without the promise that results do not depend on them, copies are worth more, but a few will do.
WORK_PER_COPIED_ELEMENT = {True: 2048, False: 128}
BLOCKS_PER_THREAD = 2
LEAST_WORK = 1 << 20
LANES = 32
# What it costs to change an element at a place that is data, beside operations on whole vectors.
KEYED_WRITE = 128
HISTOGRAMS = frozenset({"soac.hist", "soac.fused_hist"})


@dataclass(frozen=True)
class Cut:
    """The number of blocks and the iterations in each but the last."""

    blocks: Index
    size: Index


def cut_for_copies(emitter: Emitter, node: Node, width: Index, sums: Sequence[View]) -> Cut:
    """So many blocks that setting up and adding their copies is little work beside the iterations of a map.

    Blocks are multiples of `LANES`, so that vectors stay full.
    """
    if isinstance(width, int) and width <= LANES:
        return Cut(1, width)
    builder = emitter.builder
    width = builder.arith("arith.maxsi", width, 0)
    each = sum_of(builder, [product(builder, view.sizes) for view in sums])
    is_fixed = emitter.options.deterministic or not emitter.options.has_threads
    per_element = WORK_PER_COPIED_ELEMENT[is_fixed]
    most = MOST_COPIES if is_fixed else min(BLOCKS_PER_THREAD * emitter.options.threads or MOST_COPIES, MOST_COPIES)
    least = builder.arith("arith.maxsi", builder.mul(each, per_element), LEAST_WORK)
    body = work_here(emitter, [inner for region in node.regions for inner in region])
    work = builder.mul(width, builder.add(body, KEYED_WRITE if node.name in HISTOGRAMS else 0))
    wanted = builder.arith("arith.minsi", builder.arith("arith.divui", work, least), most)
    size = ceil_div(builder, width, builder.arith("arith.maxsi", wanted, 1))
    size = builder.arith("arith.maxsi", builder.mul(ceil_div(builder, size, LANES), LANES), LANES)
    return Cut(builder.arith("arith.maxsi", ceil_div(builder, width, size), 1), size)


def product(builder: Builder, sizes: Sequence[Index]) -> Index:
    total: Index = 1
    for size in sizes:
        total = builder.mul(total, size)
    return total


def sum_of(builder: Builder, numbers: Sequence[Index]) -> Index:
    total: Index = 0
    for number in numbers:
        total = builder.add(total, number)
    return total


def work_here(emitter: Emitter, nodes: Sequence[Node]) -> Index:
    """Operations in a body; inner loops count with their number of iterations where that is known here."""
    builder = emitter.builder
    total: Index = 0
    for node in nodes:
        inner = sum_of(builder, [work_here(emitter, region) for region in node.regions])
        if node.is_loop():
            inner = builder.mul(inner, iterations_here(emitter, node))
        total = builder.add(total, builder.add(inner, KEYED_WRITE if _is_keyed_write(node) else own_cost(node)))
    return total


def _is_keyed_write(node: Node) -> bool:
    """Whether a statement adds a number to an accumulator at a place that is data."""
    if node.name != "soac.update" or isinstance(node.operands[-1].type, ir.RankedTensorType):
        return False
    return any(is_data(place) for place in node.operands[1:-1])


def iterations_here(emitter: Emitter, node: Node) -> Index:
    """Iterations of a loop as far as known before it is emitted, else a guess."""
    builder = emitter.builder
    try:
        if node.name.startswith("soac."):
            return builder.arith("arith.maxsi", emitter.index(node.operands[0]), 0)
        if node.name == "scf.for" and isinstance(node.operands[0].type, ir.IndexType):
            low, high = (emitter.index(bound) for bound in node.operands[:2])
            return builder.arith("arith.maxsi", builder.sub(high, low), 0)
    except Unavailable:
        pass
    return ASSUMED_WIDTH
