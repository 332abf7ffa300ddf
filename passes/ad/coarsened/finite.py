"""Whether numbers are finite: the guards of derivatives as a whole."""

from __future__ import annotations

from collections.abc import Sequence

from tapeless._mlir import arith, ir
from tapeless.passes.ir.build import elementwise, is_array, number, sum_all
from tapeless.passes.ir.guards import guard


def are_finite(values: Sequence[ir.Value], exact: str) -> ir.Value:
    """The guard of numbers and of all elements of arrays; `exact` names the way that is taken where it fails."""
    return guard([_looked_at(value) for value in values], exact)


def _looked_at(value: ir.Value) -> ir.Value:
    """A number that is finite only if a value is: for an array, the sum of zero times its elements."""
    return sum_all(elementwise(_nothing, value)) if is_array(value) else value


def _nothing(element: ir.Value) -> ir.Value:
    return arith.MulFOp(element, number(element.type, 0.0)).result
