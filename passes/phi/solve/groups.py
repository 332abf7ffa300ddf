"""Which carried values depend on which: groups that need each other, in an order in which they can be solved."""

from __future__ import annotations

from collections.abc import Sequence

from tapeless.passes.phi.graph.contents import symbols
from tapeless.passes.phi.graph.nodes import Node


def dependences(carried: Sequence[Node], following: Sequence[Node]) -> list[set[int]]:
    """For each carried value those that its next value is made of, directly or not, itself included where it is."""
    places = {each: place for place, each in enumerate(carried)}
    direct = [{places[each] for each in symbols([node]) if each in places} for node in following]
    changed = True
    while changed:
        changed = False
        for place, needed in enumerate(direct):
            more = set(needed).union(*(direct[each] for each in needed))
            if more != needed:
                direct[place], changed = more, True
    return direct


def groups(needs: Sequence[set[int]]) -> list[list[int]]:
    """Values that need each other, those that others need first."""
    found: list[list[int]] = []
    left = set(range(len(needs)))
    while left:
        first = min(left, key=lambda place: (len(needs[place] - {place}), place))
        group = sorted({first} | {each for each in needs[first] if first in needs[each]})
        found.append(group)
        left -= set(group)
    return found
