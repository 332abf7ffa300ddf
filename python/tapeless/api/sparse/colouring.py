"""Colours for columns, such that one product with a sum of columns tells the entries of all of them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tapeless.api.sparse.pattern import Pattern

MOST_STEPS = 20_000_000
"""How many steps a search for a star colouring may take; larger patterns have their columns coloured."""


def column_colours(pattern: Pattern) -> np.ndarray:
    """A colour for each column: columns that share a row differ, by first fit in the order that needs fewer."""
    height, width = pattern.shape
    if pattern.widest == width:
        return np.arange(width)
    by_column = pattern.transposed
    found = _first_fit(by_column, range(width), height)
    if number_of(found) > pattern.widest:
        largest_first = np.argsort(-by_column.degrees, kind="stable")
        other = _first_fit(by_column, largest_first.tolist(), height)
        found = other if number_of(other) < number_of(found) else found
    return found


def _first_fit(by_column: Pattern, order: Sequence[int], height: int) -> np.ndarray:
    """Each column in turn gets the first colour that none of its rows has: bits say which colours a row has."""
    starts, rows = by_column.indptr.tolist(), by_column.indices.tolist()
    taken = [0] * height
    colours = np.zeros(by_column.shape[0], np.int64)
    for column in order:
        mine = rows[starts[column] : starts[column + 1]]
        used = 0
        for row in mine:
            used |= taken[row]
        free = ~used & (used + 1)
        colours[column] = free.bit_length() - 1
        for row in mine:
            taken[row] |= free
    return colours


def number_of(colours: np.ndarray) -> int:
    """How many colours there are."""
    return int(colours.max(initial=-1)) + 1


def star_colours(pattern: Pattern) -> np.ndarray | None:
    """A colour for each column of a symmetric pattern: neighbours differ, and every path of four has three colours.

    Then each entry is alone with its colour in its row, or is so as its mirror image. None where the search would take
    too long.
    """
    degrees = pattern.degrees.astype(np.float64)
    if float(np.sum(degrees[pattern.rows] * degrees[pattern.indices])) > MOST_STEPS:
        return None
    starts, flat = pattern.indptr.tolist(), pattern.indices.tolist()
    size = pattern.shape[0]
    around = [[k for k in flat[starts[v] : starts[v + 1]] if k != v] for v in range(size)]
    colours = [-1] * size
    for vertex in range(size):
        forbidden: set[int] = set()
        for near in around[vertex]:
            forbidden.add(colours[near])
            for far in around[near]:
                if colours[far] >= 0 and far != vertex and _closes(colours, around, near, far):
                    forbidden.add(colours[far])
        colours[vertex] = next(colour for colour in range(size) if colour not in forbidden)
    return np.array(colours, np.int64)


def _closes(colours: list[int], around: list[list[int]], near: int, far: int) -> bool:
    """Whether a path that goes on from `near` to `far` may come to have two colours once its first vertex has one."""
    return colours[near] < 0 or any(colours[beyond] == colours[near] and beyond != near for beyond in around[far])
