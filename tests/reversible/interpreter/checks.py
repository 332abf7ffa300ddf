"""Whether a value came back: equal for integers, within a tolerance for floats."""

from __future__ import annotations

from typing import Any

import numpy as np

from reversible.interpreter.errors import CheckFailed, Unclear

TOLERANCE = 1e-8
CLEARLY_WITHIN = 1e-9
CLEARLY_BEYOND = 1e-6


def require_equal(found: Any, wanted: Any) -> None:
    """Both as arrays; differences near the tolerance leave the outcome open."""
    found, wanted = np.real(found), np.real(wanted)
    if np.shape(found) != np.shape(wanted):
        raise CheckFailed("another size")
    if np.asarray(found).dtype.kind != "f":
        if not np.array_equal(found, wanted):
            raise CheckFailed(f"{found} instead of {wanted}")
        return
    off = np.abs(found - wanted)
    if np.all(off <= CLEARLY_WITHIN):
        return
    if np.any(~(off <= CLEARLY_BEYOND * (1.0 + np.abs(found) + np.abs(wanted)))):
        raise CheckFailed(f"{found} instead of {wanted}")
    raise Unclear("a value is near its tolerance")


def require(holds: bool, what: str) -> None:
    if not holds:
        raise CheckFailed(what)
