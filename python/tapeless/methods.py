"""The methods of differentiation: which names there are, and where those that work are implemented."""

from __future__ import annotations

import difflib
from typing import Any

from tapeless.errors import ArgumentError

METHODS = ("redundant", "reversible", "coarsened", "auto")
IMPLEMENTED = {
    "redundant": "tapeless.passes.ad.redundant.method",
    "reversible": "tapeless.passes.ad.reversible.method",
}
DEFAULT = "redundant"


def check_method(method: Any) -> None:
    """Raises ArgumentError unless the method works."""
    if method in IMPLEMENTED:
        return
    if method in METHODS:
        raise ArgumentError(f"method {method!r} is not available yet; use method='{DEFAULT}'")
    near = difflib.get_close_matches(method, IMPLEMENTED, n=1, cutoff=0.5) if isinstance(method, str) else []
    hint = f"did you mean '{near[0]}'?" if near else f"use one of {', '.join(map(repr, IMPLEMENTED))}"
    raise ArgumentError(f"unknown method {method!r}; {hint}")
