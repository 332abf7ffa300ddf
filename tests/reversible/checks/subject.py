"""A program on its way through the checks."""

from __future__ import annotations

import copy
from functools import cached_property
from typing import Any

from fuzz import compare, compiled
from reversible.arguments import direction
from reversible.expected import Expected
from reversible.program import Program

Values = tuple[Any, ...]


class Subject:
    """A program, compiled once, with its references."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.expected = Expected(program)
        self.arguments = self.expected.arguments

    @cached_property
    def procedure(self) -> Any:
        return compiled.defined(self.program.text)["generated"]

    @cached_property
    def found(self) -> Values:
        """The final cells of the compiled procedure."""
        return tuple(self.procedure(*copy.deepcopy(self.arguments)))

    @cached_property
    def weights(self) -> Values:
        """Cotangents for the final cells."""
        return direction(self.program, "cotangent", self.arguments)

    def extended(self, text: str, name: str) -> Any:
        """A function that is defined after the program."""
        return compiled.defined(self.program.text + text)[name]

    def difference(self, found: Values, wanted: Values, tolerance: float) -> str:
        """How results differ: in any bit, if the program rounds alike everywhere."""
        if self.expected.is_exact:
            return compare.different_bits(found, wanted)
        return compare.difference(found, wanted, tolerance)
