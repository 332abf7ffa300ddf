"""Places in memory: a root and the steps from it to a part, and proofs that two places have no element in common.

Every step is injective, so two places that part ways at two disjoint selections of the same part are disjoint.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import replace
from math import gcd
from typing import TypeAlias

from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.lower.storage.plan_check.affine import Affine
from tapeless.passes.lower.storage.plan_check.bounds import is_not_negative
from tapeless.passes.lower.storage.plan_check.iterations import Rename


@dataclass(frozen=True)
class Range:
    """Some indices of one axis."""

    offset: Affine
    size: Affine
    stride: Affine


@dataclass(frozen=True)
class Selection:
    """The elements with indices in these ranges of the leading axes; the axes in `kept` stay axes."""

    ranges: tuple[Range, ...]
    kept: tuple[int, ...]


@dataclass(frozen=True)
class Rearrangement:
    """The same elements under other indices."""

    how: Hashable


Step: TypeAlias = Selection | Rearrangement
ONE = Affine(1)


@dataclass(frozen=True)
class Spot:
    """A part of a piece of memory."""

    memory: Hashable
    steps: tuple[Step, ...] = ()

    def then(self, step: Step) -> Spot:
        return replace(self, steps=(*self.steps, step))

    def at(self, *indices: Affine) -> Spot:
        """The element or row at these leading indices."""
        return self.then(Selection(tuple(Range(index, ONE, ONE) for index in indices), ()))

    def lies_in(self, other: Spot) -> bool:
        """Whether this is a part of another place, or that place itself."""
        return self.memory == other.memory and self.steps[: len(other.steps)] == other.steps


def are_disjoint(left: Spot, right: Spot, rename: Rename | None = None) -> bool:
    """Whether two places of the same memory share no element; the right one's integers are renamed first."""
    theirs = right.steps if rename is None else tuple(renamed(step, rename) for step in right.steps)
    return _part_ways(left.steps, theirs) or _part_ways(merged(left.steps), merged(theirs))


def _part_ways(left: Sequence[Step], right: Sequence[Step]) -> bool:
    """Whether the first steps that differ select other elements."""
    for mine, theirs in zip(left, right, strict=False):
        if mine != theirs:
            return _are_apart(mine, theirs)
    return False


def renamed(step: Step, rename: Rename) -> Step:
    if not isinstance(step, Selection):
        return step
    ranges = [Range(rename(each.offset), rename(each.size), rename(each.stride)) for each in step.ranges]
    return replace(step, ranges=tuple(ranges))


def merged(steps: Sequence[Step]) -> list[Step]:
    """The same place with selections of selections made into one, where those that come first have no gaps."""
    made: list[Step] = []
    for step in steps:
        first = made[-1] if made else None
        if isinstance(first, Selection) and isinstance(step, Selection) and _has_no_gaps(first):
            made[-1] = _selection_of(first, step)
        else:
            made.append(step)
    return made


def _has_no_gaps(part: Selection) -> bool:
    return all(part.ranges[axis].stride == ONE for axis in part.kept)


def _selection_of(first: Selection, second: Selection) -> Selection:
    """What the second selects of the first, selected at once."""
    behind = range(len(first.ranges), len(first.ranges) + max(0, len(second.ranges) - len(first.kept)))
    axes = [*first.kept, *behind]
    ranges: list[Range] = [*first.ranges, *second.ranges[len(first.kept) :]]
    for axis, part in zip(first.kept, second.ranges, strict=False):
        ranges[axis] = replace(part, offset=part.offset.plus(first.ranges[axis].offset))
    untouched = first.kept[len(second.ranges) :]
    return Selection(tuple(ranges), (*(axes[axis] for axis in second.kept), *untouched))


def _are_apart(left: Step, right: Step) -> bool:
    if not isinstance(left, Selection) or not isinstance(right, Selection):
        return False
    return any(_share_nothing(a, b) for a, b in zip(left.ranges, right.ranges, strict=False))


def _share_nothing(left: Range, right: Range) -> bool:
    return _ends_before(left, right) or _ends_before(right, left) or _interleave(left, right)


def _ends_before(first: Range, second: Range) -> bool:
    """Whether the last index of a range is less than the first of another."""
    last = _last(first)
    return last is not None and is_not_negative(second.offset.plus(last, -1).moved(-1))


def _last(part: Range) -> Affine | None:
    if part.size == ONE:
        return part.offset
    if not part.stride.terms and part.stride.constant == 1:
        return part.offset.plus(part.size).moved(-1)
    if not part.stride.terms and not part.size.terms and part.stride.constant > 0:
        return part.offset.moved((part.size.constant - 1) * part.stride.constant)
    return None


def _interleave(left: Range, right: Range) -> bool:
    """Whether two ranges with fixed strides never meet, as even and odd indices do not."""
    steps = [Affine(0) if part.size == ONE else part.stride for part in (left, right)]
    distance = left.offset.plus(right.offset, -1)
    if any(step.terms for step in steps):
        return False
    step = gcd(*(abs(step.constant) for step in steps))
    if step == 0:
        return not distance.terms and distance.constant != 0
    return all(count % step == 0 for _, count in distance.terms) and distance.constant % step != 0
