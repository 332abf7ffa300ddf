"""How a loop that sums into arrays is cut into blocks with copies of their own: by its work and the size of the sums.

The work is counted with the sizes that are known when the loop starts. Blocks depend on sizes only, never on the number
of threads, so that results do not either.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.dialects.array_types import DYNAMIC
from tapeless.dialects.soac.schedules import Copies
from tapeless.passes.ir.places.places import is_data
from tapeless.passes.lower.loops.builder import Builder, Index
from tapeless.passes.lower.loops.emitter import Emitter, Unavailable
from tapeless.passes.lower.loops.views import View
from tapeless.passes.lower.loops.work import ceil_div
from tapeless.passes.lower.schedule.work import ASSUMED_WIDTH, own_cost, usual_regions
from tapeless.passes.lower.storage.tree import Node, Tree

# What an element of a copy has to be worth; less where results are not fixed, whatever the number of threads.
WORK_PER_COPIED_ELEMENT = {True: 2048, False: 256}
# Operations that are worth a call of the pool: a guess that fits the programs.
LEAST_WORK = 1 << 20
LANES = 32
# What it costs to change an element at a place that is data, beside operations on whole vectors.
KEYED_WRITE = 128
# The operations beside each atomic addition from which two threads beat one that adds without them.
WORK_PER_ATOMIC = 256
SIGNED_NOT_BELOW = 5
HISTOGRAMS = frozenset({"soac.hist", "soac.fused_hist"})


@dataclass(frozen=True)
class Cut:
    """The number of blocks, the iterations in each but the last, and whether one block pays on threads, if it may."""

    blocks: Index
    size: Index
    is_shared: ir.Value | None = None

    @property
    def is_whole(self) -> bool:
        """Whether there is known to be one block only."""
        return isinstance(self.blocks, int) and self.blocks == 1


def cut_for_copies(emitter: Emitter, node: Node, width: Index, sums: Sequence[View], schedule: Copies) -> Cut:
    """So many blocks that setting up and adding their copies is little work beside the iterations of a map.

    Blocks are multiples of `LANES`, so that vectors stay full.
    """
    if isinstance(width, int) and width <= LANES:
        return Cut(1, width)
    builder = emitter.builder
    width = builder.arith("arith.maxsi", width, 0)
    each = sum_of(builder, [product(builder, view.sizes) for view in sums])
    is_shared = pays_atomics(emitter, node, width) if schedule.may_share else None
    per_element: Index = WORK_PER_COPIED_ELEMENT[schedule.are_fixed]
    if is_shared is not None:
        strict = builder.as_value(WORK_PER_COPIED_ELEMENT[True])
        per_element = builder.value("arith.select", builder.index, [is_shared, strict, builder.as_value(per_element)])
    least = builder.arith("arith.maxsi", builder.mul(each, per_element), LEAST_WORK)
    work = builder.mul(width, work_of_iteration(emitter, node))
    wanted = builder.arith("arith.minsi", builder.arith("arith.divui", work, least), schedule.most)
    size = ceil_div(builder, width, builder.arith("arith.maxsi", wanted, 1))
    size = builder.arith("arith.maxsi", builder.mul(ceil_div(builder, size, LANES), LANES), LANES)
    return Cut(builder.arith("arith.maxsi", ceil_div(builder, width, size), 1), size, is_shared)


def pays_atomics(emitter: Emitter, node: Node, width: Index) -> ir.Value:
    """Whether the iterations of a map have so much work beside their updates that threads gain by atomic additions."""
    builder = emitter.builder
    body = [inner for region in node.regions for inner in region]
    work, additions = work_of_iteration(emitter, node), additions_here(emitter, body)
    beside = builder.sub(work, builder.mul(additions, WORK_PER_ATOMIC))
    enough = builder.sub(builder.mul(builder.arith("arith.maxsi", width, 0), work), 2 * LEAST_WORK)
    least = builder.as_value(builder.arith("arith.minsi", beside, enough))
    predicate = ir.IntegerAttr.get(ir.IntegerType.get_signless(64), SIGNED_NOT_BELOW)
    bit = ir.IntegerType.get_signless(1)
    return builder.value("arith.cmpi", bit, [least, builder.as_value(0)], predicate=predicate)


def additions_here(emitter: Emitter, nodes: Sequence[Node]) -> Index:
    """How many elements the updates in a body add to; sizes of rows that are not known count with a guess."""
    builder = emitter.builder
    total: Index = 0
    for node in nodes:
        inner = sum_of(builder, [additions_here(emitter, region) for region in node.regions])
        if node.is_loop():
            inner = builder.mul(inner, iterations_here(emitter, node))
        total = builder.add(total, builder.add(inner, _elements_added(node)))
    return total


def _elements_added(node: Node) -> int:
    if node.name != "soac.update":
        return 0
    type_ = node.operands[-1].type
    shape = type_.shape if isinstance(type_, ir.RankedTensorType) else []
    return math.prod(ASSUMED_WIDTH if extent == DYNAMIC else extent for extent in shape)


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


def work_of_iteration(emitter: Emitter, node: Node) -> Index:
    """Operations in an iteration of an operator."""
    writes = keyed_writes(emitter.plan.tree, node)
    return work_here(emitter, [inner for region in node.regions for inner in region], writes, writes[node])


def work_here(emitter: Emitter, nodes: Sequence[Node], writes: Mapping[Node, int], own_writes: int = 0) -> Index:
    """Operations in a body; inner loops count with their number of iterations where that is known here."""
    builder = emitter.builder
    total: Index = KEYED_WRITE * own_writes
    for node in nodes:
        inner = sum_of(builder, [work_here(emitter, region, writes) for region in usual_regions(node)])
        if node.is_loop():
            inner = builder.add(inner, KEYED_WRITE * writes.get(node, 0))
            inner = builder.mul(inner, iterations_here(emitter, node))
        total = builder.add(total, builder.add(inner, own_cost(node)))
    return total


def iterations_here(emitter: Emitter, node: Node) -> Index:
    """Iterations of a loop as far as known before it is emitted, else a guess."""
    builder = emitter.builder
    try:
        if node.name.startswith("soac."):
            return builder.arith("arith.maxsi", emitter.index(node.operands[0]), 0)
        if node.name == "scf.for" and isinstance(node.operands[0].type, ir.IndexType):
            low, high = (emitter.index(bound) for bound in node.operands[:2])
            return builder.sub(builder.arith("arith.maxsi", high, low), low)
    except Unavailable:
        pass
    return ASSUMED_WIDTH


def keyed_writes(tree: Tree, node: Node) -> Counter[Node]:
    """How many writes go to another place that is data in every iteration of an operator and of the loops in it.

    Sums over an inner loop into one place, or along a row, count once per iteration of the loop that chooses the place.
    """
    found = Counter({node: int(node.name in HISTOGRAMS)})
    for inner in _inside(node):
        if inner.name == "soac.update" and (loops := _choosing_loops(tree, inner)):
            found[max(loops, key=lambda loop: loop.position)] += 1
    return found


def _inside(node: Node) -> Iterator[Node]:
    for inner in (inner for region in node.regions for inner in region):
        yield inner
        yield from _inside(inner)


def _choosing_loops(tree: Tree, update: Node) -> list[Node]:
    """The loops whose iterations compute the places of an update that are data."""
    makers = [(place, tree.definition[place]) for place in update.operands[1:-1] if is_data(place)]
    return [_loop_around(maker if isinstance(place, ir.BlockArgument) else maker.parent) for place, maker in makers]


def _loop_around(node: Node | None) -> Node:
    while node is not None and node.parent is not None and not node.is_loop():
        node = node.parent
    assert node is not None, "a value is defined in a function"
    return node
