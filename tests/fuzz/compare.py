"""Whether results agree, within what roundings may do."""

from __future__ import annotations

from typing import Any

import numpy as np

Values = tuple[Any, ...]


def scale(value: Any) -> float:
    finite = np.abs(np.asarray(value, np.float64))
    return max(1.0, float(np.max(finite))) if finite.size else 1.0


def distance(found: Any, wanted: Any) -> float:
    """The largest difference relative to the largest element; infinite for what is no number."""
    a, b = np.asarray(found, np.float64), np.asarray(wanted, np.float64)
    if not a.size:
        return 0.0
    worst = float(np.max(np.abs(a - b))) / scale(b)
    return worst if np.isfinite(worst) else float("inf")


def largest(found: Values, wanted: Values) -> float:
    return max((distance(a, b) for a, b in zip(found, wanted, strict=True)), default=0.0)


def difference(found: Values, wanted: Values, tolerance: float) -> str:
    """Says how results differ; empty if they agree. Shapes, kinds of numbers, integers and bools must be equal.

    What stands before a semicolon is the same for all differences of one kind.
    """
    if len(found) != len(wanted):
        return f"number of results differs; {len(found)} instead of {len(wanted)}"
    for place, (a, b) in enumerate(zip(map(np.asarray, found), map(np.asarray, wanted), strict=True)):
        if a.shape != b.shape:
            return f"shape differs; result {place} has {a.shape} instead of {b.shape}"
        if a.dtype.kind != b.dtype.kind:
            return f"type differs; result {place} has {a.dtype} instead of {b.dtype}"
        if a.dtype.kind != "f" and not np.array_equal(a, b):
            return f"differs; result {place} has other integers"
        if a.dtype.kind == "f" and distance(a, b) > tolerance:
            return f"differs; result {place} is off by {distance(a, b):.2g}"
    return ""


def different_bits(found: Values, wanted: Values) -> str:
    for place, (a, b) in enumerate(zip(map(np.asarray, found), map(np.asarray, wanted), strict=True)):
        if a.shape != b.shape or a.tobytes() != b.tobytes():
            return f"bits differ; those of result {place}"
    return ""


def inner_product(left: Values, right: Values) -> float:
    """Over all floats."""
    pairs = zip(map(np.asarray, left), map(np.asarray, right), strict=True)
    return float(sum(np.sum(a.astype(np.float64) * b.astype(np.float64)) for a, b in pairs if a.dtype.kind == "f"))


def weight_product(left: Values, right: Values) -> float:
    """What an inner product is relative to: the sum of the sizes of its terms."""
    pairs = zip(map(np.asarray, left), map(np.asarray, right), strict=True)
    return 1.0 + float(sum(np.sum(np.abs(a.astype(np.float64) * b)) for a, b in pairs if a.dtype.kind == "f"))
