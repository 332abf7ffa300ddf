"""A generated program: text, parameters, sets of sizes, and what is checked."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from fuzz.types import Type


@dataclass(frozen=True)
class Parameter:
    """A parameter of the program; `annotation` is empty where the call decides."""

    name: str
    type: Type
    annotation: str

    @property
    def text(self) -> str:
        return f"{self.name}: {self.annotation}" if self.annotation else self.name


@dataclass(frozen=True)
class Program:
    """Everything that a run depends on; the text defines `generated` with these parameters."""

    family: ClassVar[str] = "functions"
    seed: int
    text: str
    parameters: tuple[Parameter, ...]
    sets: int
    checks: tuple[str, ...]
    by_differences: bool = False
    has_stop: bool = False

    @property
    def is_single(self) -> bool:
        return any(parameter.type.dtype == "f32" for parameter in self.parameters)

    def checked(self, *checks: str) -> Program:
        return replace(self, checks=checks)
