"""The smallest or largest element and its first place found in one loop, so that no thread keeps all elements."""

from __future__ import annotations

from dataclasses import dataclass

from tapeless._mlir import arith, ir
from tapeless.dialects import soac
from tapeless.dialects.array_types import row_type
from tapeless.dialects.regions import terminator
from tapeless.dialects.soac.builders import fill
from tapeless.passes.ir import build
from tapeless.passes.ir.copies import Values, copy_op
from tapeless.passes.ir.loops import Loop
from tapeless.passes.ir.rebuild import replace_op
from tapeless.passes.ir.search import ops_named
from tapeless.passes.ir.sizes.shapes import same_width
from tapeless.passes.soac.spread.weights import OPERATORS

EXTREMES = frozenset({"arith.minimumf", "arith.maximumf"})


def join_places(root: ir.OpView) -> bool:
    """Rewrites pairs of loops inside other operators below `root`; says whether there were any.

    ```mlir
    %m, %row = fused: smallest of v, all v            %m, %i = fused: smallest of v with its first place
    %i = fused: first place in %row that is %m
    ```
    """
    found = [each for op in ops_named(root, "soac.fused") if (each := Search.of(op)) is not None]
    for each in found:
        each.join()
    return bool(found)


@dataclass(frozen=True)
class Search:
    """A loop that looks for the first element equal to what another one found to be the extreme of them."""

    extreme: Loop
    places: Loop

    @staticmethod
    def of(op: ir.OpView) -> Search | None:
        places = Loop.seen_as(op)
        if op.operation.parent.name not in OPERATORS or len(places.inputs) != 1 or len(op.results) != 1:
            return None
        row = places.inputs[0]
        if isinstance(row, ir.BlockArgument) or row.owner.operation.name != "soac.fused":
            return None
        extreme = Loop.seen_as(row.owner)
        if row.owner.operation.block != op.operation.block or not same_width(extreme.width, places.width):
            return None
        search = Search(extreme, places)
        return search if search._finds_extreme(row) and search._finds_first() else None

    def _finds_extreme(self, row: ir.Value) -> bool:
        """Whether the first loop reduces just the elements of the row by their minimum or maximum."""
        extreme = self.extreme
        if len(extreme.reduced.neutral) != 1 or extreme.scanned.neutral or row not in extreme.mapped:
            return False
        lifted = extreme.lifted()
        names = [op.operation.name for op in extreme.reduced.block.operations]
        return lifted[0] == lifted[1 + extreme.mapped.index(row)] and len(names) == 2 and names[0] in EXTREMES

    def _finds_first(self) -> bool:
        """Whether the second loop takes the smallest index at which the element is no other than the extreme."""
        reduced = self.places.reduced
        names = [op.operation.name for op in reduced.block.operations] if reduced.neutral else []
        if names != ["arith.minsi", "soac.yield"] or not same_width(reduced.neutral[0], self.places.width):
            return False
        chosen = self.places.lifted()[0]
        if isinstance(chosen, ir.BlockArgument) or chosen.owner.operation.name != "arith.select":
            return False
        condition, index, width = chosen.owner.operands
        if index != self.places.body.arguments[0] or not same_width(width, self.places.width):
            return False
        if isinstance(condition, ir.BlockArgument) or condition.owner.operation.name != "arith.cmpf":
            return False
        predicate = condition.owner.attributes["predicate"].value
        compared = list(condition.owner.operands)
        wanted = [self.places.elements[0], self.extreme.reduced.results[0]]
        return predicate == arith.CmpFPredicate.UEQ and compared in (wanted, wanted[::-1])

    def join(self) -> None:
        """Replaces both loops by one; where the extreme is not a number, all places are equal, and so the first is."""
        old = self.extreme
        with old.op.location, ir.InsertionPoint(old.op):
            neutral = [old.reduced.neutral[0], old.width]
            types = [value.type for value in neutral]
            made = soac.FusedOp(old.width, old.inputs, neutral, [], [*types, *(array.type for array in old.mapped)])
            fill(made.lift, [ir.IndexType.get(), *(row_type(array.type) for array in old.inputs)], self._lift)
            fill(made.reduce, [*types, *types], self._combine)
            value, place, *mapped = made.operation.results
            is_number = arith.cmpf(arith.CmpFPredicate.ORD, value, value)
            first = arith.select(is_number, place, build.index(0))
        replace_op(self.places.op, [first])
        replace_op(old.op, [value, *mapped])

    def _lift(self, *arguments: ir.Value) -> list[ir.Value]:
        values: Values = dict(zip(self.extreme.body.arguments, arguments, strict=True))
        for op in list(self.extreme.body.operations)[:-1]:
            copy_op(op, values)
        element, *mapped = [values.get(value, value) for value in self.extreme.lifted()]
        return [element, arguments[0], *mapped]

    def _combine(self, left: ir.Value, left_place: ir.Value, right: ir.Value, right_place: ir.Value) -> list[ir.Value]:
        block = self.extreme.reduced.block
        values: Values = dict(zip(block.arguments, [left, right], strict=True))
        for op in list(block.operations)[:-1]:
            copy_op(op, values)
        best = values[terminator(self.extreme.reduced.region).operands[0]]
        is_left, is_right = (arith.cmpf(arith.CmpFPredicate.UEQ, each, best) for each in (left, right))
        of_both = arith.select(is_right, arith.minsi(left_place, right_place), left_place)
        return [best, arith.select(is_left, of_both, right_place)]
