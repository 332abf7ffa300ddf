"""`lower-tile-contractions`: launched contractions become launches of blocks with tiles."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import partial
from typing import ClassVar, TypeAlias

from tapeless._mlir import ir, scf
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.ir.sizes.conditions import (
    Condition,
    all_of,
    any_of,
    are_at_least,
    is_known_below,
    known_index,
    negated,
)
from tapeless.passes.ir.sizes.sizes import constant_int
from tapeless.passes.lower.launches.grids.grid_nests import launches_in
from tapeless.passes.lower.tiles import parts
from tapeless.passes.lower.tiles.blocks import launch_tiles, number_of_tiles
from tapeless.passes.lower.tiles.contraction import Contraction, contraction_of
from tapeless.passes.lower.tiles.folds.blocks import launch_folds
from tapeless.passes.lower.tiles.folds.fold import Fold, fold_of
from tapeless.passes.lower.tiles.index_arithmetic import (
    Index,
    is_at_least,
    mul,
    product,
    quotient,
)
from tapeless.passes.lower.tiles.matrices import FIRST_GENERATION, is_product
from tapeless.passes.lower.tiles.parts import can_be_divided, launch_in_parts
from tapeless.passes.lower.tiles.shapes import (
    LARGE,
    Shape,
    element_bytes,
    leaves_room,
    narrow_shape,
    shapes_for,
    shapes_for_fold,
)

Pays: TypeAlias = Callable[[], Condition]
Option: TypeAlias = tuple[Pays, Callable[[], None]]
# Fewer rows or columns leave most of a tile empty; three quarters of a large one are worth more than small ones.
FEWEST = 16
FEWEST_STEPS = 8
# Sums as long as this pay for tiles with fewer rows or columns: 8192 x 784 by 784 x 10 took 0.21 ms without (H200).
FEWEST_THIN_STEPS = 256
# With so many rows, fewer columns are left to threads that have a row each, if it has no more bytes than this.
FEWEST_THREADS, FEWEST_OF_MANY_ROWS, SHORT_ROW_BYTES = 1 << 15, 32, 256
# Blocks of large tiles that keep a GPU busy.
FEWEST_LARGE = 128
# A large tile in place of fewer small ones than this takes longer, since there is nothing in the rest of it.
LARGE_COUNTS = 3


@dataclass(frozen=True)
class Tiles:
    """Tiles contractions (GEMM and alike) for GPUs: shared memory, register blocking, tensor cores.

    ```mlir
    scf.for %i { scf.for %j {                            scf.for %block {
      %s = scf.for %k iter_args(%t = %zero) {              scf.for %thread = %c0 to %c256 {
        %x = memref.load %a[%i, %k]                          scf.for %tile ... {
        %y = memref.load %b[%k, %j]                            // a tile of %a and one of %b to shared memory
        %p = arith.mulf %x, %y                                 gpu.barrier
        %u = arith.addf %t, %p                                 // 8 x 8 sums in registers
        scf.yield %u                                         }
      }                                                      // stores
      memref.store %s, %c[%i, %j]                          } {tapeless.threads}
    } } {tapeless.launch = "each thread"}                } {tapeless.launch = "each block"}
    ```
    Sizes, found at run time, decide between shapes of tiles and the nest as it was. From `generation` 90 on, sums of
    products of doubles are made by instructions for small matrices (`matrices.py`).
    """

    name: ClassVar[str] = "lower-tile-contractions"
    after: ClassVar[dict[str, str]] = {
        "lower-fma": "products are found as fused multiply-adds",
    }
    generation: int = 80

    def run(self, module: ir.Module) -> None:
        module.context.dialects["gpu"]
        with module.context, ir.Location.unknown():
            for launched in launches_in(module.operation):
                contraction = seen_as_contraction(launched, self.generation)
                if contraction is not None:
                    choose([launched], tilings(contraction, self.generation))
                elif (fold := fold_of(launched)) is not None:
                    choose([launched], foldings(fold))


def seen_as_contraction(launched: ir.Operation, generation: int) -> Contraction | None:
    """The contraction that a loop is, divided so that instructions for small matrices can make it, if they can."""
    if generation >= FIRST_GENERATION:
        found = contraction_of(launched, by_factors=True)
        if found is not None and is_product(found):
            return found
    return contraction_of(launched)


def tilings(contraction: Contraction, generation: int) -> list[Option]:
    """The launches of all shapes that fit, each with the sizes that it is for."""
    shapes = shapes_for(contraction, generation)
    options: list[Option] = []
    if shapes and can_be_divided(contraction):
        large, small = shapes[0], shapes[-1]
        if large != small and leaves_room(contraction, large):
            pays = partial(_is_long_for_large, contraction, large, small)
            options.append((pays, partial(launch_in_parts, contraction, large)))
        options.append((partial(is_long, contraction, small), partial(launch_in_parts, contraction, small)))
    narrow = narrow_shape(contraction, generation)
    if narrow is not None:
        options.append((partial(_is_narrow, contraction, narrow), partial(launch_tiles, contraction, narrow)))
    for shape in shapes:
        if shape.by_matrices and can_be_divided(contraction):
            options.append((partial(_is_uneven, contraction, shape), partial(launch_in_parts, contraction, shape)))
        options.append((partial(is_large, contraction, shape), partial(launch_tiles, contraction, shape)))
    return options


def foldings(fold: Fold) -> list[Option]:
    """The launches of all shapes that fit, the larger ones if there are enough blocks of them."""
    options: list[Option] = []
    for shape in shapes_for_fold(fold):
        for is_short in (True, False):
            options.append((partial(_has_rows, fold, shape, is_short), partial(launch_folds, fold, shape, is_short)))
    return options


def choose(nests: Sequence[ir.Operation], options: Sequence[Option]) -> None:
    """Puts launches beside nests, of which the first that pays is taken at run time."""
    for pays, emit in options:
        with ir.InsertionPoint(nests[-1]), nests[-1].location:
            condition = pays()
            if condition is False:
                continue
            if condition is True:
                emit()
                for nest in nests:
                    nest.erase()
                return
            branch = scf.IfOp(condition, has_else=True)
            with ir.InsertionPoint(branch.then_block):
                emit()
                scf.YieldOp([])
            with ir.InsertionPoint(branch.else_block):
                end = scf.YieldOp([])
        for nest in nests:
            nest.move_before(end.operation)


def sizes(contraction: Contraction) -> tuple[list[ir.Value], list[ir.Value], list[ir.Value], list[ir.Value]]:
    """How many iterations the loops of rows, columns, batches, and of the reduction have."""
    groups = contraction.rows.loops, contraction.columns.loops, contraction.batch
    rows, columns, batch = ([contraction.count(each) for each in group] for group in groups)
    return rows, columns, batch, [contraction.reduction.operands[1]]


def is_large(contraction: Contraction, shape: Shape) -> Condition:
    """Whether there is enough for tiles of a shape."""
    rows, columns, batch, steps = sizes(contraction)
    fewest = shape.extent * 3 // 4 if shape.each == LARGE else FEWEST
    wanted = [(rows, fewest), (columns, fewest), (steps, FEWEST_STEPS)]
    if shape.each == LARGE:
        wanted.append(([*batch, *rows, *columns], FEWEST_LARGE * shape.extent**2))
    holds = all_of([are_at_least(counts, least) for counts, least in wanted])
    if shape.each == LARGE or holds is True:
        return holds
    # Rows that many threads would read element by element are read once, however empty the tile is.
    thin = [([*rows, *columns], FEWEST**2), (steps, FEWEST_THIN_STEPS)]
    return any_of([holds, all_of([are_at_least(counts, least) for counts, least in thin])])


def _is_narrow(contraction: Contraction, shape: Shape) -> Condition:
    """Whether rows and columns are few enough for one tile, but enough for tiles."""
    rows, columns, _, steps = sizes(contraction)
    wanted = [(rows, FEWEST), (columns, FEWEST), (steps, FEWEST_STEPS)]
    least = [are_at_least(counts, least) for counts, least in wanted]
    if any(each is False for each in least):
        return False
    return all_of([*least, *(is_known_below(product(counts), shape.extent + 1) for counts in (rows, columns))])


def _is_uneven(contraction: Contraction, shape: Shape) -> Condition:
    """Whether there are enough tiles of a shape, but so few, with so many steps, that some multiprocessors would wait
    for others.
    """
    known = [is_large(contraction, shape), are_at_least(sizes(contraction)[3], parts.FEWEST_UNEVEN_STEPS)]
    if any(each is False for each in known):
        return False
    return all_of([*known, is_known_below(product(number_of_tiles(contraction, shape)), parts.MOST_UNEVEN_TILES + 1)])


def _has_rows(fold: Fold, shape: Shape, is_short: bool) -> Condition:
    """Whether there are enough rows and columns for tiles of a shape, and some steps, or just a tile of them.

    Columns that small tiles have room for would leave half of a large one empty.
    """
    rows, columns, batch, steps = sizes(fold.contraction)
    fewest = shape.extent // 2 + 1 if shape.each == LARGE else FEWEST
    wanted = [(rows, FEWEST), (columns, fewest), (steps, 1)]
    if shape.each == LARGE:
        wanted.append(([*batch, *rows], FEWEST_LARGE * shape.extent))
    known = [are_at_least(counts, least) for counts, least in wanted]
    known.append(negated(_suits_threads(fold)))
    return all_of([*known, is_known_below(steps[0], shape.steps + 1)] if is_short else known)


def _suits_threads(fold: Fold) -> Condition:
    """Whether there are enough rows for a thread each, short ones, and so few columns that tiles were half empty."""
    rows, columns, _, steps = sizes(fold.contraction)
    longest = SHORT_ROW_BYTES // element_bytes(fold.contraction.reduction.results[0].type)
    return all_of(
        [
            are_at_least(rows, FEWEST_THREADS),
            is_known_below(columns[0], FEWEST_OF_MANY_ROWS),
            is_known_below(steps[0], longest + 1),
        ]
    )


def is_long(contraction: Contraction, shape: Shape) -> Condition:
    """Whether there are many steps and few tiles, but some."""
    rows, columns, batch, steps = sizes(contraction)
    known = [are_at_least(steps, parts.FEWEST_STEPS), are_at_least([*rows, *columns, *batch], 1)]
    if any(each is False for each in known):
        return False
    return all_of([*known, is_known_below(_tiles(contraction, shape), parts.MOST_TILES + 1)])


def _is_long_for_large(contraction: Contraction, large: Shape, small: Shape) -> Condition:
    """Whether there are steps for enough parts of large tiles, which reach not much further than small ones."""
    tiles, steps = _tiles(contraction, large), known_index(contraction.reduction.operands[1])
    if isinstance(tiles, int) and isinstance(steps, int):
        has_blocks: Condition = tiles * (steps // parts.FEWEST_STEPS_OF_PART) >= FEWEST_LARGE
    else:
        has_blocks = is_at_least(mul(tiles, quotient(steps, parts.FEWEST_STEPS_OF_PART)), FEWEST_LARGE)
    fitting = _tiles(contraction, small)
    if isinstance(tiles, int) and isinstance(fitting, int):
        is_filled: Condition = tiles * LARGE_COUNTS <= fitting
    else:
        is_filled = is_at_least(fitting, mul(tiles, LARGE_COUNTS))
    return all_of([is_long(contraction, large), has_blocks, is_filled])


def _tiles(contraction: Contraction, shape: Shape) -> Index:
    """How many tiles there are, a number if all sizes are known."""
    rows, columns, batch, _ = sizes(contraction)
    counts = [constant_int(count) for count in (*rows, *columns, *batch)]
    if None in counts:
        return product(number_of_tiles(contraction, shape))
    groups = (rows, shape.extent), (columns, shape.extent), (batch, 1)
    return math.prod(-(-math.prod(constant_int(each) or 0 for each in group) // extent) for group, extent in groups)
