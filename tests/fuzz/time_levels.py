"""The family of functions that have a loop in which arrays trade names: `make fuzz FAMILY=levels`."""

from __future__ import annotations

from dataclasses import replace

from fuzz import functions
from fuzz.make import draft_program
from fuzz.program import Program
from fuzz.statements.levels import EVERYWHERE


def draft(seed: int, attempt: int) -> Program:
    return draft_program(seed, attempt, EVERYWHERE)


FAMILY = replace(functions.FAMILY, draft=draft)
