"""The family of reversible procedures: `make fuzz FAMILY=procedures`."""

from __future__ import annotations

from typing import Any

from fuzz.families import Family
from reversible.checks import first_fault, fit_subject
from reversible.generator.cells import Cell, Parameter
from reversible.generator.make import draft_program
from reversible.program import Program


def as_literal(program: Program) -> dict[str, Any]:
    """Everything but the text."""
    cells = [(each.cell, each.annotation) for each in program.parameters]
    return {
        "seed": program.seed,
        "parameters": [(c.name, c.dtype, c.shape, c.is_read_only, c.bound, text) for c, text in cells],
        "sizes": program.sizes,
        "checks": program.checks,
    }


def from_literal(text: str, fields: dict[str, Any]) -> Program:
    parameters = tuple(Parameter(Cell(*cell), annotation) for *cell, annotation in fields.pop("parameters"))
    return Program(text=text, parameters=parameters, **fields)


FAMILY = Family(draft_program, fit_subject, first_fault, as_literal, from_literal)
