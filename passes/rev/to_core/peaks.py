"""Peaks: the largest magnitude that a cell has had, by which a recovered value is judged.

A cell that is compared at some point holds its value and, beside it, its peak: a float that every write raises.
Rounding leaves a cell that was 1e17 on its way back to 0 with some units, and one that was 1 with 1e-17; what was
forgotten is as large as the peak. An array has one peak for all elements.

The last write before a comparison is what is compared, and raises nothing: so a peak is raised by a write only when the
next one comes, or when the value goes in or out of a region. What an ancilla in a loop is given and rid of costs next
to nothing.
"""

from __future__ import annotations

from collections.abc import Sequence

from tapeless._mlir import arith, ir
from tapeless._mlir import math as functions
from tapeless.dataclasses_on_use import dataclass
from tapeless.dialects import ad
from tapeless.dialects.rev.cells import base, is_cell, operations_in
from tapeless.passes.ir.build import dim, is_array, mapped, number, reduce_
from tapeless.passes.ir.constants import constant_of

FLOATS = (ir.F64Type, ir.F32Type)
PEAKS = "rev.peaks"
"""On declarations: the numbers of the parameters of a procedure whose peaks a function of it gives, too."""


@dataclass(frozen=True)
class Peaked:
    """A function to be made of a procedure, which gives the peaks of some parameters behind its other results."""

    procedure: str
    parameters: tuple[int, ...]

    @property
    def name(self) -> str:
        """The name of the function."""
        return f"{self.procedure}.peaks{'_'.join(map(str, self.parameters))}"


@dataclass(frozen=True)
class Peak:
    """Stands for the peak of a cell among all that a state holds."""

    cell: ir.Value


def has_peak(cell: ir.Value) -> bool:
    """Whether a cell is one of floats, which do not come back exactly."""
    return is_cell(cell.type) and isinstance(cell.type.element_type, FLOATS)


def zero_peak(cell: ir.Value) -> ir.Value:
    """The peak of a cell that nothing has been written to."""
    return number(cell.type.element_type, 0.0)


def emptied_into(region: ir.Region, cells: Sequence[ir.Value]) -> list[ir.Value]:
    """Those of some cells of floats that must be empty where entries of stacks are moved into them."""
    pops = [op for op in operations_in(region) if op.operation.name == "rev.pop"]
    targets = {base(op.cell) for op in pops}
    return [cell for cell in cells if cell in targets and has_peak(cell)]


def raised(peak: ir.Value, written: ir.Value, *, is_differentiated: bool) -> ir.Value:
    """A peak after a write; it has no derivative."""
    if is_differentiated:
        written = ad.StopGradientOp(written, written.type).result
    size = magnitude(written)
    if constant_of(peak) is not None:  # nothing raised it
        return size
    is_higher = arith.CmpFOp(arith.CmpFPredicate.OGT, size, peak).result
    return arith.SelectOp(is_higher, size, peak).result


def magnitude(value: ir.Value) -> ir.Value:
    """The largest magnitude of a float or of an array of them, in their own type."""
    if not is_array(value):
        return functions.AbsFOp(value).result
    return highest(mapped(dim(value, 0), [value], magnitude))


def highest(peaks: ir.Value) -> ir.Value:
    """The largest of an array of peaks; not a number if one of them is none."""
    zero = number(peaks.type.element_type, 0.0)
    return reduce_(dim(peaks, 0), [peaks], [zero], lambda a, b: [higher(a[0], b[0])])[0]


def higher(a: ir.Value, b: ir.Value) -> ir.Value:
    """The larger of two peaks."""
    return arith.MaximumFOp(a, b).result
