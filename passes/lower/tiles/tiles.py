"""`lower-tile-contractions`: launched contractions become launches of blocks with tiles."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import partial
from typing import ClassVar, TypeAlias

from tapeless._mlir import ir, scf
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.ir.search import ops_named
from tapeless.passes.ir.sizes.sizes import constant_int
from tapeless.passes.lower.tiles import parts
from tapeless.passes.lower.tiles.blocks import launch_tiles, number_of_tiles
from tapeless.passes.lower.tiles.conditions import (
    Condition,
    all_of,
    are_at_least,
    are_equal,
    is_known_below,
    known_index,
    negated,
)
from tapeless.passes.lower.tiles.contraction import Contraction, contraction_of
from tapeless.passes.lower.tiles.folds.blocks import launch_folds
from tapeless.passes.lower.tiles.folds.fold import Fold, fold_of
from tapeless.passes.lower.tiles.folds.resident import can_stay, launch_resident
from tapeless.passes.lower.tiles.folds.resident_forms import ANY_COLUMNS, FEW_COLUMNS, Form
from tapeless.passes.lower.tiles.index_arithmetic import (
    Index,
    is_at_least,
    mul,
    product,
    quotient,
)
from tapeless.passes.lower.tiles.joined.blocks import launch_joined
from tapeless.passes.lower.tiles.joined.found import Joined, paired
from tapeless.passes.lower.tiles.matrices import FIRST_GENERATION, is_product
from tapeless.passes.lower.tiles.nearest.found import MOST_STEPS, nearest_of
from tapeless.passes.lower.tiles.nearest.scores import ROWS
from tapeless.passes.lower.tiles.nearest.search import launch_search
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
from tapeless.passes.lower.tiles.symmetric.found import Symmetric, symmetric_of
from tapeless.passes.lower.tiles.symmetric.launch import launch_symmetric
from tapeless.passes.lower.tiles.symmetric.shapes import FEWEST_WARPS, NARROW, WIDE, warps_for
from tapeless.passes.lower.tiles.symmetric.shapes import Form as SymmetricForm
from tapeless.passes.marks import LAUNCH

Pays: TypeAlias = Callable[[], Condition]
Option: TypeAlias = tuple[Pays, Callable[[], None]]
# Fewer rows or columns leave most of a tile empty; three quarters of a large one are worth more than small ones.
FEWEST = 16
FEWEST_STEPS = 8
# With so many rows, fewer columns are left to threads that have a row each, if it has no more bytes than this.
FEWEST_THREADS, FEWEST_OF_MANY_ROWS, SHORT_ROW_BYTES = 1 << 15, 32, 256
# A symmetric product of fewer steps leaves more to store than to add.
FEWEST_MIRRORED_STEPS = 64
# Blocks of large tiles that keep a GPU busy.
FEWEST_LARGE = 128
# Columns that a search by products is worth it for, and that it can count.
FEWEST_SEARCHED, MOST_SEARCHED = 64, 1 << 30
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
            for joined in paired(_launches(module), self._contraction):
                nests = [joined.first.loops[0], joined.second.loops[0]]
                choose(nests, joinings(joined, self.generation))
            for launched in _launches(module):
                contraction = self._contraction(launched)
                if contraction is not None:
                    choose([launched], tilings(contraction, self.generation))
                elif (fold := fold_of(launched)) is not None:
                    choose([launched], [*searches(fold), *self._resident(fold), *foldings(fold)])

    def _contraction(self, launched: ir.Operation) -> Contraction | None:
        """The contraction that a loop is, divided so that instructions for small matrices can make it, if they can."""
        if self.generation >= FIRST_GENERATION:
            found = contraction_of(launched, by_factors=True)
            if found is not None and is_product(found):
                return found
        return contraction_of(launched)

    def _resident(self, fold: Fold) -> list[Option]:
        """Launches whose columns stay in shared memory while rows go by."""
        if self.generation < FIRST_GENERATION or not can_stay(fold):
            return []
        forms = FEW_COLUMNS, ANY_COLUMNS
        return [(partial(_stays, fold, form), partial(launch_resident, fold, form)) for form in forms]


def tilings(contraction: Contraction, generation: int) -> list[Option]:
    """The launches of all shapes that fit, each with the sizes that it is for."""
    shapes = shapes_for(contraction, generation)
    options = mirrorings(contraction, generation)
    if shapes and can_be_divided(contraction):
        large, small = shapes[0], shapes[-1]
        if large != small and leaves_room(contraction, large):
            pays = partial(_is_long_for_large, contraction, large, small)
            options.append((pays, partial(launch_in_parts, contraction, large)))
        options.append((partial(_is_long, contraction, small), partial(launch_in_parts, contraction, small)))
    narrow = narrow_shape(contraction, generation)
    if narrow is not None:
        options.append((partial(_is_narrow, contraction, narrow), partial(launch_tiles, contraction, narrow)))
    for shape in shapes:
        if shape.by_matrices and can_be_divided(contraction):
            options.append((partial(_is_uneven, contraction, shape), partial(launch_in_parts, contraction, shape)))
        options.append((partial(_is_large, contraction, shape), partial(launch_tiles, contraction, shape)))
    return options


def mirrorings(contraction: Contraction, generation: int) -> list[Option]:
    """The launches of batches of symmetric products, of which half is computed."""
    is_made_by_matrices = generation >= FIRST_GENERATION and is_product(contraction)
    symmetric = symmetric_of(contraction) if is_made_by_matrices else None
    if symmetric is None:
        return []
    forms = NARROW, WIDE
    return [(partial(_is_mirrored, symmetric, form), partial(launch_symmetric, symmetric, form)) for form in forms]


def searches(fold: Fold) -> list[Option]:
    """The launch of a search for the nearest column, if that is what a fold does."""
    nearest = nearest_of(fold)
    return [] if nearest is None else [(partial(_is_search, fold), partial(launch_search, nearest))]


def foldings(fold: Fold) -> list[Option]:
    """The launches of all shapes that fit, the larger ones if there are enough blocks of them."""
    options: list[Option] = []
    for shape in shapes_for_fold(fold):
        for is_short in (True, False):
            options.append((partial(_has_rows, fold, shape, is_short), partial(launch_folds, fold, shape, is_short)))
    return options


def joinings(joined: Joined, generation: int) -> list[Option]:
    """The launch of two contractions as one, where each by itself would have small tiles, and not in parts."""
    both = joined.first, joined.second
    shapes = [shapes_for(each, generation) for each in both]
    if not all(shapes) or shapes[0][-1] != shapes[1][-1]:
        return []
    small = shapes[0][-1]

    def pays() -> Condition:
        pairs = zip(*(map(each.count, range(len(each.loops))) for each in both), strict=True)
        wanted = [are_equal(one, other) for one, other in pairs]
        wanted += [_is_large(each, small) for each in both]
        unwanted = [_is_long(each, small) for each in both if can_be_divided(each)]
        unwanted += [_is_large(each, own[0]) for each, own in zip(both, shapes, strict=True) if own[0] != small]
        return all_of([*wanted, *map(negated, unwanted)])

    return [(pays, partial(launch_joined, joined, small))]


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


def _launches(module: ir.Module) -> list[ir.Operation]:
    loops = [view.operation for view in ops_named(module.operation.opview, "scf.for")]
    return [loop for loop in loops if LAUNCH in loop.attributes]


def _sizes(contraction: Contraction) -> tuple[list[ir.Value], list[ir.Value], list[ir.Value], list[ir.Value]]:
    """How many iterations the loops of rows, columns, batches, and of the reduction have."""
    groups = contraction.rows.loops, contraction.columns.loops, contraction.batch
    rows, columns, batch = ([contraction.count(each) for each in group] for group in groups)
    return rows, columns, batch, [contraction.reduction.operands[1]]


def _is_large(contraction: Contraction, shape: Shape) -> Condition:
    """Whether there is enough for tiles of a shape."""
    rows, columns, batch, steps = _sizes(contraction)
    fewest = shape.extent * 3 // 4 if shape.each == LARGE else FEWEST
    wanted = [(rows, fewest), (columns, fewest), (steps, FEWEST_STEPS)]
    if shape.each == LARGE:
        wanted.append(([*batch, *rows, *columns], FEWEST_LARGE * shape.extent**2))
    return all_of([are_at_least(counts, least) for counts, least in wanted])


def _is_narrow(contraction: Contraction, shape: Shape) -> Condition:
    """Whether rows and columns are few enough for one tile, but enough for tiles."""
    rows, columns, _, steps = _sizes(contraction)
    wanted = [(rows, FEWEST), (columns, FEWEST), (steps, FEWEST_STEPS)]
    least = [are_at_least(counts, least) for counts, least in wanted]
    if any(each is False for each in least):
        return False
    return all_of([*least, *(is_known_below(product(counts), shape.extent + 1) for counts in (rows, columns))])


def _is_mirrored(symmetric: Symmetric, form: SymmetricForm) -> Condition:
    """Whether a matrix has as many rows as columns, few enough for a form, and there are warps and steps for it."""
    rows, columns, _, steps = _sizes(symmetric.contraction)
    known = [are_equal(rows[0], columns[0]), are_at_least(rows, FEWEST), are_at_least(steps, FEWEST_MIRRORED_STEPS)]
    known.append(is_known_below(rows[0], form.most + 1))
    if any(each is False for each in known):
        return False
    return all_of([*known, is_at_least(warps_for(symmetric, form), FEWEST_WARPS)])


def _is_uneven(contraction: Contraction, shape: Shape) -> Condition:
    """Whether there are enough tiles of a shape, but so few, with so many steps, that some multiprocessors would wait
    for others.
    """
    known = [_is_large(contraction, shape), are_at_least(_sizes(contraction)[3], parts.FEWEST_UNEVEN_STEPS)]
    if any(each is False for each in known):
        return False
    return all_of([*known, is_known_below(product(number_of_tiles(contraction, shape)), parts.MOST_UNEVEN_TILES + 1)])


def _stays(fold: Fold, form: Form) -> Condition:
    """Whether all steps have a place in a form, of which there are some, and few columns in that for few."""
    rows, columns, _, steps = _sizes(fold.contraction)
    wanted = [are_at_least(counts, least) for counts, least in ((rows, FEWEST), (columns, 1), (steps, FEWEST_STEPS))]
    wanted.append(is_known_below(steps[0], form.most_steps + 1))
    return all_of([*wanted, is_known_below(columns[0], form.columns + 1)] if form.has_few else wanted)


def _is_search(fold: Fold) -> Condition:
    """Whether there are enough rows and columns for a search by products, and so few steps that it has room."""
    rows, columns, _, steps = _sizes(fold.contraction)
    wanted = [(rows, FEWEST_LARGE * ROWS), (columns, FEWEST_SEARCHED), (steps, 1)]
    known = [are_at_least(counts, least) for counts, least in wanted]
    return all_of([*known, is_known_below(steps[0], MOST_STEPS + 1), is_known_below(columns[0], MOST_SEARCHED)])


def _has_rows(fold: Fold, shape: Shape, is_short: bool) -> Condition:
    """Whether there are enough rows and columns for tiles of a shape, and some steps, or just a tile of them.

    Columns that small tiles have room for would leave half of a large one empty.
    """
    rows, columns, batch, steps = _sizes(fold.contraction)
    fewest = shape.extent // 2 + 1 if shape.each == LARGE else FEWEST
    wanted = [(rows, FEWEST), (columns, fewest), (steps, 1)]
    if shape.each == LARGE:
        wanted.append(([*batch, *rows], FEWEST_LARGE * shape.extent))
    known = [are_at_least(counts, least) for counts, least in wanted]
    known.append(negated(_suits_threads(fold)))
    return all_of([*known, is_known_below(steps[0], shape.steps + 1)] if is_short else known)


def _suits_threads(fold: Fold) -> Condition:
    """Whether there are enough rows for a thread each, short ones, and so few columns that tiles were half empty."""
    rows, columns, _, steps = _sizes(fold.contraction)
    longest = SHORT_ROW_BYTES // element_bytes(fold.contraction.reduction.results[0].type)
    return all_of(
        [
            are_at_least(rows, FEWEST_THREADS),
            is_known_below(columns[0], FEWEST_OF_MANY_ROWS),
            is_known_below(steps[0], longest + 1),
        ]
    )


def _is_long(contraction: Contraction, shape: Shape) -> Condition:
    """Whether there are many steps and few tiles, but some."""
    rows, columns, batch, steps = _sizes(contraction)
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
    return all_of([_is_long(contraction, large), has_blocks, is_filled])


def _tiles(contraction: Contraction, shape: Shape) -> Index:
    """How many tiles there are, a number if all sizes are known."""
    rows, columns, batch, _ = _sizes(contraction)
    counts = [constant_int(count) for count in (*rows, *columns, *batch)]
    if None in counts:
        return product(number_of_tiles(contraction, shape))
    groups = (rows, shape.extent), (columns, shape.extent), (batch, 1)
    return math.prod(-(-math.prod(constant_int(each) or 0 for each in group) // extent) for group, extent in groups)
