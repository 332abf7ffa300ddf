"""One measured row, whatever benchmark it comes from."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

OURS = "tapeless"
METHODS = ("redundant", "reversible", "coarsened")


@dataclass(frozen=True)
class Place:
    """The place of a row: program, data and machine: rows at one place are compared.

    The machine is named where there are rows of several.
    """

    field: str
    program: str
    quantity: str
    dtype: str
    size: str
    target: str
    threads: int
    machine: str = ""

    @property
    def words(self) -> str:
        """In short, for people."""
        parts = (self.program, self.quantity, self.dtype, self.size)
        where = self.target if self.threads == 1 else f"{self.target}, {self.threads} threads"
        return ", ".join(each for each in (*parts, where, self.machine) if each)


@dataclass(frozen=True)
class Row:
    """A place, a contestant, and what was found; None where it was not measured.

    `denormals` is what the contestant did with them on a CPU; `when` says when it was measured, in files that keep rows
    of several runs.
    """

    program: str
    contestant: str
    field: str = ""
    quantity: str = "gradient"
    dtype: str = ""
    size: str = ""
    target: str = "cpu"
    threads: int = 1
    spelling: str | None = None
    method: str | None = None
    seconds: float | None = None
    compile_seconds: float | None = None
    peak_bytes: float | None = None
    code_bytes: float | None = None
    agrees: bool | None = None
    deviation: float | None = None
    excused: str | None = None
    refused: str | None = None
    denormals: str | None = None
    when: str = ""
    machine: str = ""

    @property
    def differs(self) -> bool:
        """Whether the result is not the reference's, and the program says no reason for it."""
        return self.agrees is False and not self.excused

    @property
    def place(self) -> Place:
        return Place(*(getattr(self, each.name) for each in fields(Place)))

    @property
    def is_ours(self) -> bool:
        return self.contestant == OURS

    @property
    def name(self) -> str:
        """The contestant, with spelling and method where it has them."""
        how = ", ".join(each for each in (self.spelling, self.method) if each)
        return f"{self.contestant} ({how})" if how else self.contestant

    @property
    def key(self) -> tuple[Any, ...]:
        """By which a row is found again in other files."""
        return self.place, self.contestant, self.spelling, self.method

    def as_json(self) -> dict[str, Any]:
        """The measured fields, without empty ones."""
        values = ((each.name, getattr(self, each.name), each.default) for each in fields(self))
        return {name: value for name, value, default in values if value != default and value is not None}


KNOWN = frozenset(each.name for each in fields(Row))
