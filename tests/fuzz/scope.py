"""The variables that have a value at a place of a program."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from fuzz.sizes import Size
from fuzz.types import Type


@dataclass(frozen=True)
class Variable:
    """A name with its type; loop variables and what lambdas are given are never written."""

    name: str
    type: Type
    is_writable: bool = True


@dataclass
class Scope:
    """Variables in the order in which they got their values."""

    variables: list[Variable] = field(default_factory=list)

    def inner(self, *added: Variable) -> Scope:
        """The scope of a block or a lambda."""
        return Scope([*self.variables, *added])

    def like(self, wanted: Callable[[Variable], bool]) -> list[Variable]:
        return [variable for variable in self.variables if wanted(variable)]

    def of_type(self, wanted: Type) -> list[Variable]:
        return self.like(lambda variable: wanted.fits(variable.type))

    def writable(self, wanted: Callable[[Type], bool]) -> list[Variable]:
        return self.like(lambda variable: variable.is_writable and wanted(variable.type))

    def sizes(self) -> list[Size]:
        """Every size that an axis has, as often as it occurs."""
        return [size for variable in self.variables for size in variable.type.sizes]

    def size_text(self, wanted: Size) -> list[str]:
        """Ways to write a size."""
        places = [
            (variable, axis)
            for variable in self.variables
            for axis, size in enumerate(variable.type.sizes)
            if size == wanted
        ]
        shapes = [f"{variable.name}.shape[{axis}]" for variable, axis in places]
        return shapes + [f"len({variable.name})" for variable, axis in places if axis == 0]
