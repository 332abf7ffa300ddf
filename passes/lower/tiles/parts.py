"""Long sums of few elements: the steps are divided into parts, whose sums a second launch adds up in order, after one
that adds up runs of them where they are many.

How many parts there are follows from sizes alone. The second launch is the nest itself, with a sum over parts where its
reduction was.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from tapeless._mlir import arith, ir, memref, scf
from tapeless.dialects.array_types import DYNAMIC
from tapeless.passes.lower.launches.grids.grid_nests import nest_of
from tapeless.passes.lower.tiles.blocks import Parts, launch_tiles, number_of_tiles, total_of
from tapeless.passes.lower.tiles.contraction import Contraction
from tapeless.passes.lower.tiles.index_arithmetic import (
    add,
    is_at_least,
    is_below,
    mul,
    number,
    product,
    quotient,
    rounded_up,
    smaller,
    sub,
)
from tapeless.passes.lower.tiles.nest_values import body_of
from tapeless.passes.lower.tiles.shapes import Shape
from tapeless.passes.marks import EACH_THREAD, LAUNCH, PARALLEL

# Blocks that keep a GPU busy; with more than a quarter of them there is nothing to divide.
WANTED_BLOCKS = 264
MOST_TILES = WANTED_BLOCKS // 4
FEWEST_STEPS, FEWEST_STEPS_OF_PART = 256, 64
# Blocks that all multiprocessors finish at about the same time: very long sums are divided also for that.
EVEN_BLOCKS = 4 * WANTED_BLOCKS
MOST_UNEVEN_TILES, FEWEST_UNEVEN_STEPS = EVEN_BLOCKS // 2, 4096
# A thread that adds up more parts than these takes longer than runs of parts side by side and a launch: 0.35 us for
# each of the 78 parts of a sum.
MOST_AT_ONCE, RUN = 32, 16
FREE = "reassoc"
# The flags of a sum, and which operand is the running one, if that is fixed.
SUMS = {"llvm.intr.fmuladd": ("fastmathFlags", 2), "arith.addf": ("fastmath", None)}


def can_be_divided(contraction: Contraction) -> bool:
    """Whether the reduction is one sum whose order is free."""
    results, carried = contraction.results, contraction.carried
    made = contraction.values.made_by.get(results[0])
    if len(results) > 1 or made is None or made.name not in SUMS or len(list(carried[0].uses)) > 1:
        return False
    flags, position = SUMS[made.name]
    operands = list(made.operands) if position is None else [made.operands[position]]
    return carried[0] in operands and FREE in str(made.attributes[flags])


def launch_in_parts(contraction: Contraction, shape: Shape) -> None:
    """The launch of tiles of all parts, and that of their sums, at the insertion point."""
    length = contraction.reduction.operands[1]
    tiles = product(number_of_tiles(contraction, shape))
    blocks = arith.select(is_below(tiles, MOST_TILES + 1), number(WANTED_BLOCKS), number(EVEN_BLOCKS))
    wanted = smaller(quotient(blocks, tiles), quotient(length, FEWEST_STEPS_OF_PART))
    steps = mul(rounded_up(arith.ceildivsi(length, wanted), shape.steps), shape.steps)
    launch_with_table(contraction, arith.ceildivsi(length, steps), steps, partial(launch_tiles, contraction, shape))


def launch_with_table(
    contraction: Contraction, count: ir.Value, steps: ir.Value, launch: Callable[[Parts], None]
) -> None:
    """A launch that leaves the sums of so many parts of so many steps in a table, and that of what they come to."""
    totals = [total_of(contraction, group) for group in _groups(contraction)]
    element = contraction.carried[0].type
    type_ = ir.MemRefType.get([DYNAMIC] * 4, element)
    table = memref.alloc(type_, [count, *totals], [])
    launch(Parts(count, steps, table))
    many = is_at_least(count, MOST_AT_ONCE + 1)
    branch = scf.IfOp(many)
    with ir.InsertionPoint(branch.then_block):
        _add_runs(count, totals, table)
        scf.YieldOp([])
    left = arith.select(many, rounded_up(count, RUN), count)
    _add_up(contraction, left, arith.select(many, number(RUN), number(1)), table)
    memref.dealloc(table)


def _groups(contraction: Contraction) -> tuple[tuple[int, ...], ...]:
    return contraction.batch, contraction.rows.loops, contraction.columns.loops


def _add_runs(count: ir.Value, totals: list[ir.Value], table: ir.Value) -> None:
    """A launch that adds up runs of parts, each into its first one."""
    launch = scf.ForOp(number(0), rounded_up(count, RUN), number(1))
    launch.operation.attributes[LAUNCH] = ir.StringAttr.get(EACH_THREAD)
    loops = [launch]
    for total in totals:
        with ir.InsertionPoint(loops[-1].body):
            loops.append(scf.ForOp(number(0), total, number(1)))
            scf.YieldOp([])
    for loop in loops:
        loop.operation.attributes[PARALLEL] = ir.UnitAttr.get()
    run, *places = [loop.induction_variable for loop in loops]
    with ir.InsertionPoint(loops[-1].body):
        first = mul(run, RUN)
        start = memref.load(table, [first, *places])
        others = sub(smaller(RUN, sub(count, first)), 1)
        total = _sum_of_parts(table, places, others, lambda part: add(add(first, part), 1), start)
        memref.store(total, table, [first, *places])
        scf.YieldOp([])


def _sum_of_parts(
    table: ir.Value, places: list[ir.Value], count: ir.Value, part_at: Callable[[ir.Value], ir.Value], start: ir.Value
) -> ir.Value:
    """What so many parts left at some places, added to a number in order."""
    sums = scf.ForOp(number(0), count, number(1), [start])
    with ir.InsertionPoint(sums.body):
        part = memref.load(table, [part_at(sums.induction_variable), *places])
        scf.YieldOp([arith.addf(sums.inner_iter_args[0], part)])
    return sums.results[0]


def _add_up(contraction: Contraction, count: ir.Value, step: ir.Value, table: ir.Value) -> None:
    """A copy of the nest that adds up so many parts, which are some parts from each other."""
    loops = nest_of(contraction.loops[0].clone())
    (reduction,) = [op for op in body_of(loops[-1]) if op.name == "scf.for" and len(op.results)]
    with ir.InsertionPoint(reduction):
        places = [_place(contraction, loops, group) for group in _groups(contraction)]
        total = _sum_of_parts(table, places, count, lambda part: mul(part, step), reduction.operands[3])
    reduction.results[0].replace_all_uses_with(total)
    reduction.erase()


def _place(contraction: Contraction, loops: list[ir.Operation], group: tuple[int, ...]) -> ir.Value:
    """The number of an iteration of some loops of the nest, of which the last one runs fastest."""
    place = number(0)
    for each in group:
        variable = loops[each].regions[0].blocks[0].arguments[0]
        place = variable if each == group[0] else add(mul(place, contraction.count(each)), variable)
    return place
