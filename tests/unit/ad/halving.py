"""Reductions, scans and histograms by halves, as large ones run: operators meet combined values on both sides.

From left to right, the right operand would always be an element of the input, and a derivative that is only right for
elements would pass.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from core_interpreter import Environment, Interpreter, _check_width, groups
from tapeless._mlir import ir

Row = Sequence[Any]
Combine = Callable[[Row, Row], Row]


def total(combine: Combine, rows: list[Row]) -> Row:
    """All rows combined, halves first."""
    if len(rows) == 1:
        return rows[0]
    middle = len(rows) // 2
    return combine(total(combine, rows[:middle]), total(combine, rows[middle:]))


def prefixes(combine: Combine, rows: list[Row]) -> list[Row]:
    """The inclusive scan: that of the left half, then that of the right half after the left one's total."""
    if len(rows) <= 1:
        return rows
    middle = len(rows) // 2
    left = prefixes(combine, rows[:middle])
    return left + [combine(left[-1], row) for row in prefixes(combine, rows[middle:])]


def reduce(run: Interpreter, op: ir.Operation, operands: list[Any], values: Environment) -> list[Any]:
    """The neutral element stands on both ends."""
    [width], inputs, neutral = groups(op, operands)
    _check_width(op, width, inputs)
    return list(total(_operator(run, op, values), [neutral, *zip(*inputs, strict=True), neutral]))


def scan(run: Interpreter, op: ir.Operation, operands: list[Any], values: Environment) -> list[Any]:
    """A scan from the right is that of the rows in the other order, the operator's sides exchanged."""
    [width], inputs, neutral = groups(op, operands)
    _check_width(op, width, inputs)
    exclusive, reverse = (ir.BoolAttr(op.attributes[name]).value for name in ("exclusive", "reverse"))
    combine, rows = _operator(run, op, values), list(zip(*inputs, strict=True))
    made = prefixes(lambda left, right: combine(right, left), rows[::-1]) if reverse else prefixes(combine, rows)
    made = [neutral, *made][:width] if exclusive else made
    results = [array.copy() for array in inputs]
    for i, row in enumerate(made[::-1] if reverse else made):
        for result, value in zip(results, row, strict=True):
            result[i] = value
    return results


def hist(run: Interpreter, op: ir.Operation, operands: list[Any], values: Environment) -> list[Any]:
    """Each bin's values are combined with the neutral element and each other, then with the destination."""
    [width], [keys], dests, contributions, neutral = groups(op, operands)
    _check_width(op, width, [keys, *contributions])
    combine, rows = _operator(run, op, values), list(zip(*contributions, strict=True))
    results = [dest.copy() for dest in dests]
    for key in range(len(results[0])):
        chosen = [rows[i] for i in np.flatnonzero(keys == key)]
        if chosen:
            old = [result[key].copy() for result in results]
            for result, value in zip(results, combine(old, total(combine, [neutral, *chosen])), strict=True):
                result[key] = value
    return results


def _operator(run: Interpreter, op: ir.Operation, values: Environment) -> Combine:
    return lambda left, right: run.block(op.regions[0].blocks[0], [*left, *right], values)


STRUCTURED = {"soac.reduce": reduce, "soac.scan": scan, "soac.hist": hist}
