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
    """a^n, the sum of a^i for i < n, and the derivatives of both in a, by repeated doubling.

    ```mlir
    %p, %s, %dp, %ds = "phi.affine_pow"(%n, %a) : (index, f64) -> (f64, f64, f64, f64)
    ```
    Results come in pairs, power and sum; the pair after the first k ones is their k-th derivative divided by k!.
    """

    steps: ext.Operand[ir.IndexType]
    base: ext.Operand[Any]
    outs: Sequence[ext.Result[Any]]

    def problems(self) -> Problems:
        if len(self.outs) % 2 or not self.outs:
            yield f"has {len(self.outs)} results; give pairs: power and sum, then the derivatives of both"
        yield from same_type_problems(list(self.outs), self.base.type)


class MatrixPowOp(Operation, name="matrix_pow", traits=[ext.Pure]):
    """A^n, and how it changes when A changes by Y: the sum of A^i Y A^(n-1-i) for i < n.

    ```mlir
    %p, %q = "phi.matrix_pow"(%n, %a, %b) {operandSegmentSizes = array<i32: 1, 1, 1>} : (index, f64, f64) -> (f64, f64)
    ```
    Matrices by rows: the entries of A, then those of Y; results are those of the power, then those of the change.
    """

    steps: ext.Operand[ir.IndexType]
    matrix: Sequence[ext.Operand[Any]]
    change: Sequence[ext.Operand[Any]]
    outs: Sequence[ext.Result[Any]]

    def problems(self) -> Problems:
        entries = len(self.matrix)
        if entries not in {size * size for size in range(1, LARGEST + 2)}:
            yield f"has {entries} entries in matrix; give a square matrix of at most {LARGEST + 1} rows"
        if len(self.change) != entries or len(self.outs) != 2 * entries:
            counts = f"{len(self.change)} entries in change and {len(self.outs)} results"
            yield f"has {counts} for {entries} entries in matrix; give {entries} and {2 * entries}"
        yield from same_type_problems([*self.matrix, *self.change, *self.outs], self.matrix[0].type)


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
