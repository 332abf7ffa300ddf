"""The family of ordinary functions."""

from __future__ import annotations

from typing import Any

from fuzz.checks import first_fault, fit_subject
from fuzz.families import Family
from fuzz.make import draft_program
from fuzz.program import Parameter, Program
from fuzz.types import Type


def as_literal(program: Program) -> dict[str, Any]:
    """Everything but the text."""
    parameters = [(p.name, p.type.dtype, p.type.sizes, p.type.bound, p.annotation) for p in program.parameters]
    return {
        "seed": program.seed,
        "parameters": parameters,
        "sets": program.sets,
        "checks": program.checks,
        "by_differences": program.by_differences,
        "has_stop": program.has_stop,
    }


def from_literal(text: str, fields: dict[str, Any]) -> Program:
    parameters = tuple(Parameter(n, Type(d, tuple(s), b), a) for n, d, s, b, a in fields.pop("parameters"))
    return Program(text=text, parameters=parameters, **fields)


FAMILY = Family(draft_program, fit_subject, first_fault, as_literal, from_literal)
