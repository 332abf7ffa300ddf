"""Kinds of random programs: how each is drafted, made ready, checked, and written down."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from fuzz.fault import Fault

MODULES = {"functions": "fuzz.functions", "procedures": "reversible.family"}
"""Per family, the module whose `FAMILY` it is."""


@dataclass(frozen=True)
class Family:
    """Programs carry the name of their family; a subject is a program with its references."""

    draft: Callable[[int, int], Any]
    fit_subject: Callable[[Any], Any]
    first_fault: Callable[[Any], Fault | None]
    as_literal: Callable[[Any], dict[str, Any]]
    from_literal: Callable[[str, dict[str, Any]], Any]


def family(name: str) -> Family:
    found: Family = import_module(MODULES[name]).FAMILY
    return found
