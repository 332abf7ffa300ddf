"""A plan for arguments of known shapes: seeds made once, entries read from products, and a check of the result."""

from __future__ import annotations

from typing import Any

import numpy as np

from tapeless.api.sparse.layout import Layout
from tapeless.api.sparse.plan import FORWARD, Part, Plan
from tapeless.api.sparse.products import Point

# Which part of a number may be lost in rounding: the square root of its precision.
TOLERANCES = {np.dtype(np.float64): 2.0**-26, np.dtype(np.float32): 2.0**-11}
# A difference that no rounding explains where no entry is missing.
DISAGREEMENT = 1e-3


class Prepared:
    """The plan shared by calls of one layout; with `checks`, one more product tells whether entries lack."""

    def __init__(self, plan: Plan, point: Point, checks: bool) -> None:
        self.plan = plan
        self.rows: Layout = point.rows
        mode = plan.checked_mode
        size = point.shape[1] if mode == FORWARD else point.shape[0]
        self._vector = _random_vector(size) if checks else None
        floats = [part for part in (*point.columns.parts, *point.rows.parts) if part.is_float]
        self.tolerance = max(TOLERANCES[part.dtype] for part in floats)
        self._batches = [(part, list(self._seeds(part, point))) for part in plan.parts]

    def _seeds(self, part: Part, point: Point) -> Any:
        check = self._vector if part is self._checked else None
        for rows in part.seeds(point.columns.dtype, check):
            yield point.spread(part.mode, rows), len(rows)

    @property
    def _checked(self) -> Part:
        """The part whose last product is that with the vector of the check."""
        return next(part for part in self.plan.parts if part.mode == self.plan.checked_mode)

    def entries(self, point: Point) -> tuple[np.ndarray, np.ndarray | None]:
        """The entries in the order of the pattern, and the product with the vector of the check."""
        pattern = self.plan.pattern
        dtype = np.result_type(self.rows.dtype, point.columns.dtype)
        data, expected = np.empty(pattern.count, dtype), None
        for part, batches in self._batches:
            found = [point.products(part.mode, seeds, count) for seeds, count in batches]
            if part is self._checked and self._vector is not None:
                expected = found[-1][-1]
            if part.count:
                products = found[0] if len(found) == 1 else np.concatenate(found)
                taken = np.take(products.reshape(-1), part.places)
                if part.entries is None:
                    data = taken.astype(dtype, copy=False)
                else:
                    data[part.entries] = taken
        return data, expected

    def difference(self, matrix: Any, expected: np.ndarray) -> np.ndarray:
        """How far the matrix is from the product at each place of that, in units of the rounding error."""
        assert self._vector is not None
        seen = matrix if self.plan.checked_mode == FORWARD else matrix.T
        with np.errstate(all="ignore"):
            away = np.abs(seen @ self._vector - expected)
            is_suspect = ~(away <= self.tolerance * np.abs(expected)) & np.isfinite(expected)
            units = np.zeros(len(expected))
            if is_suspect.any():
                scale = self.tolerance * (abs(seen) @ np.abs(self._vector))
                units[is_suspect] = np.where(away > scale, away / np.maximum(scale, 1e-300), 0.0)[is_suspect]
            # An entry that lacks may be infinite or NaN; one that does not makes the same of the product.
            units[~np.isfinite(expected) & np.isfinite(seen @ self._vector)] = np.inf
        return units


def _random_vector(size: int) -> np.ndarray:
    """Numbers between 0.5 and 1.5 in size, of either sign, that are exact in every dtype: no entry is lost."""
    random = np.random.default_rng(20)
    return (random.uniform(0.5, 1.5, size) * random.choice((-1.0, 1.0), size)).astype(np.float32)
