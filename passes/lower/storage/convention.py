"""How a function that stays a function hands back its results."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

Place = Literal["value", "out", "allocated", "in place"]


@dataclass(frozen=True)
class Convention:
    """Per result: its place, and the argument whose sizes it has, or -1.

    A `value` is returned. An `out` is written into memory of its sizes that the caller hands over behind the arguments.
    What is `in place` is left in the memory of the argument, which the caller lets go.
    """

    places: tuple[Place, ...]
    arguments: tuple[int, ...]

    def in_place(self) -> Iterator[tuple[int, int]]:
        """The results that are left in the memory of arguments: the numbers of both."""
        return ((k, self.arguments[k]) for k, place in enumerate(self.places) if place == "in place")

    def outs(self) -> list[int]:
        """The results that the caller provides memory for."""
        return [k for k, place in enumerate(self.places) if place == "out"]

    def values(self) -> list[int]:
        """The results that are returned."""
        return [k for k, place in enumerate(self.places) if place == "value"]

    def without(self, result: int) -> Convention:
        """The same, with a result in memory of its own."""
        return replace(self, places=tuple("out" if k == result else place for k, place in enumerate(self.places)))
