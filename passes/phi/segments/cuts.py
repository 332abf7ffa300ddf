"""Where a long run is cut: pieces whose gains together are largest, by dynamic programming over cut points."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

# Cuts are considered after every so many operations, and pieces of up to so many such steps.
STEP = 16
LONGEST = 3

Piece = TypeVar("Piece")


def best_pieces(count: int, piece: Callable[[int, int], tuple[float, Piece]]) -> list[Piece]:
    """The pieces [start, end) of a run with the largest sum of gains; those without gain are left out."""
    cuts = _cuts(count)
    best: list[tuple[float, list[Piece]]] = [(0.0, [])]
    for end in range(1, len(cuts)):
        ways: list[tuple[float, list[Piece]]] = [best[end - 1]]
        for start in range(max(0, end - LONGEST), end):
            gain, found = piece(cuts[start], cuts[end])
            if gain > 0.0:
                ways.append((best[start][0] + gain, [*best[start][1], found]))
        best.append(max(ways, key=lambda way: way[0]))
    return best[-1][1]


def _cuts(count: int) -> Sequence[int]:
    if count <= STEP * LONGEST:
        return [0, count]
    return [*range(0, count - STEP // 2, STEP), count]
