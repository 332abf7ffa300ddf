"""Folds that look for the smallest sum of squared differences, and how far a search by products may be from it.

|x - c|^2 / 2 = |x|^2 / 2 + (|c|^2 / 2 - x c): the nearest c has the smallest number in brackets, its score. Scores are
made by instructions for products of small matrices, whose factors have 11 bits: x = h + l, with h the first 11 bits of
x and l the next ones, and x c nearly h h' + h l' + l h'. What such a score can be off by is known, and so is what the
sum that the program asks for can be off by. Where the best scores of two groups of columns are further apart, the
smallest sum is one of the first group, whose sums are made as they are written; so are all sums of other rows.
"""

from __future__ import annotations

from tapeless._mlir import arith, ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.lower.tiles.folds.fold import Fold
from tapeless.passes.lower.tiles.nest_values import terminator_of

# Steps of a product of small matrices, and how many such products a score takes: three for each step of the sum.
STEPS, PRODUCTS = 8, 4
MOST_STEPS = STEPS * PRODUCTS // 3
# A score may be off by so much of |x| max |c| + max |c|^2 / 2. What is cut off in factors comes to 3 * 2^-20, rounding
# in four products of eight steps to less than 36 * 2^-23, that in |c|^2 / 2 to 12 * 2^-24: together less than 2^-16.9.
SCORE_ERROR = 2.0**-16
# So much of a squared distance may be lost in the sum of squares for each step and in what is done to the result, four
# times what it is; and what is lost where numbers have no bits left.
SUM_ERROR, LEAST_ERROR = 2.0**-22, 1e-30


@dataclass(frozen=True)
class Nearest:
    """A fold that looks for the smallest sum of squared differences of floats of four bytes."""

    fold: Fold
    row: ir.Value
    column: ir.Value


def nearest_of(fold: Fold) -> Nearest | None:
    """What a fold looks for, if it is that."""
    contraction = fold.contraction
    staged = contraction.rows.staged, contraction.columns.staged
    if (
        fold.element is None
        or contraction.batch
        or any(len(each) != 1 or str(each[0].type) != "f32" for each in staged)
    ):
        return None
    if len(contraction.carried) != 1 or fold.element != contraction.reduction.results[0]:
        return None
    if fold.combining.name != "arith.minimumf" or not _adds_squares(fold, staged[0][0], staged[1][0]):
        return None
    starts = contraction.reduction.operands[3], fold.columns.operands[3]
    if [_constant(value) for value in starts] != [0.0, float("inf")]:
        return None
    return Nearest(fold, staged[0][0], staged[1][0])


def _adds_squares(fold: Fold, row: ir.Value, column: ir.Value) -> bool:
    """Whether a step adds the square of the difference of two numbers."""
    contraction = fold.contraction
    made_by = contraction.values.made_by
    sum_ = made_by.get(terminator_of(contraction.reduction).operands[0])
    if sum_ is None or sum_.name != "llvm.intr.fmuladd" or sum_.operands[2] != contraction.carried[0]:
        return False
    one, other, _ = sum_.operands
    difference = made_by.get(one)
    if one != other or difference is None or difference.name != "arith.subf":
        return False
    return set(difference.operands) == {row, column}


def _constant(value: ir.Value) -> float | None:
    if isinstance(value.owner, ir.Block) or not isinstance(value.owner.opview, arith.ConstantOp):
        return None
    return ir.FloatAttr(value.owner.attributes["value"]).value
