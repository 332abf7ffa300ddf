"""Sums of products whose two factors are the same but for a weight: `s[i, j] = sum over n of w[n] * x[n, i] * x[n, j]`.

What is added for row j and column i is then what is added for row i and column j, its factors multiplied in another
order.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.lower.tiles.contraction import Contraction

# What is a multiple of a factor where all operands are, and where one is that the others are multiplied by.
SUMS = ("arith.addf", "arith.subf", "arith.negf")
PRODUCTS = ("arith.mulf", "arith.divf")


@dataclass(frozen=True)
class Symmetric:
    """A product of matrices whose factor of rows is a weight, the same for all rows, times the factor of columns.

    `common` is the factor of columns as it is for a row, from which that of rows is made.
    """

    contraction: Contraction
    common: ir.Value


def symmetric_of(contraction: Contraction) -> Symmetric | None:
    """The batches of symmetric products that a product of matrices is, if it is that; the weight is one of rows."""
    exchanged = replace(contraction, rows=contraction.columns, columns=contraction.rows)
    for each in (*_square(contraction), *_square(exchanged)):
        common = _common(each, each.rows.staged[0]) if each.batch else None
        if common is not None:
            return Symmetric(each, common)
    return None


def _square(contraction: Contraction) -> Iterator[Contraction]:
    """The same with one loop of rows, if there is one of columns; others that rows depend on are batches."""
    rows = contraction.rows
    if len(contraction.columns.loops) == 1:
        for loop in rows.loops:
            others = {*rows.loops} - {loop}
            batch = tuple(sorted({*contraction.batch} | others))
            yield replace(contraction, batch=batch, rows=replace(rows, loops=(loop,)))


def _common(contraction: Contraction, value: ir.Value) -> ir.Value | None:
    """The part of a value for rows that is the factor of columns, if the rest is a number that it is multiplied by."""
    if _is_same(contraction, value, contraction.columns.staged[0]):
        return value
    op = contraction.values.made_by.get(value)
    if op is None or op.name not in (*SUMS, *PRODUCTS):
        return None
    found = [_common(contraction, operand) for operand in op.operands]
    if op.name in SUMS:
        return found[0] if all(each == found[0] for each in found) else None
    of_rows = [bool(contraction.values.of_value(operand) & {*contraction.rows.loops}) for operand in op.operands]
    is_weighted = sum(of_rows) == 1 and (op.name == "arith.mulf" or of_rows[0])
    return found[of_rows.index(True)] if is_weighted else None


def _is_same(contraction: Contraction, of_row: ir.Value, of_column: ir.Value) -> bool:
    """Whether a value for rows is made as one for columns is, with the place of a row for that of a column."""
    row, column = (contraction.variable(side.loops[0]) for side in (contraction.rows, contraction.columns))
    if of_row == row or of_column == column:
        return of_row == row and of_column == column
    if of_row == of_column:
        return True
    made_by = contraction.values.made_by
    one, other = made_by.get(of_row), made_by.get(of_column)
    if one is None or other is None or one.name != other.name or len(one.operands) != len(other.operands):
        return False
    if dict(one.attributes.items()) != dict(other.attributes.items()) or len(one.results) != 1:
        return False
    return all(_is_same(contraction, *pair) for pair in zip(one.operands, other.operands, strict=True))
