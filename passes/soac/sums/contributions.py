"""The addends of an accumulator: the updates that it passes on its way through nested maps."""

from __future__ import annotations

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.ir.regions.slots import argument_for
from tapeless.passes.ir.scopes import is_defined_outside
from tapeless.passes.ir.sizes.sizes import constant_int
from tapeless.passes.soac.sums.turned_places import Turn


@dataclass(frozen=True)
class Contribution:
    """One `soac.update` and the maps around it that lie within the accumulation, outer ones first."""

    update: ir.OpView
    loops: list[ir.OpView]

    @property
    def places(self) -> list[ir.Value]:
        """The indices of the update, one per leading axis of the accumulator."""
        return list(self.update.operands)[1:-1]

    @property
    def value(self) -> ir.Value:
        """The addend: a scalar, or an array for the axes without an index."""
        return self.update.operands[len(self.update.operands) - 1]

    def indexed_by(self, place: ir.Value) -> ir.OpView | None:
        """The map whose own index a place is."""
        return next((loop for loop in self.loops if index_of(loop) == place), None)

    def reached_by(self, place: ir.Value) -> ir.OpView | None:
        """The map whose own index a place is, moved around the axis perhaps: each iteration comes to another place."""
        turn = Turn.of(place)
        loop = None if turn is None else self.indexed_by(turn.index)
        if loop is None or turn is None or not turn.fits(loop.operands[0]):
            return None
        by = turn.by
        is_fixed = isinstance(by, int) or all(is_defined_outside(by, each.operation) for each in self.loops)
        return loop if is_fixed else None

    def loops_of_places(self) -> dict[int, ir.OpView] | None:
        """By axis, the maps that come to the places by their own indices, each another one; constants have none.

        Nothing if other places are among them, or only constants.
        """
        loops = {axis: self.reached_by(place) for axis, place in enumerate(self.places) if constant_int(place) is None}
        found = {axis: loop for axis, loop in loops.items() if loop is not None}
        are_different = len({index_of(loop) for loop in found.values()}) == len(found)
        return found if len(found) == len(loops) and are_different and (found or not self.places) else None

    @property
    def constants(self) -> dict[int, int]:
        """The places that are constants, by axis."""
        known = {axis: constant_int(place) for axis, place in enumerate(self.places)}
        return {axis: place for axis, place in known.items() if place is not None}

    def is_beside(self, other: Contribution) -> bool:
        """Whether another update of the same iterations differs in the constants of its place alone."""
        return (
            self.update.operation.block == other.update.operation.block
            and len(self.places) == len(other.places)
            and self.constants.keys() == other.constants.keys()
            and self.constants != other.constants
            and all(
                left == right
                for axis, (left, right) in enumerate(zip(self.places, other.places, strict=True))
                if axis not in self.constants
            )
        )


def index_of(loop: ir.OpView) -> ir.Value:
    """The index that a map gives its body."""
    return loop.regions[0].blocks[0].arguments[0]


def contributions_to(accumulation: ir.OpView, number: int) -> list[Contribution] | None:
    """All that is added to one accumulator; nothing when it goes through branches or sequential loops."""
    value: ir.Value = accumulation.regions[0].blocks[0].arguments[number]
    found: list[Contribution] = []
    while True:
        uses = list(value.uses)
        if len(uses) != 1:
            return None
        user, position = uses[0].owner, uses[0].operand_number
        if user.operation.name == "soac.update":
            found.append(Contribution(user, _maps_around(user, accumulation)))
            value = user.results[0]
        elif user.operation.name == "soac.map":
            value = argument_for(user, position)
        elif user.operation.name == "soac.yield":
            holder = user.operation.parent
            if holder.operation == accumulation.operation:
                return found
            value = holder.opview.results[position]
        else:
            return None


def _maps_around(update: ir.OpView, accumulation: ir.OpView) -> list[ir.OpView]:
    """The maps between an update and its accumulation; the other operations between are accumulations."""
    found: list[ir.OpView] = []
    holder = update.operation.parent
    while holder.operation != accumulation.operation:
        if holder.operation.name == "soac.map":
            found.insert(0, holder.opview)
        holder = holder.operation.parent
    return found
