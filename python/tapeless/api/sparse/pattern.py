"""Which entries of a matrix may differ from zero: index arrays of compressed rows, without scipy."""

from __future__ import annotations

from typing import Any

import numpy as np

from tapeless.computed_once import computed_once
from tapeless.dataclasses_on_use import dataclass
from tapeless.errors import ArgumentError

# Patterns with more entries than this have index arrays of 64 bits, as scipy has them.
MOST_SMALL = np.iinfo(np.int32).max


@dataclass(frozen=True, eq=False)
class Pattern:
    """Columns of the entries of each row, ascending: those of row i are `indices[indptr[i]:indptr[i + 1]]`."""

    shape: tuple[int, int]
    indptr: np.ndarray
    indices: np.ndarray

    @staticmethod
    def of_entries(rows: Any, columns: Any, shape: tuple[int, int]) -> Pattern:
        """The pattern with these entries; those that are named twice count once."""
        keys = np.sort(np.asarray(rows, np.int64) * max(shape[1], 1) + np.asarray(columns, np.int64))
        # Not np.unique, whose table of hashes has many collisions among such keys.
        is_first = np.concatenate((keys[:1] == keys[:1], keys[1:] != keys[:-1]))
        return Pattern._of_keys(keys[is_first], shape)

    @staticmethod
    def _of_keys(keys: np.ndarray, shape: tuple[int, int]) -> Pattern:
        width = np.int32 if max(len(keys), *shape) <= MOST_SMALL else np.int64
        rows, columns = np.divmod(keys, max(shape[1], 1))
        counts = np.bincount(rows, minlength=shape[0])
        indptr = np.concatenate(([0], np.cumsum(counts))).astype(width)
        return Pattern(shape, _fixed(indptr), _fixed(columns.astype(width)))

    @staticmethod
    def given(value: Any) -> Pattern:
        """The pattern that a user gives: the stored elements of a matrix of scipy, or the nonzeros of an array of two
        axes.
        """
        if hasattr(value, "tocoo"):
            stored = value.tocoo()
            return Pattern.of_entries(stored.row, stored.col, (int(stored.shape[0]), int(stored.shape[1])))
        array = np.asarray(value)
        if array.ndim != 2 or array.dtype.kind not in "biuf":
            raise ArgumentError(
                f"pattern={type(value).__name__} is no pattern; give a matrix of scipy, or an array with two axes that "
                "is not zero where derivatives may be"
            )
        rows, columns = np.nonzero(array)
        return Pattern.of_entries(rows, columns, (array.shape[0], array.shape[1]))

    @property
    def count(self) -> int:
        """How many entries there are."""
        return len(self.indices)

    @computed_once
    def rows(self) -> np.ndarray:
        """The row of each entry."""
        return np.repeat(np.arange(self.shape[0]), np.diff(self.indptr))

    @computed_once
    def degrees(self) -> np.ndarray:
        """How many entries each row has."""
        return np.diff(self.indptr)

    @property
    def widest(self) -> int:
        """How many entries the fullest row has."""
        return int(self.degrees.max(initial=0))

    @computed_once
    def _keys(self) -> np.ndarray:
        return self.rows * max(self.shape[1], 1) + self.indices

    @computed_once
    def transposed(self) -> Pattern:
        """The pattern with rows and columns exchanged."""
        return Pattern.of_entries(self.indices, self.rows, (self.shape[1], self.shape[0]))

    def joined(self, other: Pattern) -> Pattern:
        """The entries of either."""
        return Pattern._of_keys(np.union1d(self._keys, other._keys), self.shape)

    def without(self, other: Pattern) -> Pattern:
        """The entries that another pattern does not have."""
        return Pattern._of_keys(np.setdiff1d(self._keys, other._keys, assume_unique=True), self.shape)

    def in_rows(self, chosen: np.ndarray) -> Pattern:
        """The entries in rows that a mask chooses."""
        return Pattern._of_keys(self._keys[chosen[self.rows]], self.shape)


def _fixed(array: np.ndarray) -> np.ndarray:
    """An array that nobody changes: all matrices of one pattern share it."""
    array.flags.writeable = False
    return array
