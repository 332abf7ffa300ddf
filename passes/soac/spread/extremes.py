"""The smallest or largest element and its first place found in one loop, so that no thread keeps all elements."""

from __future__ import annotations

from tapeless._mlir import arith, ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.dialects import soac
from tapeless.dialects.array_types import row_type
from tapeless.dialects.regions import terminator
from tapeless.dialects.soac.builders import fill
from tapeless.passes.ir import build
from tapeless.passes.ir.array_loops import Loop
from tapeless.passes.ir.rebuild import Values, copy_op, replace_op
from tapeless.passes.ir.search import ops_named
from tapeless.passes.ir.sizes.shapes import same_width
from tapeless.passes.soac.cascade.places import is_outside_operators
from tapeless.passes.soac.spread.weights import OPERATORS

EXTREMES = frozenset({"arith.minimumf", "arith.maximumf"})
REDUCTIONS = frozenset({"soac.reduce", "soac.fused"})


def join_places(root: ir.OpView) -> bool:
    """Rewrites pairs of loops below `root`; says whether there were any.

    ```mlir
    %m, %row = fused: smallest of v, all v            %m, %i = fused: smallest of v with its first place
    %i = fused: first place in %row that is %m
    ```
    Inside other operators, elements are made by the first loop; elsewhere, they may also be in memory.
    """
    is_changed = False
    for op in ops_named(root, "soac.fused"):
        found = Search.of(op)
        if found is not None:
            found.join()
            is_changed = True
    return is_changed


@dataclass(frozen=True)
class Search:
    """A loop that looks for the first element equal to the extreme that another one found.

    The extreme is one of the numbers that the other loop reduces to.
    """

    extreme: Loop
    number: int
    places: Loop

    @staticmethod
    def of(op: ir.OpView) -> Search | None:
        places = Loop.seen_as(op)
        if len(places.inputs) != 1 or len(op.results) != 1:
            return None
        found = _compared(places)
        if found is None or isinstance(found, ir.BlockArgument) or found.owner.operation.name not in REDUCTIONS:
            return None
        extreme = Loop.seen_as(found.owner)
        if extreme.op.operation.block != op.operation.block or not same_width(extreme.width, places.width):
            return None
        if found not in extreme.reduced.results or extreme.scanned.neutral:
            return None
        search = Search(extreme, extreme.reduced.results.index(found), places)
        return search if search._finds_extreme() and search._finds_first() else None

    def _finds_extreme(self) -> bool:
        """Whether the first loop reduces the elements of the row by their minimum or maximum."""
        (row,), reduced, is_inside = self.places.inputs, self.extreme.reduced, self._is_inside
        if is_inside and (len(reduced.neutral) > 1 or row not in self.extreme.mapped):
            return False
        if not is_inside and not is_outside_operators(self.places.op):
            return False
        best = terminator(reduced.region).operands[self.number]
        arguments, count = list(reduced.block.arguments), len(reduced.neutral)
        pair = {arguments[self.number], arguments[count + self.number]}
        is_extreme = best.owner != reduced.block and best.owner.operation.name in EXTREMES
        return is_extreme and set(best.owner.operands) == pair and row in self._rows()

    @property
    def _is_inside(self) -> bool:
        return self.places.op.operation.parent.name in OPERATORS

    def _rows(self) -> list[ir.Value]:
        """The arrays whose elements the first loop reduces, those it reads and those it makes."""
        extreme = self.extreme
        if extreme.lift is None:
            return [extreme.inputs[self.number]]
        lifted = extreme.lifted()
        made = zip(extreme.mapped, lifted[len(extreme.reduced.neutral) :], strict=True)
        given = zip(extreme.inputs, extreme.elements, strict=True)
        return [array for array, value in (*made, *given) if value == lifted[self.number]]

    def _finds_first(self) -> bool:
        """Whether the second loop takes the smallest index at which the element is no other than the extreme."""
        reduced = self.places.reduced
        names = [op.operation.name for op in reduced.block.operations] if reduced.neutral else []
        if names != ["arith.minsi", "soac.yield"] or not same_width(reduced.neutral[0], self.places.width):
            return False
        _, place, otherwise = self.places.lifted()[0].owner.operands
        return place == self.places.body.arguments[0] and same_width(otherwise, self.places.width)

    def join(self) -> None:
        """Replaces both loops by one; where the extreme is not a number, all places are equal, and so the first is."""
        old, count = self.extreme, len(self.extreme.reduced.neutral)
        with old.op.location, ir.InsertionPoint(old.op):
            neutral = [*old.reduced.neutral, old.width]
            types = [value.type for value in neutral]
            made = soac.FusedOp(old.width, old.inputs, neutral, [], [*types, *(array.type for array in old.mapped)])
            fill(made.lift, [ir.IndexType.get(), *(row_type(array.type) for array in old.inputs)], self._lift)
            fill(made.reduce, [*types, *types], self._combine)
            results = list(made.operation.results)
            is_number = arith.cmpf(arith.CmpFPredicate.ORD, results[self.number], results[self.number])
            first = arith.select(is_number, results[count], build.index(0))
        replace_op(self.places.op, [first])
        replace_op(old.op, [*results[:count], *results[count + 1 :]])

    def _lift(self, own: ir.Value, *elements: ir.Value) -> list[ir.Value]:
        if self.extreme.lift is None:
            return [*elements, own]
        values: Values = dict(zip(self.extreme.body.arguments, [own, *elements], strict=True))
        for op in list(self.extreme.body.operations)[:-1]:
            copy_op(op, values)
        count = len(self.extreme.reduced.neutral)
        lifted = [values.get(value, value) for value in self.extreme.lifted()]
        return [*lifted[:count], own, *lifted[count:]]

    def _combine(self, *arguments: ir.Value) -> list[ir.Value]:
        block, half = self.extreme.reduced.block, len(arguments) // 2
        (*left, left_place), (*right, right_place) = arguments[:half], arguments[half:]
        values: Values = dict(zip(block.arguments, [*left, *right], strict=True))
        for op in list(block.operations)[:-1]:
            copy_op(op, values)
        combined = [values.get(value, value) for value in terminator(self.extreme.reduced.region).operands]
        pair = (left[self.number], right[self.number])
        is_left, is_right = (arith.cmpf(arith.CmpFPredicate.UEQ, each, combined[self.number]) for each in pair)
        of_both = arith.select(is_right, arith.minsi(left_place, right_place), left_place)
        return [*combined, arith.select(is_left, of_both, right_place)]


def _compared(places: Loop) -> ir.Value | None:
    """The value that a loop compares its elements with, to choose between the index of an equal one
    and something else.
    """
    chosen = places.lifted()[0]
    if isinstance(chosen, ir.BlockArgument) or chosen.owner.operation.name != "arith.select":
        return None
    condition = chosen.owner.operands[0]
    if isinstance(condition, ir.BlockArgument) or condition.owner.operation.name != "arith.cmpf":
        return None
    compared = list(condition.owner.operands)
    if condition.owner.attributes["predicate"].value != arith.CmpFPredicate.UEQ or places.elements[0] not in compared:
        return None
    return next((value for value in compared if value != places.elements[0]), None)
