"""`recipes-moments`: scales of scaled rows are summed for each row of a table, then elements are made of these once."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import ClassVar

from tapeless._mlir import arith, ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.dialects.array_types import DYNAMIC
from tapeless.passes.driver.inner import run_inner
from tapeless.passes.ir import build
from tapeless.passes.ir.rebuild import replace_op
from tapeless.passes.ir.scopes import is_defined_outside
from tapeless.passes.recipes.moments.emission import element_sums, scale_sums
from tapeless.passes.recipes.moments.keys import Key, Keyed, keyed_sums
from tapeless.passes.recipes.moments.terms import CannotSeparate, Factors, Separation, Terms
from tapeless.passes.soac.simplify.simplify import Simplify
from tapeless.passes.soac.spread.guard import Choice
from tapeless.passes.soac.spread.imperfect import host_operations
from tapeless.passes.soac.sums.contributions import contributions_to
from tapeless.passes.soac.sums.replay import CannotReplay

# So many iterations there are at least for each row of sums, so that elements are few beside them.
ITERATIONS_PER_ROW = 4
# So many times fewer sums there are.
LEAST_GAIN = 2


@dataclass(frozen=True)
class Moments:
    """Gives sums of scaled rows a variant in which iterations add scales instead of the rows (rank-1 factorisation).

    ```mlir
    %g = "soac.with_acc"(%zeros) ({                   %m = "soac.with_acc"(%zeros of all rows) ({
      map over n:                                       map over n:
        map over j: update(%acc, %k, %j, 2 a t)           update(%acc, %k, 0, t)
                                                      %g = map over k, then over j: 2 a %m[k, 0]
    ```
    where `a` depends on k and j only and t not on j, for sums of such products, also at places such as k + 1. Rows to
    which nothing was added are left alone, whatever is in the table there.
    """

    name: ClassVar[str] = "recipes-moments"
    after: ClassVar[dict[str, str]] = {"soac-fuse": "it looks at the sums that fusion left"}
    recipes: bool = True

    def run(self, module: ir.Module) -> None:
        if not self.recipes:
            return
        functions = [op for op in module.body.operations if op.operation.name == "func.func"]
        changed = False
        for function in [op for op in functions if "sym_visibility" not in op.attributes]:
            for op in list(host_operations(function)):
                if op.operation.name == "soac.with_acc":
                    changed |= sum_scales(op)
        if changed:
            run_inner(Simplify(), module)


def sum_scales(accumulation: ir.OpView) -> bool:
    """Gives an accumulation the variant, if its addends are such products; says whether it has one."""
    found = Scaled.of(accumulation)
    if found is None:
        return False
    outer = found.keyed.contributions[0].loops[0]
    width = outer.operands[0]
    if not is_defined_outside(width, accumulation.operation):
        return False
    choice = Choice.around(accumulation)
    copy = choice.changed.operations[0]
    again = Scaled.of(copy)
    assert again is not None
    try:
        with copy.location, ir.InsertionPoint(copy):
            sizes = [rows_of(again.keyed.dest, key) for key in again.keyed.keys]
            sums = scale_sums(again.keyed, again.scales, sizes)
            result = element_sums(again.keyed, again.terms, again.scales, sums, sizes)
    except CannotReplay:
        choice.undo()
        return False
    replace_op(copy, [result])
    with accumulation.location, ir.InsertionPoint(choice.branch):
        rows = build.index(ITERATIONS_PER_ROW)
        for key in found.keyed.keys:
            rows = arith.muli(rows, rows_of(found.keyed.dest, key))
        wanted = arith.cmpi(arith.CmpIPredicate.sle, rows, width)
    choice.branch.operation.operands[0] = wanted
    return True


@dataclass(frozen=True)
class Scaled:
    """The factored addends of an array, and all scales of rows in them."""

    keyed: Keyed
    terms: list[Terms]
    scales: list[Factors]

    @staticmethod
    def of(accumulation: ir.OpView) -> Scaled | None:
        """The only sums of an accumulation, if there are fewer scales than elements."""
        if len(accumulation.operands) != 1 or len(accumulation.results) != 1:
            return None
        dest = accumulation.operands[0]
        if not isinstance(dest.type.element_type, ir.F32Type | ir.F64Type):
            return None
        contributions = contributions_to(accumulation, 0)
        keyed = keyed_sums(accumulation, contributions or [])
        if keyed is None or not all(_fill_rows(keyed)):
            return None
        separation = Separation(keyed)
        try:
            terms = [separation.terms(each.value) for each in keyed.contributions]
        except CannotSeparate:
            return None
        scales = list(dict.fromkeys(scale for each in terms for _, scale in each))
        length = math.prod(dest.type.shape[axis] for axis in keyed.row_axes)
        if LEAST_GAIN * len(scales) > length * len(terms):
            return None
        return Scaled(keyed, terms, scales)


def rows_of(dest: ir.Value, key: Key) -> ir.Value:
    """How many values a key has."""
    size = build.dim(dest, key.axis)
    return size if key.period is None else arith.addi(size, key.period)


def _fill_rows(keyed: Keyed) -> Iterator[bool]:
    """Whether each inner map goes through all elements of a row, whose number is known."""
    for contribution in keyed.contributions:
        for axis in keyed.row_axes:
            loop = contribution.indexed_by(contribution.places[axis])
            assert loop is not None
            size = keyed.dest.type.shape[axis]
            yield size != DYNAMIC and build.static_size(loop.operands[0]) == size
