"""Statements that change cells in place: `rev.accum`, `rev.scale`, `rev.swap`, `rev.neg`, and rotations."""

from collections.abc import Sequence
from typing import Any

from tapeless._mlir import ext, ir
from tapeless.dialects.rev.accesses import reads_of, share_elements
from tapeless.dialects.rev.bodies import check_attribute_problems, pure_problems
from tapeless.dialects.rev.cells import (
    cell_problems,
    float_cell_problems,
    index_problems,
    is_fixed,
    same_shape,
    value_type,
)
from tapeless.dialects.rev.dialect import Operation
from tapeless.dialects.verification import Problems

FLOAT_OR_INT = (ir.F64Type, ir.F32Type, ir.IntegerType, ir.IndexType)
ACCUMULATIONS: dict[str, tuple[type[ir.Type], ...]] = {
    "add": FLOAT_OR_INT,
    "sub": FLOAT_OR_INT,
    "xor": (ir.IntegerType, ir.IndexType),
}
"""Per operation, the classes of element types it has an exact inverse on."""


class AccumOp(Operation, name="accum"):
    """Adds a pure value to a cell (or subtracts, xors).

    ```mlir
    "rev.accum"(%ys, %i) ({
      %a = memref.load %xs[%i] : memref<?xf64>
      %b = arith.mulf %a, %a : f64
      "rev.yield"(%b) : (f64) -> ()
    }) {kind = "add"} : (memref<?xf64>, index) -> ()
    ```
    The target is the cell at the indices: an element, or with fewer indices a trailing slice or the whole cell, and the
    region yields a scalar or a tensor accordingly. It must not read the target; other elements of the same array are
    allowed and checked at run time. Inverses: add and sub, xor with itself. What is added to a
    fixed-point number, `memref<si64>`, is an `f64`, rounded to the nearest multiple of 2**-43.
    """

    target: ext.Operand[Any]
    indices: Sequence[ext.Operand[ir.IndexType]]
    kind: ir.StringAttr
    value: ext.Region

    def written_cells(self) -> Sequence[ir.Value]:
        return [self.target]

    def problems(self) -> Problems:
        target = self.target.type
        yield from cell_problems("target", target)
        yield from index_problems(target, self.indices)
        yield from _kind_problems(self)
        yield from pure_problems("value", self.value, [value_type(target, len(self.indices))], "what is accumulated")
        yield from _self_read_problems(self)
        yield from check_attribute_problems(self)


def _kind_problems(op: AccumOp) -> Problems:
    kind, element = op.kind.value, op.target.type.element_type
    if kind not in ACCUMULATIONS:
        yield f"has the unknown kind {kind!r}; use one of {', '.join(ACCUMULATIONS)}"
    if not isinstance(element, ACCUMULATIONS[kind]) or (kind == "xor" and is_fixed(element)):
        yield f"cannot {kind} in place on {element}; use a type on which {kind} has an inverse"


def _self_read_problems(op: AccumOp) -> Problems:
    for access in reads_of(op.value, [(op.target, op.indices)]):
        yield f"reads its target by {access.op.operation.name}; accumulate from other cells only"


class ScaleOp(Operation, name="scale"):
    """Multiplies a cell by a non-zero constant, or divides by it.

    ```mlir
    "rev.scale"(%y) {factor = 2.000000e+00 : f64, divide = false} : (memref<f64>) -> ()
    ```
    The inverse flips `divide`; values come back up to rounding.
    """

    cell: ext.Operand[Any]
    factor: Any
    divide: ir.IntegerAttr

    def written_cells(self) -> Sequence[ir.Value]:
        return [self.cell]

    def problems(self) -> Problems:
        yield from float_cell_problems("cell", self.cell.type)
        if not isinstance(self.factor, ir.FloatAttr) or self.factor.value == 0.0:
            yield f"has factor = {self.factor}; give a float constant other than 0"


class StretchOp(Operation, name="stretch"):
    """Multiplies a cell by a pure value other than 0, elementwise, or divides by it.

    ```mlir
    "rev.stretch"(%y) ({
      "rev.yield"(%c) : (f64) -> ()
    }) {divide = false} : (memref<f64>) -> ()
    ```
    Adjoints of nonlinear statements need it. The inverse flips `divide`; values come back up to rounding.
    """

    cell: ext.Operand[Any]
    divide: ir.IntegerAttr
    factor: ext.Region

    def written_cells(self) -> Sequence[ir.Value]:
        return [self.cell]

    def problems(self) -> Problems:
        yield from float_cell_problems("cell", self.cell.type)
        yield from pure_problems("factor", self.factor, [value_type(self.cell.type)], "the factor")
        for _ in reads_of(self.factor, [(self.cell, ())]):
            yield "reads the cell in its factor; compute the factor from other cells"


class SwapOp(Operation, name="swap"):
    """Exchanges two cells; its own inverse.

    ```mlir
    "rev.swap"(%x, %y) : (memref<f64>, memref<f64>) -> ()
    ```
    """

    a: ext.Operand[Any]
    b: ext.Operand[Any]

    def written_cells(self) -> Sequence[ir.Value]:
        return [self.a, self.b]

    def problems(self) -> Problems:
        yield from cell_problems("a", self.a.type)
        yield from _pair_problems(self)


class NegOp(Operation, name="neg"):
    """Negates a cell; its own inverse.

    ```mlir
    "rev.neg"(%y) : (memref<f64>) -> ()
    ```
    """

    cell: ext.Operand[Any]

    def written_cells(self) -> Sequence[ir.Value]:
        return [self.cell]

    def problems(self) -> Problems:
        yield from cell_problems("cell", self.cell.type)


class RecipOp(Operation, name="recip"):
    """Replaces a cell by its reciprocal; its own inverse up to rounding.

    ```mlir
    "rev.recip"(%y) : (memref<f64>) -> ()
    ```
    """

    cell: ext.Operand[Any]

    def written_cells(self) -> Sequence[ir.Value]:
        return [self.cell]

    def problems(self) -> Problems:
        yield from float_cell_problems("cell", self.cell.type)


class HadamardOp(Operation, name="hadamard"):
    """Maps two cells to ((a + b) / sqrt 2, (a - b) / sqrt 2); its own inverse up to rounding.

    ```mlir
    "rev.hadamard"(%x, %y) : (memref<f64>, memref<f64>) -> ()
    ```
    """

    a: ext.Operand[Any]
    b: ext.Operand[Any]

    def written_cells(self) -> Sequence[ir.Value]:
        return [self.a, self.b]

    def problems(self) -> Problems:
        yield from float_cell_problems("a", self.a.type)
        yield from _pair_problems(self)


class RotOp(Operation, name="rot"):
    """Rotates two cells by a pure angle t: (a cos t - b sin t, a sin t + b cos t); `inv` rotates by -t.

    ```mlir
    "rev.rot"(%x, %y) ({
      "rev.yield"(%c) : (f64) -> ()
    }) {inv = false} : (memref<f64>, memref<f64>) -> ()
    ```
    """

    a: ext.Operand[Any]
    b: ext.Operand[Any]
    inv: ir.IntegerAttr
    angle: ext.Region

    def written_cells(self) -> Sequence[ir.Value]:
        return [self.a, self.b]

    def problems(self) -> Problems:
        yield from float_cell_problems("a", self.a.type)
        yield from _pair_problems(self)
        yield from pure_problems("angle", self.angle, [self.a.type.element_type], "the angle")
        for _ in reads_of(self.angle, [(self.a, ()), (self.b, ())]):
            yield "reads a rotated cell in its angle; compute the angle from other cells"


def _pair_problems(op: SwapOp | HadamardOp | RotOp) -> Problems:
    yield from cell_problems("b", op.b.type)
    if not same_shape(op.a.type, op.b.type):
        yield f"has cells {op.a.type} and {op.b.type}; make their shapes and element types equal"
    if share_elements(op.a, op.b):
        yield "names one cell twice; give two different cells"
