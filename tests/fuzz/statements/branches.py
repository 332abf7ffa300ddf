"""Branches, and leaving loops early."""

from __future__ import annotations

from fuzz.draft import Draft
from fuzz.expressions.integers import condition
from fuzz.statements import write
from fuzz.types import BOOL


def branch(d: Draft) -> None:
    d.add(f"if {condition(d, BOOL, 2)}:")
    with d.block():
        write.block(d, 2)
    if d.chance(0.7):
        d.add("else:")
        with d.block():
            write.block(d, 2)


def leave(d: Draft) -> None:
    """`if c: break` or `if c: continue`."""
    d.add(f"if {condition(d, BOOL, 2)}:")
    d.add(f"    {d.pick(('break', 'continue'))}")
