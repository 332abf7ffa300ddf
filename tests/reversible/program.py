"""A generated program: text, parameters, sizes of axes, and what is checked."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from reversible.generator.cells import Parameter


@dataclass(frozen=True)
class Program:
    """Everything that a run depends on; the text defines `generated` with these parameters."""

    family: ClassVar[str] = "procedures"
    seed: int
    text: str
    parameters: tuple[Parameter, ...]
    sizes: tuple[tuple[str, int], ...]
    checks: tuple[str, ...]

    def checked(self, *checks: str) -> Program:
        return replace(self, checks=checks)
