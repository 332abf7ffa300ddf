"""The axes along which programs are tested: every method that works, every target that works, and the oracle."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest

from tapeless import methods, targets

METHODS = tuple(methods.IMPLEMENTED)
# A pipeline without a target of its own in Python: what the others are compared with.
ORACLE = "cpu-sequential"
TARGETS = (targets.DEFAULT, ORACLE)


def first_of(cases: Iterable[Any], count: int) -> list[Any]:
    """Some cases, and the others if thorough."""
    return [
        pytest.param(case, marks=[] if number < count else [pytest.mark.thorough]) for number, case in enumerate(cases)
    ]


def methods_in_turn(names: Iterable[str], always: tuple[str, ...] = ()) -> list[Any]:
    """A name and a method each: with some methods always, with the others in turn, and with all if thorough."""
    others = [method for method in METHODS if method not in always]
    return [
        pytest.param(
            name,
            method,
            marks=[] if method in (*always, others[number % len(others)]) else [pytest.mark.thorough],
        )
        for number, name in enumerate(names)
        for method in METHODS
    ]
