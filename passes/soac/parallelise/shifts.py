"""Carried arrays to which iterations add at several places, each at its own distance from the number of the loop."""

from __future__ import annotations

from collections.abc import Sequence

from tapeless._mlir import arith, ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.dialects.array_types import DYNAMIC, array_type
from tapeless.dialects.regions import terminator
from tapeless.passes.ir.build import cast_to, elementwise, flags
from tapeless.passes.ir.rows import Size, slice_of, with_slice
from tapeless.passes.ir.scopes import is_defined_outside, is_used_once
from tapeless.passes.soac.parallelise.own_index import OwnIndex
from tapeless.passes.soac.parallelise.parts import folded
from tapeless.passes.soac.parallelise.slabs import Versions
from tapeless.passes.soac.parallelise.totals import may_be_reordered

# What adds to an element, with the operands that may be the element.
ADDING = {"arith.addf": (0, 1), "arith.subf": (0,)}


@dataclass(frozen=True)
class Step:
    """One addition of an iteration: the operations, and along which axis its element is how far from the loop's number.

    `others` are the places along all other axes.
    """

    read: ir.OpView
    addition: ir.OpView
    write: ir.OpView
    axis: int
    own: OwnIndex
    others: tuple[tuple[int, ir.Value], ...]
    is_taken_away: bool

    @property
    def addend(self) -> ir.Value:
        """What is added, or taken away."""
        left, right = self.addition.operands
        return right if left == self.read.results[0] else left

    @staticmethod
    def of(write: ir.OpView, loop: ir.OpView) -> Step | None:
        """The addition whose result an iteration writes; nothing where it does anything else."""
        if write.operation.name != "tensor.insert" or write.operation.block != loop.regions[0].blocks[0]:
            return None
        value, places = write.operands[0], list(write.operands)[2:]
        if isinstance(value, ir.BlockArgument) or not is_used_once(value):
            return None
        addition, found = value.owner.opview, _own_axis(places, loop)
        if found is None or addition.operation.name not in ADDING or not may_be_reordered(addition):
            return None
        axis, own = found
        others = tuple((each, place) for each, place in enumerate(places) if each != axis)
        for number in ADDING[addition.operation.name]:
            read = _read(addition.operands[number])
            if read is not None and list(read.operands)[1:] == places and read.operation.block == write.operation.block:
                return Step(read, addition, write, axis, own, others, addition.operation.name == "arith.subf")
        return None


@dataclass(frozen=True)
class Shifts:
    """A carried array and the additions of an iteration, in order; `terms` are the numbers of their addends.

    ```mlir
    %x = tensor.extract %a[%i]            %j = %i + 1                   %y of all iterations is an array %ys;
    %b = tensor.insert (%x - %y) into %a[%i]                     -->    %a[1 : n + 1] + %ys is written first,
    %z = tensor.extract %b[%j]                                          then %a[0 : n] - %ys
    %c = tensor.insert (%z + %y) into %b[%j]
    ```
    An element gets first what earlier iterations add, whose places are further from their numbers.
    """

    start: ir.Value
    steps: tuple[Step, ...]
    terms: tuple[int, ...]

    @staticmethod
    def of(loop: ir.OpView, number: int) -> Shifts | None:
        """The additions to a carried array, if iterations do nothing else with it and make two of them at least."""
        start = loop.operands[3 + number]
        if not isinstance(start.type, ir.RankedTensorType):
            return None
        versions = Versions(loop, number)
        if not isinstance(start.type.element_type, ir.F64Type | ir.F32Type) or not versions.are_all():
            return None
        writes = _chain(loop, number)
        steps = [step for write in writes if (step := Step.of(write, loop)) is not None]
        if len(steps) < max(2, len(writes)) or len(versions.accesses) != 2 * len(steps):
            return None
        is_one_axis = len({(step.axis, step.own.added, step.own.subtracted) for step in steps}) == 1
        if not is_one_axis or not _read_what_is_there(loop, number, steps):
            return None
        addends = list(dict.fromkeys(step.addend for step in steps))
        return Shifts(start, tuple(steps), tuple(addends.index(step.addend) for step in steps))

    def take_out(self, last: ir.OpView, place: int) -> list[ir.Value]:
        """Takes the additions out of an iteration; gives their addends, each once."""
        last.operation.operands[place] = self.start
        addends = dict(zip(self.terms, (step.addend for step in self.steps), strict=True))
        for step in reversed(self.steps):
            for op in (step.write, step.addition, step.read):
                op.operation.erase()
        return [addends[number] for number in sorted(addends)]

    def filled(self, low: ir.Value, width: ir.Value, terms: Sequence[ir.Value]) -> ir.Value:
        """The array with all that iterations have added, one addition after the other."""
        array = self.start
        for number in sorted(range(len(self.steps)), key=lambda number: -self.steps[number].own.constant):
            step = self.steps[number]
            offsets: list[Size] = [step.own.first(low)]
            sizes: list[Size] = [folded(width)]
            for axis, place in step.others:
                offsets.insert(axis, place)
                sizes.insert(axis, 1)
            strides: list[Size] = [1] * len(offsets)
            extent = size if isinstance(size := folded(width), int) else DYNAMIC
            part = slice_of(array, offsets, sizes, strides, array_type([extent], array.type.element_type))
            combine = arith.SubFOp if step.is_taken_away else arith.AddFOp
            new = elementwise(
                lambda a, b, combine=combine: combine(a, b, fastmath=flags()).result, part, terms[self.terms[number]]
            )
            array = with_slice(array, cast_to(part.type, new), offsets, sizes, strides)
        return array


def _read(element: ir.Value) -> ir.OpView | None:
    """The read of an element that nothing else uses."""
    is_read = not isinstance(element, ir.BlockArgument) and element.owner.operation.name == "tensor.extract"
    return element.owner.opview if is_read and is_used_once(element) else None


def _own_axis(places: Sequence[ir.Value], loop: ir.OpView) -> tuple[int, OwnIndex] | None:
    """The only axis along which a place moves with the number of the loop."""
    moving = [axis for axis, place in enumerate(places) if not is_defined_outside(place, loop.operation)]
    own = OwnIndex.of(places[moving[0]], loop) if len(moving) == 1 else None
    return None if own is None else (moving[0], own)


def _chain(loop: ir.OpView, number: int) -> list[ir.OpView]:
    """The writes of an iteration to a carried array, in order; none where a branch or loop makes it."""
    value, found = terminator(loop.regions[0]).operands[number], list[ir.OpView]()
    while not isinstance(value, ir.BlockArgument):
        if value.owner.operation.name != "tensor.insert":
            return []
        found.insert(0, value.owner.opview)
        value = value.owner.operands[1]
    return found


def _read_what_is_there(loop: ir.OpView, number: int, steps: Sequence[Step]) -> bool:
    """Whether every addition reads its element as the one before has left it.

    What a step reads may be an earlier version of the array if the writes after that one are to other elements.
    """
    versions = [loop.regions[0].blocks[0].arguments[1 + number], *(step.write.results[0] for step in steps)]
    for position, step in enumerate(steps):
        read = step.read.operands[0]
        if read not in versions[: position + 1]:
            return False
        between = steps[versions.index(read) : position]
        if any(each.own.constant == step.own.constant for each in between):
            return False
    return True
