"""The stores of the interior nest of a step: for each, the part of an array whose middle it fills."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.recipes.borders.boxes import Box, BoxNest, cover
from tapeless.passes.recipes.borders.index_terms import Along, Place, Term
from tapeless.passes.recipes.borders.recipes import Recipe


class Unsuitable(Exception):
    """A nest that cannot be part of another launch."""


@dataclass(frozen=True)
class Layer:
    """Elements that the nest of a number gives a value."""

    nest: int
    box: Box
    recipe: Recipe


@dataclass(eq=False)
class Slot:
    """The part of an array that has fixed indices in all axes but those of the loops."""

    store: ir.Operation
    place: Place
    axes: tuple[int, ...]
    layers: list[Layer] = field(default_factory=list)

    @property
    def array(self) -> ir.Value:
        return self.store.operands[1]

    @property
    def sizes(self) -> tuple[int, ...]:
        """How long the axes of the loops are."""
        return tuple(ir.MemRefType(self.array.type).shape[axis] for axis in self.axes)

    @property
    def offsets(self) -> tuple[int, ...]:
        """How far the element of an iteration is from the variables."""
        return tuple(self.place[axis].offset for axis in self.axes)

    @property
    def element(self) -> Place:
        """The element that a thread has."""
        return tuple(Term(Along(axis), 0) if axis in self.axes else term for axis, term in enumerate(self.place))

    def filled(self, box: Box) -> Box:
        """The elements that the iterations of a box store to."""
        pairs = zip(box, self.offsets, strict=True)
        return tuple(range(values.start + offset, values.stop + offset) for values, offset in pairs)

    def is_apart(self, place: Place, axes: tuple[int, ...] = ()) -> bool:
        """Whether no element of it has these indices, of which those in some axes may be anything."""
        return any(
            own.differs(theirs)
            for axis, (own, theirs) in enumerate(zip(self.place, place, strict=True))
            if axis not in self.axes and axis not in axes
        )

    def is_whole(self, inner: Box) -> bool:
        """Whether every element has a value."""
        return cover([inner, *(layer.box for layer in self.layers)], tuple(range(size) for size in self.sizes))

    def met_by(self, nest: BoxNest, place: Place) -> tuple[Box, dict[ir.Value, Term]] | None:
        """The elements that stores of another nest reach, and its variables at an element; or none."""
        box, variables = [], dict(nest.singles())
        for axis, (own, theirs) in enumerate(zip(self.place, place, strict=True)):
            values = nest.ranges.get(theirs.base) if isinstance(theirs.base, ir.Value) else None
            if values is not None:
                if theirs.base in variables:
                    raise Unsuitable
                reached = range(values.start + theirs.offset, values.stop + theirs.offset)
                if axis in self.axes:
                    box.append(reached)
                    variables[theirs.base] = Term(Along(axis), -theirs.offset)
                elif not own.is_number:
                    raise Unsuitable
                elif own.offset not in reached:
                    return None
                else:
                    variables[theirs.base] = own.shifted(-theirs.offset)
            elif axis in self.axes:
                if not theirs.is_number:
                    raise Unsuitable
                box.append(range(theirs.offset, theirs.offset + 1))
            elif own.base != theirs.base:
                raise Unsuitable
            elif own.offset != theirs.offset:
                return None
        if len(variables) != len(nest.ranges):
            raise Unsuitable
        return tuple(box[axis] for axis in self._order()), variables

    def _order(self) -> list[int]:
        """Of the axes of loops in the order of the array, those of the loops in the order of the loops."""
        return [sorted(self.axes).index(axis) for axis in self.axes]


def slots_of(nest: BoxNest) -> list[Slot] | None:
    """The parts of arrays that a nest stores to, if no two of them meet."""
    variables = {loop.regions[0].blocks[0].arguments[0]: number for number, loop in enumerate(nest.loops)}
    slots: list[Slot] = []
    for store in nest.stores:
        place, axes = nest.place_of(store), _axes(nest.place_of(store), variables)
        is_fixed = all(
            axis in axes.values() or not isinstance(term.base, ir.Value) or nest.is_outside(term.base)
            for axis, term in enumerate(place)
        )
        if len(axes) != len(variables) or not is_fixed or not nest.is_outside(store.operands[1]):
            return None
        slots.append(Slot(store, place, tuple(axes[number] for number in range(len(variables)))))
    if any(min(slot.sizes) < 1 for slot in slots):
        return None
    for number, slot in enumerate(slots):
        for other in slots[:number]:
            if slot.array == other.array and not slot.is_apart(other.place, other.axes):
                return None
    return slots


def _axes(place: Place, variables: Mapping[ir.Value, int]) -> dict[int, int]:
    """For the number of each loop, the axis in which it runs; loops that run in two axes are left out."""
    found: dict[int, int] = {}
    for axis, term in enumerate(place):
        if isinstance(term.base, ir.Value) and term.base in variables:
            number = variables[term.base]
            if number in found:
                return {}
            found[number] = axis
    return found
