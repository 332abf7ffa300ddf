"""Affine recurrences of up to four values, solved: x = A x + b."""

from collections.abc import Sequence
from typing import Any

from tapeless._mlir import ext, ir
from tapeless.dialects.array_types import DYNAMIC, stack_type
from tapeless.dialects.effects import NoEffect
from tapeless.dialects.phi.checks import carried_problems, region_problems, same_type_problems
from tapeless.dialects.phi.dialect import Operation
from tapeless.dialects.verification import Problems, types_text

LARGEST = 4


class AffineIterOp(Operation, name="affine_iter", traits=[ext.Pure]):
    """The state after n steps of x = A x + b with constant A and b: `A^n p + sum of A^i b for i < n`.

    ```mlir
    %d = "phi.affine_iter"(%n, %a, %b, %c) {operandSegmentSizes = array<i32: 1, 1, 1, 1>}
      : (index, f64, f64, f64) -> f64
    ```
    For m values: the m * m entries of A by rows, the m of b, the m of p.
    """

    steps: ext.Operand[ir.IndexType]
    matrix: Sequence[ext.Operand[Any]]
    offset: Sequence[ext.Operand[Any]]
    init: Sequence[ext.Operand[Any]]
    outs: Sequence[ext.Result[Any]]

    def problems(self) -> Problems:
        size = len(self.init)
        yield from _size_problems(size)
        if len(self.matrix) != size * size or len(self.offset) != size:
            counts = f"{len(self.matrix)} entries in matrix and {len(self.offset)} in offset"
            yield f"has {counts} for {size} values; give {size * size} and {size}"
        yield from carried_problems(self.init, self.outs)
        yield from same_type_problems([*self.matrix, *self.offset, *self.init], self.init[0].type)


class AffinePowOp(Operation, name="affine_pow", traits=[ext.Pure]):
    """A^n, the sum of A^i for i < n, and the derivatives of both in every entry of A, by repeated doubling.

    ```mlir
    %p, %s, %dp, %ds = "phi.affine_pow"(%n, %a) : (index, f64) -> (f64, f64, f64, f64)
    ```
    For m values A has m * m entries; results are m * m entries of the power, m * m of the sum, then m^4 derivatives of
    each, the entry differentiated varying fastest.
    """

    steps: ext.Operand[ir.IndexType]
    matrix: Sequence[ext.Operand[Any]]
    outs: Sequence[ext.Result[Any]]

    def problems(self) -> Problems:
        entries = len(self.matrix)
        sizes = {size * size for size in range(1, LARGEST + 1)}
        if entries not in sizes:
            yield f"has {entries} entries in matrix; give a square matrix of at most {LARGEST} rows"
        wanted = 2 * entries + 2 * entries * entries
        if len(self.outs) != wanted:
            yield f"has {len(self.outs)} results; give {wanted}: power, sum, and the derivatives of both"
        yield from same_type_problems([*self.matrix, *self.outs], self.matrix[0].type)


class AffineScanOp(Operation, name="affine_scan", traits=[NoEffect]):
    """The state after n steps of x = A(i) x + b(i); with `states = true` also every state as an array.

    ```mlir
    %last = "phi.affine_scan"(%n, %c) ({
    ^bb0(%k: index):
      "phi.yield"(%a, %b) : (f64, f64) -> ()
    }) {states = false} : (index, f64) -> f64
    ```
    The region yields the m * m entries of A by rows, then the m of b. Results: the m last values, then with `states`
    one array of n + 1 values each, the first value included.
    """

    steps: ext.Operand[ir.IndexType]
    init: Sequence[ext.Operand[Any]]
    outs: Sequence[ext.Result[Any]]
    states: ir.IntegerAttr
    step: ext.Region

    def problems(self) -> Problems:
        size = len(self.init)
        yield from _size_problems(size)
        element = self.init[0].type
        yield from same_type_problems(self.init, element)
        array = stack_type(DYNAMIC, element)
        wanted = [element] * size + ([array] * size if self.states.value else [])
        outs = [out.type for out in self.outs]
        if outs != wanted:
            yield f"has results {types_text(outs)}; make them {types_text(wanted)}"
        yielded = [element] * (size * size + size)
        index = ir.IndexType.get(self.context)
        yield from region_problems("step", self.step, [index], "the step", yielded, "the matrix, then the offset")


def _size_problems(size: int) -> Problems:
    if not 1 <= size <= LARGEST:
        yield f"has {size} values; solve recurrences of 1 to {LARGEST}"
