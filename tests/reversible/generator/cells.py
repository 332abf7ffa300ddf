"""Cells of generated procedures: element type, named axes, and what may be done with them."""

from __future__ import annotations

from dataclasses import dataclass

Shape = tuple[str, ...]


@dataclass(frozen=True)
class Cell:
    """A parameter or an ancilla; integers with a bound are `0 <= value < bound` and never change."""

    name: str
    dtype: str
    shape: Shape = ()
    is_read_only: bool = False
    bound: int | None = None

    @property
    def is_float(self) -> bool:
        return self.dtype == "f64"

    def fits(self, other: Cell) -> bool:
        """Whether a call may give the other cell for this parameter."""
        return (self.dtype, self.shape) == (other.dtype, other.shape)


@dataclass(frozen=True)
class Parameter:
    """A cell of a procedure's head with its annotation, which may be missing."""

    cell: Cell
    annotation: str

    @property
    def name(self) -> str:
        return self.cell.name

    @property
    def type(self) -> Cell:
        """What shrinking asks: whether it is a float."""
        return self.cell

    @property
    def text(self) -> str:
        return f"{self.name}: {self.annotation}" if self.annotation else self.name


@dataclass(frozen=True)
class Temporary:
    """A named pure expression of floats; `reads` are the cells that it must not outlive."""

    name: str
    shape: Shape
    reads: frozenset[str]


@dataclass(frozen=True)
class Counter:
    """A loop variable and the values it takes."""

    name: str
    smallest: int
    largest: int


@dataclass(frozen=True)
class Procedure:
    """A procedure that others may call."""

    name: str
    parameters: tuple[Parameter, ...]
