"""How far results are from those of another library."""

from __future__ import annotations

from typing import Any

import numpy as np


def largest_difference(found: Any, expected: Any) -> float:
    """Relative to the largest number of each result; infinite for another shape, or NaN where the other has none."""
    ours, theirs = (each if isinstance(each, (tuple, list)) else (each,) for each in (found, expected))
    return max(
        (_difference(np.asarray(one, np.float64), np.asarray(other, np.float64)))
        for one, other in zip(ours, theirs, strict=True)
    )


def _difference(found: np.ndarray, expected: np.ndarray) -> float:
    """Never NaN, which would be lost in a maximum."""
    if found.shape != expected.shape or not np.array_equal(np.isnan(found), np.isnan(expected)):
        return float("inf")
    is_equal = (found == expected) | np.isnan(found)
    with np.errstate(invalid="ignore"):
        distance = np.where(is_equal, 0.0, np.abs(found - expected))
    scale = np.max(np.abs(expected), where=np.isfinite(expected), initial=0.0)
    return float(np.max(distance, initial=0.0) / max(scale, 1e-300))
