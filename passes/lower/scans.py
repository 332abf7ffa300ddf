"""Scans: one loop, or for large arrays blocks of four chains that run side by side.

Note [Scans in blocks]: a block is cut into four pieces. First every piece is reduced; then the totals give the value at
which each piece starts; then four independent chains produce the prefixes. A chain waits for its own last sum only, so
four of them take about as long as one. The first and the last step run in functions that threads share, block by block.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tapeless._mlir import ir

from .blocks import begin_if_small, can_block, is_plain
from .buffers import Buffer
from .builder import Index
from .bulk import Lowered, combine, element, end_loop, end_region, relax, scalars, start_running, store_prefixes
from .bulk import with_scalars as with_carried
from .emitter import Emitter
from .threads import Part, call_part, make_part, run_part
from .tree import Node
from .views import View
from .work import MAX_BLOCKS, ceil_div, cost, smallest_block

CHAINS = 4
LARGEST_OPERATOR = 12


@dataclass(frozen=True)
class Scan:
    """What all steps of a scan need: the arrays, the direction, and whether a prefix includes its own element."""

    emitter: Emitter
    node: Node
    inputs: list[View]
    targets: list[View]
    width: Index
    exclusive: bool
    backwards: bool

    def position(self, step: Index) -> Index:
        """The array index that a step of the scan is about."""
        builder = self.emitter.builder
        return builder.sub(builder.sub(self.width, 1), step) if self.backwards else step

    def join(self, running: Sequence[Lowered], values: Sequence[Lowered], place: Sequence[Lowered]) -> list[Lowered]:
        """The operator on operands in array order."""
        left, right = (values, running) if self.backwards else (running, values)
        return combine(self.emitter, self.node, 0, left, right, place)

    def elements(self, step: Index) -> list[Lowered]:
        return [element(self.emitter.builder, view, self.position(step)) for view in self.inputs]

    def advance(self, running: Sequence[Lowered], step: Index, place: Sequence[Lowered]) -> list[Lowered]:
        """One step: takes in an element and stores the prefix."""
        builder, index = self.emitter.builder, self.position(step)
        values = self.elements(step)
        if self.exclusive:
            store_prefixes(builder, running, self.targets, index)
        following = self.join(running, values, place)
        if not self.exclusive:
            store_prefixes(builder, following, self.targets, index)
        return following


def emit_scan(emitter: Emitter, node: Node) -> None:
    op = node.op
    scan = Scan(
        emitter,
        node,
        [emitter.view(array) for array in op.inputs],
        [emitter.destination(result) for result in node.results],
        emitter.index(op.width),
        ir.BoolAttr(op.exclusive).value,
        ir.BoolAttr(op.reverse).value,
    )
    running = start_running(emitter, node, 0, op.neutral)
    smallest = max(smallest_block(node), CHAINS)
    is_small = isinstance(scan.width, int) and scan.width <= smallest
    if is_small or not emitter.is_outermost or not can_block(node, 0, running) or not is_light(node):
        scan_at_once(scan, running)
        return
    branch = begin_if_small(emitter, scan.width, smallest)
    scan_at_once(scan, running)
    end_region(emitter)
    emitter.forget(node)
    emitter.builder.push(branch, 1, [], is_branch=True)
    scan_in_blocks(scan, scalars(running), smallest)
    end_region(emitter)


def is_light(node: Node) -> bool:
    """Whether the operator is small enough to be repeated for every chain."""
    return cost(node.regions[0]) <= LARGEST_OPERATOR and all(is_plain(inner) for inner in node.regions[0])


def scan_at_once(scan: Scan, running: Sequence[Lowered]) -> None:
    loop = scan.emitter.builder.begin_for(0, scan.width, starts=scalars(running))
    following = scan.advance(with_carried(running, loop.carried), loop.variable, running)
    end_loop(scan.emitter, scan.node.terminator, scalars(following))


def scan_in_blocks(scan: Scan, neutral: Sequence[ir.Value], smallest: int) -> None:
    """Totals, starting values and prefixes of all blocks; with one thread, block after block while it is in cache."""
    emitter, builder = scan.emitter, scan.emitter.builder
    piece = builder.arith("arith.maxsi", ceil_div(builder, scan.width, MAX_BLOCKS * CHAINS), smallest // CHAINS)
    blocks = ceil_div(builder, scan.width, builder.mul(piece, CHAINS))
    tables = [emitter.pool.table(MAX_BLOCKS * CHAINS, value.type) for value in neutral]
    totals = totals_part(scan, neutral, piece, blocks, tables)
    emitter.forget(scan.node)
    prefixes = prefixes_part(scan, piece, blocks, tables)
    emitter.forget(scan.node)
    if emitter.options.threads > 1:
        run_part(emitter, totals, blocks, 1)
        turn_into_starts(scan, neutral, builder.mul(blocks, CHAINS), tables)
        run_part(emitter, prefixes, blocks, 1)
    else:
        run_block_by_block(scan, neutral, blocks, (totals, prefixes), tables)
    for table in tables:
        emitter.pool.release(table)


def totals_part(scan: Scan, neutral: Sequence[ir.Value], piece: Index, blocks: Index, tables: Sequence[Buffer]) -> Part:
    """The function that reduces every piece of a block."""
    emitter, builder = scan.emitter, scan.emitter.builder
    outer = builder.begin_for(0, blocks, parallel=True, private=True)
    first = builder.mul(outer.variable, CHAINS)
    inner = builder.begin_for(first, builder.add(first, CHAINS), parallel=True)
    low, high = piece_bounds(scan, inner.variable, piece)
    relax(emitter, scan.node, 0)
    loop = builder.begin_for(low, high, starts=neutral)
    end_region(emitter, scalars(scan.join(loop.carried, scan.elements(loop.variable), neutral)))
    emitter.relaxed -= set(scan.node.regions[0])
    for table, value in zip(tables, loop.op.results, strict=True):
        builder.store(value, table.value, [inner.variable])
    end_region(emitter)
    return make_part(emitter, outer, end_region(emitter))


def piece_bounds(scan: Scan, number: Index, piece: Index) -> tuple[Index, Index]:
    """First step of a piece and the one after its last; pieces past the end are empty."""
    builder = scan.emitter.builder
    low = builder.arith("arith.minsi", builder.mul(number, piece), scan.width)
    return low, builder.arith("arith.minsi", builder.add(low, piece), scan.width)


def prefixes_part(scan: Scan, piece: Index, blocks: Index, tables: Sequence[Buffer]) -> Part:
    """The function that writes the prefixes of a block: four chains together, then what is left of each."""
    emitter, builder = scan.emitter, scan.emitter.builder
    outer = builder.begin_for(0, blocks, parallel=True, private=True)
    first = builder.mul(outer.variable, CHAINS)
    numbers = [builder.add(first, chain) for chain in range(CHAINS)]
    limits = [piece_bounds(scan, number, piece) for number in numbers]
    starts = [[builder.load(table.value, [number]) for table in tables] for number in numbers]
    shared = builder.sub(limits[-1][1], limits[-1][0])
    loop = builder.begin_for(0, shared, starts=[value for chain in starts for value in chain])
    following: list[Lowered] = []
    for chain, (low, _) in enumerate(limits):
        running = loop.carried[chain * len(tables) : (chain + 1) * len(tables)]
        following += scan.advance(running, builder.add(low, loop.variable), running)
        emitter.forget(scan.node)
    end_region(emitter, scalars(following))
    for chain, (low, high) in enumerate(limits[:-1]):
        reached = list(loop.op.results)[chain * len(tables) : (chain + 1) * len(tables)]
        rest = builder.begin_for(builder.add(low, shared), high, starts=reached)
        end_region(emitter, scalars(scan.advance(rest.carried, rest.variable, reached)))
        emitter.forget(scan.node)
    return make_part(emitter, outer, end_region(emitter))


def turn_into_starts(scan: Scan, neutral: Sequence[ir.Value], count: Index, tables: Sequence[Buffer]) -> None:
    """Replaces the total of every piece by the value at which the piece starts."""
    builder = scan.emitter.builder
    loop = builder.begin_for(0, count, starts=neutral)
    end_region(scan.emitter, next_start(scan, loop.carried, loop.variable, tables))


def next_start(scan: Scan, running: Sequence[ir.Value], number: Index, tables: Sequence[Buffer]) -> list[ir.Value]:
    builder = scan.emitter.builder
    totals = [builder.load(table.value, [number]) for table in tables]
    for table, value in zip(tables, running, strict=True):
        builder.store(value, table.value, [number])
    following = scalars(scan.join(running, totals, running))
    scan.emitter.forget(scan.node)
    return following


def run_block_by_block(
    scan: Scan, neutral: Sequence[ir.Value], blocks: Index, parts: tuple[Part, Part], tables: Sequence[Buffer]
) -> None:
    """The same steps on one thread: each block is read twice, the second time from the cache."""
    emitter, builder = scan.emitter, scan.emitter.builder
    loop = builder.begin_for(0, blocks, starts=neutral)
    after = builder.add(loop.variable, 1)
    call_part(emitter, parts[0], loop.variable, after)
    running = loop.carried
    for chain in range(CHAINS):
        running = next_start(scan, running, builder.add(builder.mul(loop.variable, CHAINS), chain), tables)
    call_part(emitter, parts[1], loop.variable, after)
    end_region(emitter, running)


RULES = {"soac.scan": emit_scan}
