"""Access to cells: `rev.read`, `rev.view`, and stacks."""

from collections.abc import Sequence
from typing import Any

from tapeless._mlir import ext, ir
from tapeless.dialects.effects import NoEffect
from tapeless.dialects.rev.cells import cell_problems, index_problems, value_type
from tapeless.dialects.rev.dialect import Operation, StackType
from tapeless.dialects.verification import Problems

MODES = ("move", "copy")


class ReadOp(Operation, name="read"):
    """The value of a cell, or of its part at leading indices, for use in a pure region.

    ```mlir
    "rev.accum"(%y) ({
      %first = "rev.read"(%xs, %i) : (memref<?xf64>, index) -> f64
      "rev.yield"(%first) : (f64) -> ()
    }) {kind = "add"} : (memref<f64>) -> ()
    ```
    Without indices it gives a whole array: `"rev.read"(%xs) : (memref<?xf64>) -> tensor<?xf64>`. Fixed-point numbers,
    `memref<si64>`, are read as `f64`.
    """

    cell: ext.Operand[Any]
    indices: Sequence[ext.Operand[ir.IndexType]]
    out: ext.Result[Any]

    def read_cells(self) -> Sequence[ir.Value]:
        return [self.cell]

    def problems(self) -> Problems:
        yield from cell_problems("cell", self.cell.type)
        yield from index_problems(self.cell.type, self.indices)
        wanted = value_type(self.cell.type, len(self.indices))
        if self.out.type != wanted:
            yield f"has result {self.out.type}; make it {wanted}"


class ViewOp(Operation, name="view", traits=[NoEffect]):
    """A part of a cell as a cell of its own: per axis an offset, a size and a stride; axes in `drop` are left out.

    ```mlir
    %element = "rev.view"(%xs, %i, %one, %one) {drop = [0], operandSegmentSizes = array<i32: 1, 1, 1, 1>}
      : (memref<?xf64>, index, index, index) -> memref<f64, strided<[], offset: ?>>
    ```
    """

    source: ext.Operand[Any]
    offsets: Sequence[ext.Operand[ir.IndexType]]
    sizes: Sequence[ext.Operand[ir.IndexType]]
    strides: Sequence[ext.Operand[ir.IndexType]]
    out: ext.Result[Any]
    drop: ir.ArrayAttr

    def problems(self) -> Problems:
        source, out = self.source.type, self.out.type
        yield from cell_problems("source", source)
        yield from cell_problems("a result", out)
        counts = [len(self.offsets), len(self.sizes), len(self.strides)]
        if counts != [source.rank] * 3:
            yield f"has {counts} offsets, sizes and strides; give {source.rank} of each, one per axis of {source}"
        axes = [getattr(axis, "value", None) for axis in self.drop]
        if len(set(axes)) != len(axes) or not set(axes) <= set(range(source.rank)):
            yield f"has drop = {axes}; list different axes of {source}"
        if out.rank != source.rank - len(axes) or out.element_type != source.element_type:
            yield f"has result {out}; make it a memref of {source.element_type} of rank {source.rank - len(axes)}"


class PushOp(Operation, name="push"):
    """Puts the value of a scalar cell on a stack; `mode = "move"` leaves 0 in the cell, `"copy"` leaves it as it is.

    ```mlir
    "rev.push"(%stack, %y) {mode = "move"} : (!rev.stack<f64>, memref<f64>) -> ()
    ```
    The inverse is `rev.pop`.
    """

    stack: ext.Operand[Any]
    cell: ext.Operand[Any]
    mode: ir.StringAttr

    def written_cells(self) -> Sequence[ir.Value]:
        return [self.stack, self.cell]

    def problems(self) -> Problems:
        return _stack_problems(self)


class PopOp(Operation, name="pop"):
    """Takes the top of a stack into a scalar cell, which must hold 0 (`mode = "move"`) or the same value (`"copy"`).

    ```mlir
    "rev.pop"(%stack, %y) {mode = "move"} : (!rev.stack<f64>, memref<f64>) -> ()
    ```
    The inverse is `rev.push`.
    """

    stack: ext.Operand[Any]
    cell: ext.Operand[Any]
    mode: ir.StringAttr

    def written_cells(self) -> Sequence[ir.Value]:
        return [self.stack, self.cell]

    def problems(self) -> Problems:
        return _stack_problems(self)


def _stack_problems(op: PushOp | PopOp) -> Problems:
    stack, cell = op.stack.type, op.cell.type
    if not isinstance(stack, StackType):
        yield f"has stack of type {stack}; give a !rev.stack"
    yield from cell_problems("cell", cell)
    if cell.rank != 0 or cell.element_type != stack.scalar:
        yield f"has cell of type {cell} for {stack}; give a rank-0 memref of {stack.scalar}"
    if op.mode.value not in MODES:
        yield f"has the unknown mode {op.mode.value!r}; use one of {', '.join(MODES)}"
