"""Kinds of random programs: how each is drafted, made ready, checked, and written down."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from importlib import import_module
from typing import Any

from fuzz.fault import Fault

MODULES = {"functions": "fuzz.functions", "levels": "fuzz.time_levels", "procedures": "reversible.family"}
"""Per family, the module whose `FAMILY` it is."""
METHODS = {"redundant": "vjp", "reversible": "reversible", "coarsened": "coarsened"}
"""Per method, the check of functions that differentiates by it."""
TARGETS = {"emulated": "emulated gpu", "cuda": "gpu"}
"""Per GPU that programs may run on, the check of functions that runs them there."""


@dataclass(frozen=True)
class Family:
    """Programs carry the name of their family; a subject is a program with its references."""

    draft: Callable[[int, int], Any]
    fit_subject: Callable[[Any], Any]
    first_fault: Callable[[Any], Fault | None]
    as_literal: Callable[[Any], dict[str, Any]]
    from_literal: Callable[[str, dict[str, Any]], Any]


def family(name: str) -> Family:
    """A family by name; `functions:reversible` are its programs, with their value and the check of that name."""
    plain, _, check = name.partition(":")
    found: Family = import_module(MODULES[plain]).FAMILY
    if not check:
        return found
    return replace(found, draft=lambda seed, attempt: found.draft(seed, attempt).checked("value", check))
