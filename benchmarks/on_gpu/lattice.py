"""The lattice of the flow: where its 19 populations go, and their shares at rest."""

from __future__ import annotations

# Opposite directions follow each other.
DIRECTIONS = (
    *((0, 0, 0), (1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0, 0, 1), (0, 0, -1)),
    *((1, 1, 0), (-1, -1, 0), (1, -1, 0), (-1, 1, 0), (1, 0, 1), (-1, 0, -1)),
    *((1, 0, -1), (-1, 0, 1), (0, 1, 1), (0, -1, -1), (0, 1, -1), (0, -1, 1)),
)
SHARES = (1 / 3, *(1 / 18,) * 6, *(1 / 36,) * 12)
OPPOSITES = tuple(DIRECTIONS.index(tuple(-part for part in direction)) for direction in DIRECTIONS)


def sources(shape: tuple[int, ...]) -> list[tuple[slice, ...]]:
    """For each population, where it comes from to the inner cells."""
    return [
        tuple(slice(1 - part, size - 1 - part) for part, size in zip(direction, shape, strict=True))
        for direction in DIRECTIONS
    ]
