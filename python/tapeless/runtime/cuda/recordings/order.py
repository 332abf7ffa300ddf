"""Which launches of a recording have to wait for which others: those that meet in memory that one of them writes."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field
from typing import Any, Final, TypeAlias

from tapeless.dataclasses_on_use import dataclass

# Longer recordings are started in line, which the driver does in the same time however long they are.
MOST_ORDERED: Final = 4096
# Launches that wait for several others start later: that pays if so many need not be waited for one after the other.
FEWEST_ASIDE: Final = 8

TOUCHED: Final = ("reads", "writes")
Waits: TypeAlias = list[list[int]]
"""For each launch the earlier ones that it waits for, by their numbers."""


@dataclass(frozen=True)
class Touched:
    """Addresses in the memory that something queued reads, and in the memory that it writes."""

    reads: Sequence[int]
    writes: Sequence[int]


def touched_by(kernel: Mapping[str, Any], arguments: Sequence[Any]) -> Touched:
    """The memory of a launch; where a plan does not tell, everything that it has the address of."""
    addresses = [number for number, word in enumerate(kernel["parameters"]) if word == "ptr"]
    read, written = (kernel.get(what, addresses) for what in TOUCHED)
    return Touched([arguments[number] for number in read], [arguments[number] for number in written])


class Regions:
    """Stretches of memory by their numbers; those that overlap are one."""

    def __init__(self, stretches: Iterable[tuple[int, int]]) -> None:
        """`stretches`: addresses and sizes in bytes."""
        self._starts: list[int] = []
        self._ends: list[int] = []
        for start, size in sorted(stretches):
            if self._ends and start < self._ends[-1]:
                self._ends[-1] = max(self._ends[-1], start + size)
            elif size:
                self._starts.append(start)
                self._ends.append(start + size)

    def at(self, address: int) -> int | None:
        """The number of the stretch that an address lies in."""
        number = bisect_right(self._starts, address) - 1
        return number if number >= 0 and address < self._ends[number] else None


@dataclass
class _Users:
    """Who wrote a stretch of memory last, and who has read it since."""

    writer: int | None = None
    readers: list[int] = field(default_factory=list)


def waits(queued: Sequence[Touched], regions: Regions) -> Waits | None:
    """The dependences between launches, without transitive ones; nothing if all may as well be in sequence."""
    if len(queued) > MOST_ORDERED:
        return None
    users: dict[int, _Users] = {}
    found: Waits = []
    before: list[int] = []  # all that a launch comes after, as bits
    depths: list[int] = []
    for number, touched in enumerate(queued):
        needed = set(_needed(number, touched, regions, users))
        known, direct = 0, []
        for other in sorted(needed, reverse=True):
            if not known >> other & 1:
                direct.append(other)
                known |= before[other] | 1 << other
        found.append(direct[::-1])
        before.append(known)
        depths.append(1 + max((depths[other] for other in direct), default=0))
    return found if len(queued) - max(depths, default=0) >= FEWEST_ASIDE else None


def _needed(number: int, touched: Touched, regions: Regions, users: dict[int, _Users]) -> Iterable[int]:
    """The dependences of a launch; those after it will find it among the users of memory."""
    places = {regions.at(address) for address in touched.writes}
    written = {place for place in places if place is not None}
    read = {place for address in touched.reads if (place := regions.at(address)) is not None} - written
    if None in places:  # Memory that nobody knows may be any.
        yield from range(number)
        users.clear()
        users[EVERYWHERE] = _Users(number)
        return
    if EVERYWHERE in users:
        yield users[EVERYWHERE].writer or 0
    for region in written:
        here = users.get(region, NOBODY)
        yield from here.readers
        if here.writer is not None:
            yield here.writer
        users[region] = _Users(number)
    for region in read:
        here = users.setdefault(region, _Users())
        here.readers.append(number)
        if here.writer is not None:
            yield here.writer


EVERYWHERE: Final = -1
NOBODY: Final = _Users()
