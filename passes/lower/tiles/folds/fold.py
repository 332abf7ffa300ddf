"""Contractions whose columns are reduced at once: the nearest of many points, sums of what pairs have in common.

```mlir
scf.for %i {                                                // rows %i
  %m, %p = scf.for %j iter_args(%b = %inf, %q = %n) {       // columns %j
    %s = scf.for %k iter_args(%t = %zero) { ... }           // reads %a[%i, %k] and %c[%j, %k]
    ...                                                     // the smaller one of %b and %s, and its place
  }
  memref.store %m, %d[%i]
} {tapeless.launch = "each thread"}
```
"""

from __future__ import annotations

from tapeless._mlir import arith, ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.lower.launches.grids.grid_nests import nest_of
from tapeless.passes.lower.tiles.contraction import Contraction, counts_up, divided, has_no_effects
from tapeless.passes.lower.tiles.nest_values import (
    FOLDED,
    NestValues,
    body_of,
    operations_between,
    terminator_of,
)
from tapeless.passes.marks import EACH_THREAD, LAUNCH, PARALLEL

FREE = "reassoc"
# Extremes: what says that an element is beyond the one so far or equal, or that one of them is not a number.
EXTREMES = {"arith.minimumf": arith.CmpFPredicate.ULE, "arith.maximumf": arith.CmpFPredicate.UGE}
# Sums: the flags, and which operand is the running one, if that is fixed.
SUMS = {"llvm.intr.fmuladd": ("fastmathFlags", 2), "arith.addf": ("fastmath", None)}


@dataclass(frozen=True)
class Fold:
    """A contraction with one loop of columns, the last of its loops, which reduces them in an order that is free.

    `element` is what an extreme takes of a column, nothing for sums; `has_place`: the number of the first column with
    the extreme is carried beside it.
    """

    contraction: Contraction
    element: ir.Value | None
    has_place: bool

    @property
    def columns(self) -> ir.Operation:
        return self.contraction.loops[-1]

    @property
    def carried(self) -> list[ir.Value]:
        return list(self.columns.regions[0].blocks[0].arguments)[1:]

    @property
    def results(self) -> list[ir.Value]:
        """What an iteration over columns hands on."""
        return list(terminator_of(self.columns).operands)

    @property
    def combining(self) -> ir.Operation:
        """The operation that makes the extreme or the sum."""
        return self.contraction.values.made_by[self.results[0]]

    @property
    def epilogue(self) -> list[ir.Operation]:
        """What an iteration over rows does besides reducing columns."""
        return [op for op in body_of(self.contraction.loops[-2]) if op != self.columns]


def fold_of(launched: ir.Operation) -> Fold | None:
    """The fold that a launched loop is, if it is one."""
    if ir.StringAttr(launched.attributes[LAUNCH]).value != EACH_THREAD:
        return None
    rows = nest_of(launched)
    columns = _only_reduction(rows[-1])
    reduction = None if columns is None else _only_reduction(columns)
    if columns is None or reduction is None or not all(PARALLEL in loop.attributes for loop in rows):
        return None
    loops = [*rows, columns]
    if not all(counts_up(loop) for loop in (*loops, reduction)):
        return None
    if not has_no_effects(launched, operations_between(loops, reduction), body_of(reduction), columns):
        return None
    values = NestValues.of(loops, reduction)
    if any(values.is_inside(loop.operands[1]) for loop in (columns, reduction)):
        return None
    if any(FOLDED in values.of_value(value) for op in (reduction, *body_of(reduction)) for value in op.operands):
        return None
    contraction = divided(loops, reduction, values, len(rows))
    if contraction is None or contraction.columns.loops != (len(rows),):
        return None
    return _extreme(contraction) or _sum(contraction)


def _only_reduction(loop: ir.Operation) -> ir.Operation | None:
    found = [op for op in body_of(loop) if op.name == "scf.for" and len(op.results)]
    return found[0] if len(found) == 1 else None


def _sum(contraction: Contraction) -> Fold | None:
    """A fold that adds up one number."""
    fold = Fold(contraction, None, False)
    made = contraction.values.made_by.get(fold.results[0])
    if len(fold.results) > 1 or made is None or made.name not in SUMS or len(list(fold.carried[0].uses)) > 1:
        return None
    flags, position = SUMS[made.name]
    operands = list(made.operands) if position is None else [made.operands[position]]
    return fold if fold.carried[0] in operands and FREE in str(made.attributes[flags]) else None


def _extreme(contraction: Contraction) -> Fold | None:
    """A fold that looks for the smallest or largest number, perhaps with its first place."""
    best = terminator_of(contraction.loops[-1]).operands[0]
    made = contraction.values.made_by.get(best)
    if made is None or made.name not in EXTREMES or FREE not in str(made.attributes["fastmath"]):
        return None
    running, element = made.operands
    fold = Fold(contraction, element, len(terminator_of(contraction.loops[-1]).operands) == 2)
    if running != fold.carried[0] or FOLDED in contraction.values.of_value(element) or len(fold.results) > 2:
        return None
    return fold if not fold.has_place or _finds_first(fold) else None


def _finds_first(fold: Fold) -> bool:
    """Whether the second number is the first place of the extreme, as `soac-distribute-nests` writes it."""
    made_by = fold.contraction.values.made_by
    (best, place), (running, first), element = fold.results, fold.carried, fold.element
    index = fold.contraction.variable(len(fold.contraction.loops) - 1)

    def operands(value: ir.Value, name: str) -> list[ir.Value]:
        op = made_by.get(value)
        return list(op.operands) if op is not None and op.name == name else []

    def equals_best(value: ir.Value, other: ir.Value) -> bool:
        op = made_by.get(value)
        is_equal = operands(value, "arith.cmpf") == [other, best]
        return op is not None and is_equal and op.opview.predicate.value == arith.CmpFPredicate.UEQ

    chosen = operands(place, "arith.select")
    if len(chosen) != 3 or chosen[2] != index or not equals_best(chosen[0], running):
        return False
    of_both = operands(chosen[1], "arith.select")
    if len(of_both) != 3 or of_both[2] != first or not equals_best(of_both[0], element):
        return False
    return operands(of_both[1], "arith.minsi") == [first, index]
