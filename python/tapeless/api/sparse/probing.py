"""Finds the pattern of a derivative at a point: a direction that is NaN leaves NaN in all that depends on it.

NaN times zero is NaN, so that entries which happen to be zero at the point are found, too; what is left out are
elements that the program does not read on the way it takes there. Columns are probed in blocks. Blocks that meet no
common row are probed together, and what is hit is divided further, so that the number of products grows with the
number of entries in a row and with the logarithm of the number of columns.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from tapeless.api.sparse.colouring import column_colours, number_of
from tapeless.api.sparse.pattern import Pattern
from tapeless.api.sparse.plan import MOST_AT_ONCE
from tapeless.dataclasses_on_use import dataclass
from tapeless.errors import ArgumentError

Products = Callable[[np.ndarray], np.ndarray]
"""The products of a matrix with vectors, the rows of the argument, as rows of the result."""

FIRST = 64
"""Into how many blocks the columns are divided first, at most."""
PARTS = 4
"""Into how many parts a block is divided."""


@dataclass(frozen=True)
class Probe:
    """A matrix that is known by its products, of a dtype; `rows` gives those from the left, if these may be used."""

    shape: tuple[int, int]
    dtype: np.dtype
    products: Products
    rows: Products | None = None

    def pattern(self) -> Pattern:
        """The entries that depend on something."""
        height, width = self.shape
        self._check_finite()
        size = 1
        while width > FIRST * size:
            size *= PARTS
        seeds = np.arange(width) // size
        blocks = _hit(self.products, seeds, -(-width // size), height, self.dtype)
        full = self._full_rows(blocks) if size > 1 else np.zeros(height, bool)
        blocks = blocks.in_rows(~full)
        while size > 1:
            blocks = self._divided(blocks, size)
            size //= PARTS
        return blocks.joined(self._in_rows(np.flatnonzero(full))) if full.any() else blocks

    def _check_finite(self) -> None:
        """A derivative that is infinite or NaN makes NaN of zeros, which would look like dependence everywhere."""
        if 0 not in self.shape and np.isnan(self.products(np.zeros((1, self.shape[1]), self.dtype))).any():
            raise ArgumentError(
                "the pattern cannot be found at these arguments, where derivatives are infinite or NaN; call it first "
                "with arguments that have finite derivatives, or give a pattern"
            )

    def _divided(self, blocks: Pattern, size: int) -> Pattern:
        """Which rows the parts of blocks meet, where it is known which the blocks of so many columns meet.

        Blocks of one colour meet no common row, so that a row that is hit tells which block it was.
        """
        height, width = self.shape
        part = size // PARTS
        colours = column_colours(blocks)
        count = number_of(colours)
        columns = np.arange(width)
        seeds = colours[columns // size] * PARTS + columns // part % PARTS
        found = _hit(self.products, seeds, count * PARTS, height, self.dtype)
        colour, which = np.divmod(found.indices.astype(np.int64), PARTS)
        known = blocks.rows * count + colours[blocks.indices]
        order = np.argsort(known)
        place = np.searchsorted(known, found.rows * count + colour, sorter=order)
        is_kept = place < len(known)
        is_kept[is_kept] = known[order[place[is_kept]]] == (found.rows * count + colour)[is_kept]
        block = blocks.indices[order[place[is_kept]]].astype(np.int64)
        return Pattern.of_entries(found.rows[is_kept], block * PARTS + which[is_kept], (height, -(-width // part)))

    def _full_rows(self, blocks: Pattern) -> np.ndarray:
        """The rows to probe by themselves: those that meet most blocks, if they are few compared with the columns."""
        full = blocks.degrees > blocks.shape[1] // 2
        is_worth_it = self.rows is not None and PARTS * np.count_nonzero(full) < self.shape[1]
        return full if is_worth_it else np.zeros_like(full)

    def _in_rows(self, rows: np.ndarray) -> Pattern:
        """The entries of some rows, each probed by itself."""
        assert self.rows is not None
        seeds = np.full(self.shape[0], len(rows))
        seeds[rows] = np.arange(len(rows))
        found = _hit(self.rows, seeds, len(rows), self.shape[1], self.dtype)
        return Pattern.of_entries(rows[found.indices], found.rows, self.shape)


def _hit(products: Products, seeds: np.ndarray, count: int, height: int, dtype: np.dtype) -> Pattern:
    """Which rows meet each of several sets of columns; `seeds` says in which set a column is."""
    rows, sets = [np.empty(0, np.int64)], [np.empty(0, np.int64)]
    most = max(1, MOST_AT_ONCE // max(1, height, len(seeds)))
    for first in range(0, count if len(seeds) and height else 0, most):
        matrix = np.zeros((min(most, count - first), len(seeds)), dtype)
        mine = (seeds >= first) & (seeds < first + len(matrix))
        matrix[seeds[mine] - first, np.flatnonzero(mine)] = np.nan
        which, met = np.nonzero(np.isnan(products(matrix)))
        rows.append(met)
        sets.append(which + first)
    return Pattern.of_entries(np.concatenate(rows), np.concatenate(sets), (height, count))
