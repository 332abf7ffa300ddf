"""Scans: one loop, or for large arrays pieces whose prefixes start from the totals of the pieces before.

Note [Scans in pieces]: the total of a piece is summed in order from the neutral element, and its prefixes in order from
the combined totals of the pieces before. One thread does both in one pass. Threads first find the totals, then the
starting values, then the prefixes, four pieces side by side: a sum waits only for the one before it in its own piece,
so four take about as long as one. Every value is computed by the same operations in the same order either way.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from tapeless._mlir import ir

from .blocks import begin_if_small, bounds, can_block, is_plain
from .buffers import Buffer
from .builder import Index
from .bulk import Lowered, combine, element, end_loop, end_region, scalars, start_running, store_prefixes
from .bulk import with_scalars as with_carried
from .emitter import Emitter
from .places import destination
from .threads import Part, make_part, run_part
from .tree import Node
from .views import View
from .work import ceil_div, cost

CHAINS = 4
# Steps per piece at least. Pieces a multiple of 4 KiB apart would make loads wait for stores with equal low addresses.
SMALLEST_PIECE = 2008
MOST_PIECES = 256
LARGEST_OPERATOR = 12
LARGEST_AT_ONCE = CHAINS * SMALLEST_PIECE

# One step of a chain: the next running values from the present ones and the number of the step.
Step = Callable[[Sequence[ir.Value], Index], list[Lowered]]


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
        [destination(emitter, result) for result in node.results],
        emitter.index(op.width),
        ir.BoolAttr(op.exclusive).value,
        ir.BoolAttr(op.reverse).value,
    )
    running = start_running(emitter, node, 0, op.neutral)
    is_small = isinstance(scan.width, int) and scan.width <= LARGEST_AT_ONCE
    if is_small or not emitter.is_outermost or not can_block(node, 0, running) or not is_light(node):
        scan_at_once(scan, running)
        return
    branch = begin_if_small(emitter, scan.width, LARGEST_AT_ONCE)
    scan_at_once(scan, running)
    end_region(emitter)
    emitter.forget(node)
    emitter.builder.push(branch, 1, [], is_branch=True)
    scan_in_pieces(scan, scalars(running))
    end_region(emitter)


def is_light(node: Node) -> bool:
    """Whether the operator is small enough to be repeated for every chain."""
    return cost(node.regions[0]) <= LARGEST_OPERATOR and all(is_plain(inner) for inner in node.regions[0])


def scan_at_once(scan: Scan, running: Sequence[Lowered]) -> None:
    loop = scan.emitter.builder.begin_for(0, scan.width, starts=scalars(running))
    following = scan.advance(with_carried(running, loop.carried), loop.variable, running)
    end_loop(scan.emitter, scan.node.terminator, scalars(following))


def scan_in_pieces(scan: Scan, neutral: Sequence[ir.Value]) -> None:
    builder = scan.emitter.builder
    piece = builder.arith("arith.maxsi", ceil_div(builder, scan.width, MOST_PIECES), SMALLEST_PIECE)
    if scan.emitter.options.has_threads:
        scan_on_threads(scan, neutral, piece)
    else:
        scan_in_one_pass(scan, neutral, piece)


def scan_in_one_pass(scan: Scan, neutral: Sequence[ir.Value], piece: Index) -> None:
    """Prefixes and totals together, piece after piece."""
    emitter, builder = scan.emitter, scan.emitter.builder
    count = len(neutral)
    outer = builder.begin_for(0, ceil_div(builder, scan.width, piece), starts=neutral)
    low, high = bounds(builder, outer.variable, scan.width, piece)
    inner = builder.begin_for(low, high, starts=[*outer.carried, *neutral])
    running, totals = inner.carried[:count], inner.carried[count:]
    prefix = scan.advance(running, inner.variable, running)
    emitter.forget(scan.node)
    total = scan.join(totals, scan.elements(inner.variable), totals)
    emitter.forget(scan.node)
    end_region(emitter, scalars([*prefix, *total]))
    end_region(emitter, scalars(scan.join(outer.carried, list(inner.op.results)[count:], outer.carried)))


def scan_on_threads(scan: Scan, neutral: Sequence[ir.Value], piece: Index) -> None:
    emitter, builder = scan.emitter, scan.emitter.builder
    blocks = ceil_div(builder, scan.width, builder.mul(piece, CHAINS))
    tables = [emitter.pool.table(MOST_PIECES + CHAINS, value.type) for value in neutral]
    run_part(emitter, totals_part(scan, neutral, piece, blocks, tables), blocks, 1)
    turn_into_starts(scan, neutral, builder.mul(blocks, CHAINS), tables)
    run_part(emitter, prefixes_part(scan, piece, blocks, tables), blocks, 1)
    for table in tables:
        emitter.pool.release(table)


def totals_part(scan: Scan, neutral: Sequence[ir.Value], piece: Index, blocks: Index, tables: Sequence[Buffer]) -> Part:
    """The function that leaves the total of every piece in the tables."""

    def step(running: Sequence[ir.Value], at: Index) -> list[Lowered]:
        return scan.join(running, scan.elements(at), running)

    emitter, builder = scan.emitter, scan.emitter.builder
    outer = builder.begin_for(0, blocks, parallel=True, private=True)
    numbers = piece_numbers(scan, outer.variable)
    results = run_chains(scan, numbers, piece, [neutral] * CHAINS, step)
    for number, values in zip(numbers, results, strict=True):
        for table, value in zip(tables, values, strict=True):
            builder.store(value, table.value, [number])
    return make_part(emitter, outer, end_region(emitter))


def prefixes_part(scan: Scan, piece: Index, blocks: Index, tables: Sequence[Buffer]) -> Part:
    """The function that writes the prefixes of every piece, which starts at the value in the tables."""

    def step(running: Sequence[ir.Value], at: Index) -> list[Lowered]:
        return scan.advance(running, at, running)

    emitter, builder = scan.emitter, scan.emitter.builder
    outer = builder.begin_for(0, blocks, parallel=True, private=True)
    numbers = piece_numbers(scan, outer.variable)
    starts = [[builder.load(table.value, [number]) for table in tables] for number in numbers]
    run_chains(scan, numbers, piece, starts, step)
    return make_part(emitter, outer, end_region(emitter))


def piece_numbers(scan: Scan, block: Index) -> list[Index]:
    """The pieces of a block."""
    builder = scan.emitter.builder
    first = builder.mul(block, CHAINS)
    return [builder.add(first, chain) for chain in range(CHAINS)]


def run_chains(
    scan: Scan, numbers: Sequence[Index], piece: Index, starts: Sequence[Sequence[ir.Value]], step: Step
) -> list[list[ir.Value]]:
    """Walks four pieces side by side as far as the shortest, the last one, goes; then what is left of the others."""
    emitter, builder = scan.emitter, scan.emitter.builder
    count = len(starts[0])
    limits = [piece_bounds(scan, number, piece) for number in numbers]
    shared = builder.sub(limits[-1][1], limits[-1][0])
    loop = builder.begin_for(0, shared, starts=[value for chain in starts for value in chain])
    carried = [loop.carried[chain * count : (chain + 1) * count] for chain in range(CHAINS)]
    following: list[Lowered] = []
    for running, (low, _) in zip(carried, limits, strict=True):
        following += step(running, builder.add(low, loop.variable))
        emitter.forget(scan.node)
    end_region(emitter, scalars(following))
    reached = [list(loop.op.results)[chain * count : (chain + 1) * count] for chain in range(CHAINS)]
    for chain, (low, high) in enumerate(limits[:-1]):
        rest = builder.begin_for(builder.add(low, shared), high, starts=reached[chain])
        end_region(emitter, scalars(step(rest.carried, rest.variable)))
        emitter.forget(scan.node)
        reached[chain] = list(rest.op.results)
    return reached


def piece_bounds(scan: Scan, number: Index, piece: Index) -> tuple[Index, Index]:
    """First step of a piece and the one after its last; pieces past the end are empty."""
    builder = scan.emitter.builder
    low = builder.arith("arith.minsi", builder.mul(number, piece), scan.width)
    return low, builder.arith("arith.minsi", builder.add(low, piece), scan.width)


def turn_into_starts(scan: Scan, neutral: Sequence[ir.Value], count: Index, tables: Sequence[Buffer]) -> None:
    """Replaces the total of every piece by the value at which the piece starts."""
    builder = scan.emitter.builder
    loop = builder.begin_for(0, count, starts=neutral)
    totals = [builder.load(table.value, [loop.variable]) for table in tables]
    for table, value in zip(tables, loop.carried, strict=True):
        builder.store(value, table.value, [loop.variable])
    end_region(scan.emitter, scalars(scan.join(loop.carried, totals, loop.carried)))
    scan.emitter.forget(scan.node)


RULES = {"soac.scan": emit_scan}
