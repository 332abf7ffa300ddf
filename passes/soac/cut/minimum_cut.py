"""The cheapest vertices of a graph without which no path leads from the sources to the sinks."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Mapping, Sequence
from dataclasses import field
from itertools import pairwise

from tapeless.dataclasses_on_use import dataclass

SOURCE, SINK = -1, -2
Place = tuple[int, bool]
"""A vertex, where paths enter it (False) or leave it (True)."""


def minimum_cut(
    edges: Mapping[int, Collection[int]],
    capacities: Mapping[int, int | None],
    sources: Sequence[int],
    sinks: Sequence[int],
) -> list[int] | None:
    """The vertices of a minimum cut, of all such cuts the one nearest to the sinks; nothing if there is none.

    A vertex without capacity cannot be cut. By augmenting paths, shortest ones first.
    """
    network = _Network()
    for vertex, capacity in capacities.items():
        network.join((vertex, False), (vertex, True), capacity)
    for vertex, followers in edges.items():
        for follower in followers:
            network.join((vertex, True), (follower, False), None)
    for vertex in sources:
        network.join((SOURCE, True), (vertex, False), None)
    for vertex in sinks:
        network.join((vertex, True), (SINK, False), None)
    while (path := network.path((SOURCE, True), (SINK, False))) is not None:
        if not network.fill(path):
            return None
    open_places = network.reaching((SINK, False))
    return [v for v in capacities if (v, True) in open_places and (v, False) not in open_places]


@dataclass
class _Network:
    """The residual capacities of edges; an edge without an entry has no limit."""

    room: dict[Place, dict[Place, int | None]] = field(default_factory=dict)

    def join(self, start: Place, end: Place, room: int | None) -> None:
        self.room.setdefault(start, {})[end] = room
        self.room.setdefault(end, {}).setdefault(start, 0)

    def path(self, start: Place, end: Place) -> list[Place] | None:
        """A shortest path along which something more may flow."""
        before = {start: start}
        pending = deque([start])
        while pending and end not in before:
            place = pending.popleft()
            for other, room in self.room.get(place, {}).items():
                if room != 0 and other not in before:
                    before[other] = place
                    pending.append(other)
        if end not in before:
            return None
        path = [end]
        while path[-1] != start:
            path.append(before[path[-1]])
        return path[::-1]

    def fill(self, path: Sequence[Place]) -> bool:
        """Augments the flow along a path by its residual capacity; whether that is limited."""
        steps = list(pairwise(path))
        limits = [room for a, b in steps if (room := self.room[a][b]) is not None]
        if not limits:
            return False
        amount = min(limits)
        for a, b in steps:
            self.room[a][b] = _more(self.room[a][b], -amount)
            self.room[b][a] = _more(self.room[b][a], amount)
        return True

    def reaching(self, end: Place) -> set[Place]:
        """The places from which something more may flow to this one."""
        found = {end}
        pending = [end]
        while pending:
            place = pending.pop()
            for other in self.room.get(place, {}):
                if self.room[other][place] != 0 and other not in found:
                    found.add(other)
                    pending.append(other)
        return found


def _more(room: int | None, amount: int) -> int | None:
    return None if room is None else room + amount
