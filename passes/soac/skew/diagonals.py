"""Where the cells of a table lie when each antidiagonal is a row."""

from __future__ import annotations

from tapeless._mlir import arith, ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.ir.build import index


def plus(value: ir.Value, constant: int) -> ir.Value:
    """A number and a constant."""
    return arith.addi(value, index(constant)) if constant else value


@dataclass(frozen=True)
class Diagonals:
    """The cells of a nest of `rows` x `columns`, and those before them that it reads: `above` rows, `left` columns.

    The cell (i, j) of the nest is one of the diagonal i + j + above + left. A diagonal begins at the smallest i that
    is on it, so that its row is no longer than the shorter side of the table.
    """

    rows: ir.Value
    columns: ir.Value
    above: int
    left: int

    def inner(self) -> Diagonals:
        """The cells of the nest alone."""
        return Diagonals(self.rows, self.columns, 0, 0)

    def count(self) -> ir.Value:
        """The number of diagonals."""
        total = plus(arith.addi(self.rows, self.columns), self.above + self.left - 1)
        sides = arith.minsi(self.rows, self.columns)
        is_empty = arith.cmpi(arith.CmpIPredicate.sle, sides, index(0))
        return arith.select(is_empty, index(0), total)

    def width(self) -> ir.Value:
        """The length of the longest diagonal."""
        return arith.maxsi(arith.minsi(plus(self.rows, self.above), plus(self.columns, self.left)), index(0))

    def first(self, diagonal: ir.Value) -> ir.Value:
        """The smallest i, counted from the first row above, on a diagonal."""
        return arith.maxsi(arith.subi(diagonal, plus(self.columns, self.left - 1)), index(0))

    def at(self, i: ir.Value, j: ir.Value) -> tuple[ir.Value, ir.Value]:
        """Diagonal and position of a cell."""
        diagonal = plus(arith.addi(i, j), self.above + self.left)
        return diagonal, arith.subi(plus(i, self.above), self.first(diagonal))
