"""`recipes-contractions`: contractions of three special shapes get launches of their own, beside the general tiles."""

from __future__ import annotations

from functools import partial
from typing import ClassVar

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.ir.sizes.conditions import (
    Condition,
    all_of,
    are_at_least,
    are_equal,
    is_known_below,
)
from tapeless.passes.lower.launches.grids.grid_nests import launches_in
from tapeless.passes.lower.tiles.contraction import Contraction
from tapeless.passes.lower.tiles.folds.fold import Fold, fold_of
from tapeless.passes.lower.tiles.index_arithmetic import is_at_least
from tapeless.passes.lower.tiles.matrices import FIRST_GENERATION, is_product
from tapeless.passes.lower.tiles.tiles import (
    FEWEST,
    FEWEST_LARGE,
    FEWEST_STEPS,
    Option,
    choose,
    seen_as_contraction,
    sizes,
)
from tapeless.passes.recipes.nearest.found import MOST_STEPS, nearest_of
from tapeless.passes.recipes.nearest.scores import ROWS
from tapeless.passes.recipes.nearest.search import launch_search
from tapeless.passes.recipes.resident.forms import ANY_COLUMNS, FEW_COLUMNS, Form
from tapeless.passes.recipes.resident.resident import can_stay, launch_resident
from tapeless.passes.recipes.symmetric.found import Symmetric, symmetric_of
from tapeless.passes.recipes.symmetric.launch import launch_symmetric
from tapeless.passes.recipes.symmetric.shapes import FEWEST_WARPS, NARROW, WIDE, warps_for
from tapeless.passes.recipes.symmetric.shapes import Form as SymmetricForm

# A symmetric product of fewer steps leaves more to store than to add.
FEWEST_MIRRORED_STEPS = 64
# Columns that a search by products is worth it for, and that it can count.
FEWEST_SEARCHED, MOST_SEARCHED = 64, 1 << 30


@dataclass(frozen=True)
class Contractions:
    """Gives contractions of special shapes launches of their own (SYRK, resident operand, nearest point).

    ```mlir
    scf.for %i { scf.for %j {                            scf.if %sizes_are_right_for_it {
      ... a contraction                                    the launch of a recipe
    } } {tapeless.launch = "each thread"}                } else {
                                                           the nest as it was, for `lower-tile-contractions`
                                                         }
    ```
    Batches of symmetric products compute one triangle, a search for the nearest point looks by products and proves, and
    columns of a fold stay in shared memory while rows go by.
    """

    name: ClassVar[str] = "recipes-contractions"
    after: ClassVar[dict[str, str]] = {
        "lower-fma": "products are found as fused multiply-adds",
    }
    generation: int = 80
    recipes: bool = True

    def run(self, module: ir.Module) -> None:
        if not self.recipes:
            return
        module.context.dialects["gpu"]
        find = partial(seen_as_contraction, generation=self.generation)
        with module.context, ir.Location.unknown():
            for launched in launches_in(module.operation):
                choose([launched], self._options(launched, find(launched)))

    def _options(self, launched: ir.Operation, contraction: Contraction | None) -> list[Option]:
        if contraction is not None:
            return mirrorings(contraction, self.generation)
        fold = fold_of(launched)
        return [] if fold is None else [*searches(fold), *stayings(fold, self.generation)]


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


def stayings(fold: Fold, generation: int) -> list[Option]:
    """Launches whose columns stay in shared memory while rows go by."""
    if generation < FIRST_GENERATION or not can_stay(fold):
        return []
    forms = FEW_COLUMNS, ANY_COLUMNS
    return [(partial(_stays, fold, form), partial(launch_resident, fold, form)) for form in forms]


def _is_mirrored(symmetric: Symmetric, form: SymmetricForm) -> Condition:
    """Whether a matrix has as many rows as columns, few enough for a form, and there are warps and steps for it."""
    rows, columns, _, steps = sizes(symmetric.contraction)
    known = [are_equal(rows[0], columns[0]), are_at_least(rows, FEWEST), are_at_least(steps, FEWEST_MIRRORED_STEPS)]
    known.append(is_known_below(rows[0], form.most + 1))
    if any(each is False for each in known):
        return False
    return all_of([*known, is_at_least(warps_for(symmetric, form), FEWEST_WARPS)])


def _stays(fold: Fold, form: Form) -> Condition:
    """Whether all steps have a place in a form, of which there are some, and few columns in that for few."""
    rows, columns, _, steps = sizes(fold.contraction)
    wanted = [are_at_least(counts, least) for counts, least in ((rows, FEWEST), (columns, 1), (steps, FEWEST_STEPS))]
    wanted.append(is_known_below(steps[0], form.most_steps + 1))
    return all_of([*wanted, is_known_below(columns[0], form.columns + 1)] if form.has_few else wanted)


def _is_search(fold: Fold) -> Condition:
    """Whether there are enough rows and columns for a search by products, and so few steps that it has room."""
    rows, columns, _, steps = sizes(fold.contraction)
    wanted = [(rows, FEWEST_LARGE * ROWS), (columns, FEWEST_SEARCHED), (steps, 1)]
    known = [are_at_least(counts, least) for counts, least in wanted]
    return all_of([*known, is_known_below(steps[0], MOST_STEPS + 1), is_known_below(columns[0], MOST_SEARCHED)])
