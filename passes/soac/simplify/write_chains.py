"""Chains of writes by position, with an index of where they write, so that few are compared with a place.

Along an axis on which a place has a few known indices, only writes that have one of them there, or that are not known
so exactly, can meet it. Only those that start at the same offset, or at another number, are known to lie within it.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import field
from heapq import merge
from itertools import groupby

from tapeless._mlir import ir
from tapeless.computed_once import computed_once
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.ir.places.places import Place, Range
from tapeless.passes.ir.sizes.expressions import Size

# Ranges of more indices are not in the index.
MOST_INDICES = 16


@dataclass(frozen=True)
class KnownWrite:
    """A write, the chain that it belongs to, and its position there."""

    op: ir.OpView
    chain: Chain
    position: int

    @computed_once
    def place(self) -> Place:
        """Where it writes, as a place in the array at the start: all arrays of a chain have the same sizes."""
        return self.place_of(self.op)

    def place_of(self, op: ir.OpView) -> Place:
        """The place of a read or a write of an array of the same chain."""
        place = Place.of(op)
        return Place(self.chain.start, place.ranges, place.kept)

    @property
    def before(self) -> ir.Value:
        """The array that is written into."""
        return self.op.operands[1]


@dataclass(eq=False)
class Chain:
    """Writes, each into the array of the one before it, from the array at the start on; nothing
    where one was left out.
    """

    start: ir.Value
    writes: list[KnownWrite | None] = field(default_factory=list)
    axes: list[_Axis] = field(default_factory=list)
    indexed: int = 0

    def append(self, op: ir.OpView) -> KnownWrite:
        """Takes note of the next write."""
        write = KnownWrite(op, self, len(self.writes))
        self.writes.append(write)
        return write

    def continued(self, position: int, most: int) -> Chain:
        """The chain to which a write behind a position belongs: another one if there is a write behind it already.

        That one begins with so many writes at most.
        """
        if position == len(self.writes) - 1:
            return self
        return Chain(self.start, self.writes[max(0, position + 1 - most) : position + 1])

    def meeting(self, place: Place, last: int, most: int) -> Iterator[tuple[int, KnownWrite]]:
        """Of so many writes, back from a position, those that may meet a place, each with its position."""
        self._index()
        return self._listed(_known(axis.meeting(part) for axis, part in self._along(place)), last, most)

    def within(self, place: Place, last: int, most: int) -> Iterator[tuple[int, KnownWrite]]:
        """Of so many writes, back from a position, those that may lie within a place, each with its position."""
        self._index()
        axes = enumerate(self._along(place))
        return self._listed([axis.within(part) for k, (axis, part) in axes if not place.is_whole_along(k)], last, most)

    def _along(self, place: Place) -> Iterator[tuple[_Axis, Range]]:
        return zip(self.axes, place.ranges, strict=True) if self.axes else iter(())

    def _listed(self, ways: list[list[list[int]]], last: int, most: int) -> Iterator[tuple[int, KnownWrite]]:
        """Writes with positions in any of some lists, latest first: in those of the shortest way, or all of them."""
        first = max(0, last + 1 - most)
        positions: Iterator[int] = iter(range(last, first - 1, -1))
        if ways:
            lists = min(ways, key=lambda lists: sum(map(len, lists)))
            merged = merge(*(_back(listed, last, first) for listed in lists), reverse=True)
            positions = (position for position, _ in groupby(merged))
        for position in positions:
            if (write := self.writes[position]) is not None:
                yield position, write

    def first(self) -> KnownWrite:
        """The first write."""
        return next(write for write in self.writes if write is not None)

    def between(self, first: int, last: int) -> list[KnownWrite]:
        """The writes from one position to another, latest first."""
        return [write for write in reversed(self.writes[first : last + 1]) if write is not None]

    def _index(self) -> None:
        for position in range(self.indexed, len(self.writes)):
            if (write := self.writes[position]) is not None:
                self.axes = self.axes or [_Axis() for _ in write.place.ranges]
                for axis, part in zip(self.axes, write.place.ranges, strict=True):
                    axis.enter(position, part)
        self.indexed = len(self.writes)


@dataclass
class _Axis:
    """The positions of writes by the indices they have on an axis, or as others if these are many or unknown; by their
    offsets, and of those whose offsets are numbers."""

    exact: dict[int, list[int]] = field(default_factory=dict)
    others: list[int] = field(default_factory=list)
    offsets: dict[Size, list[int]] = field(default_factory=dict)
    numbers: list[int] = field(default_factory=list)

    def enter(self, position: int, part: Range) -> None:
        """Takes note of a write."""
        indices = _indices(part)
        if indices is None:
            self.others.append(position)
        for index in indices or ():
            self.exact.setdefault(index, []).append(position)
        self.offsets.setdefault(part.offset_expression, []).append(position)
        if isinstance(part.offset, int):
            self.numbers.append(position)

    def meeting(self, part: Range) -> list[list[int]] | None:
        """Lists of positions, in order, that have all that can meet a range; nothing unless it is known and short."""
        indices = _indices(part)
        return None if indices is None else [self.others, *(self.exact[each] for each in indices if each in self.exact)]

    def within(self, part: Range) -> list[list[int]]:
        """Lists of positions, in order, that have all that is known to lie within a range."""
        same = self.offsets.get(part.offset_expression, [])
        if not isinstance(part.offset, int):
            return [same]
        indices = _indices(part)
        return [same, *([self.numbers] if indices is None else (self.exact.get(each, []) for each in indices))]


def _known(ways: Iterable[list[list[int]] | None]) -> list[list[list[int]]]:
    return [way for way in ways if way is not None]


def _indices(part: Range) -> range | None:
    """The indices from the first to the last of a range, when they are known and few."""
    end = part.known_end
    if end is None or not 0 < end - part.offset <= MOST_INDICES:
        return None
    return range(part.offset, end)


def _back(positions: list[int], last: int, first: int) -> Iterator[int]:
    """Positions from one back to another."""
    for number in range(bisect_right(positions, last) - 1, -1, -1):
        if positions[number] < first:
            return
        yield positions[number]
