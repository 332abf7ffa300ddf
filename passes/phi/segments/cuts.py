"""Where a long run is cut: where few values are alive, into pieces as large as allowed, halved where that gains."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import accumulate
from typing import Generic, TypeVar

from tapeless._mlir import ir
from tapeless.passes.ir.scopes import outer_values

# The largest piece, and the smallest half.
LONGEST = 48
SHORTEST = 12
# A piece that saves this share of what it costs is not looked into: what its halves could save more is little.
ENOUGH = 0.2

Found = TypeVar("Found")
# What a piece [start, end) gains, what share that is of its cost, and what it is.
Look = Callable[[int, int], tuple[float, float, Found]]


def widths(ops: Sequence[ir.OpView]) -> list[int]:
    """How many values of a run are alive before each of its operations, and at its end."""
    made = {result: place for place, op in enumerate(ops) for result in op.operation.results}
    last: dict[ir.Value, int] = {}
    for place, op in enumerate(ops):
        last.update((value, place) for value in outer_values(op) if value in made)
    changes = [0] * (len(ops) + 2)
    for value, end in last.items():
        changes[made[value] + 1] += 1
        changes[end + 1] -= 1
    return list(accumulate(changes[:-1]))


def best_pieces(width: Sequence[int], look: Look[Found]) -> list[Found]:
    """The pieces of a run that gain, in order; `width` says how many values are alive at each place."""
    return [found for start, end in _parts(width) for found in _Halving(width, look).best(start, end)[1]]


def _parts(width: Sequence[int]) -> Iterable[tuple[int, int]]:
    start, count = 0, len(width) - 1
    while count - start > LONGEST:
        end = _narrowest(width, start + LONGEST // 2, min(start + LONGEST, count - SHORTEST))
        yield start, end
        start = end
    yield start, count


class _Halving(Generic[Found]):
    def __init__(self, width: Sequence[int], look: Look[Found]):
        self._width = width
        self._look = look

    def best(self, start: int, end: int) -> tuple[float, list[Found]]:
        """The largest gain of a piece or of its parts, and the pieces that have it."""
        gain, share, found = self._look(start, end)
        whole = (gain, [found] if gain > 0.0 else [])
        if share >= ENOUGH or end - start < 2 * SHORTEST:
            return whole
        middle = _narrowest(self._width, start + SHORTEST, end - SHORTEST)
        (first, left), (second, right) = self.best(start, middle), self.best(middle, end)
        return whole if gain >= first + second else (first + second, left + right)


def _narrowest(width: Sequence[int], low: int, high: int) -> int:
    """The place from `low` to `high` with the fewest values alive, the one closest to the middle."""
    return min(range(low, high + 1), key=lambda place: (width[place], abs(2 * place - low - high)))
