"""A program on its way through the checks."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from fuzz import compiled
from fuzz.arguments import direction
from fuzz.expected import Expected
from fuzz.program import Program
from fuzz.reference.run import as_tuple

Values = tuple[Any, ...]


class Subject:
    """A program, compiled once, with its references."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.expected = Expected(program)
        self.arguments = self.expected.arguments(0)

    @cached_property
    def function(self) -> Any:
        return compiled.defined(self.program.text)["generated"]

    @cached_property
    def weights(self) -> Values:
        """Cotangents for the results, in their types."""
        return direction(self.program, "cotangent", self.found)

    @cached_property
    def found(self) -> Values:
        return as_tuple(self.function(*self.arguments))

    def extended(self, text: str, name: str) -> Any:
        """A function that is defined after the program."""
        return compiled.defined(self.program.text + text)[name]
