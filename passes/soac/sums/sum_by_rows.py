"""`soac-sum-by-rows`: sums over the columns of a large matrix, all of them together, row by row."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from tapeless._mlir import arith, ir, scf
from tapeless.dataclasses_on_use import dataclass
from tapeless.dialects import soac
from tapeless.dialects.soac.builders import with_acc
from tapeless.dialects.soac.marks import IN_BOUNDS
from tapeless.passes.ir import build
from tapeless.passes.ir.constants import is_zero
from tapeless.passes.ir.costs import CHEAP, FREE
from tapeless.passes.ir.machine import SECOND_LEVEL
from tapeless.passes.ir.rebuild import copy_op, replace_op
from tapeless.passes.ir.scopes import is_defined_outside
from tapeless.passes.ir.search import holds, ops_named
from tapeless.passes.ir.sizes.sizes import constant_int
from tapeless.passes.soac.cascade.places import is_outside_operators

# Elements of a matrix that second-level caches hold: of these, columns are read as fast as rows.
FEWEST_ELEMENTS = SECOND_LEVEL // 8
TURNED = [1, 0]
YIELD = "soac.yield"


@dataclass(frozen=True)
class SumByRows:
    """Interchanges the column sums of a large matrix, so that one pass goes over its rows.

    ```mlir
    %t = "soac.transpose"(%a)                          %r = "soac.with_acc"(%zeros) ({
    %r = "soac.map"(%m, %t) ({                           map over the rows of %a, and %v:
    ^bb0(%j: index, %column: tensor<?xf64>):               map over the row:
      fused sum of %column[%k] * %v[%k]                      %acc[%j] += %row[%j] * %v[%k]
    ```
    Columns of what the caches do not hold are read a line of memory for each element or two. How large a matrix is may
    be known in a call only, which then chooses. Every sum is taken in the order of the rows, but for blocks of rows.
    """

    name: ClassVar[str] = "soac-sum-by-rows"
    skips_numbers: ClassVar[bool] = True

    def run(self, module: ir.Module) -> None:
        """Rewrites every such map that no operator contains."""
        root = module.operation.opview
        if not holds(root, "soac.transpose"):
            return
        found = [ColumnSums.of(op) for op in ops_named(root, "soac.map") if is_outside_operators(op)]
        for sums in [each for each in found if each is not None]:
            with ir.InsertionPoint(sums.op), sums.op.location:
                results = sums.by_size()
            replace_op(sums.op, results)


@dataclass(frozen=True)
class ColumnSums:
    """A map over the columns of a matrix that only sums the results of `lift` for the elements of each."""

    op: ir.OpView
    matrix: ir.Value
    sum: ir.OpView

    @staticmethod
    def of(op: ir.OpView) -> ColumnSums | None:
        """The sums that a map takes, if its rows are columns of a matrix."""
        matrix = _turned(op.inputs[0]) if len(op.inputs) == 1 and not len(op.accs) and len(op.results) == 1 else None
        body = list(op.body.blocks[0].operations)
        if matrix is None or len(body) != 2 or body[0].operation.name != "soac.fused":
            return None
        found = ColumnSums(op, matrix, body[0])
        yields_sum = list(body[1].operands) == list(body[0].results)
        return found if yields_sum and found._adds_up() and found._is_cheap() else None

    @property
    def column(self) -> ir.Value:
        """A column, in the map."""
        return self.op.body.blocks[0].arguments[1]

    def _adds_up(self) -> bool:
        """Whether the operator is the sum, from zero on, of a function of the column and of vectors from outside."""
        neutral, inputs = list(self.sum.reduce_neutral), list(self.sum.inputs)
        if len(neutral) != 1 or len(self.sum.scan_neutral) or len(self.sum.results) != 1 or not is_zero(neutral[0]):
            return False
        combine = self.sum.reduce.blocks[0]
        addition, *rest = combine.operations
        is_sum = addition.operation.name == "arith.addf" and set(addition.operands) == set(combine.arguments)
        if not is_sum or len(rest) != 1 or not isinstance(neutral[0].type, ir.F32Type | ir.F64Type):
            return False
        others = [each for each in inputs if each != self.column]
        from_outside = [*others, self.sum.width]
        return len(others) == len(inputs) - 1 and all(self._is_outside(each) for each in from_outside)

    def _is_cheap(self) -> bool:
        """Whether elements are made by simple operations on numbers from there and from outside."""
        block = self.sum.lift.blocks[0]
        *steps, _ = (op.operation for op in block.operations)
        made = {*block.arguments, *(result for op in steps for result in op.results)}
        taken = [value for op in (*steps, block.operations[len(steps)].operation) for value in op.operands]
        return all(op.name in CHEAP or op.name in FREE for op in steps) and all(
            not build.is_array(value) and (value in made or self._is_outside(value)) for value in taken
        )

    def _is_outside(self, value: ir.Value) -> bool:
        return is_defined_outside(value, self.op.operation)

    def by_size(self) -> list[ir.Value]:
        """By rows if the matrix is large, else as it was."""
        known = [constant_int(size) for size in (self.op.width, self.sum.width)]
        if known[0] is not None and known[1] is not None:
            return [self._by_rows() if known[0] * known[1] >= FEWEST_ELEMENTS else self._by_columns()]
        elements = arith.muli(self.op.width, self.sum.width)
        is_large = arith.cmpi(arith.CmpIPredicate.sge, elements, build.index(FEWEST_ELEMENTS))
        choice = scf.IfOp(is_large, [self.op.results[0].type], has_else=True)
        for block, way in ((choice.then_block, self._by_rows), (choice.else_block, self._by_columns)):
            with ir.InsertionPoint(block):
                scf.YieldOp([way()])
        return list(choice.results)

    def _by_columns(self) -> ir.Value:
        return self.op.operation.clone().results[0]

    def _by_rows(self) -> ir.Value:
        type_ = ir.RankedTensorType(self.op.results[0].type)
        zeros = build.filled(type_, [self.op.width], self.sum.reduce_neutral[0])
        arrays = [self.matrix if each == self.column else each for each in self.sum.inputs]
        number = list(self.sum.inputs).index(self.column)

        def row(
            k: ir.Value, elements: Sequence[ir.Value], accs: Sequence[ir.Value]
        ) -> tuple[list[ir.Value], list[ir.Value]]:
            def add(
                j: ir.Value, own: Sequence[ir.Value], accs: Sequence[ir.Value]
            ) -> tuple[list[ir.Value], list[ir.Value]]:
                given = [*elements[:number], own[0], *elements[number + 1 :]]
                update = soac.UpdateOp(accs[0], [j], self._lifted(k, given), accs[0].type)
                update.operation.attributes[IN_BOUNDS] = ir.UnitAttr.get()
                return [], [update.operation.results[0]]

            return build.map_(self.op.width, [elements[number]], list(accs), add)

        made = with_acc([zeros], [], lambda acc: build.map_(self.sum.width, arrays, [acc], row)[1])
        result: ir.Value = made.operation.results[0]
        return result

    def _lifted(self, k: ir.Value, elements: Sequence[ir.Value]) -> ir.Value:
        block = self.sum.lift.blocks[0]
        values = dict(zip(block.arguments, [k, *elements], strict=True))
        *steps, last = block.operations
        for op in steps:
            copy_op(op, values)
        return values.get(last.operands[0], last.operands[0])


def _turned(array: ir.Value) -> ir.Value | None:
    """The matrix of which an array is the transposition."""
    if isinstance(array, ir.BlockArgument) or array.owner.operation.name != "soac.transpose":
        return None
    matrix: ir.Value = array.owner.operands[0]
    axes = [axis.value for axis in array.owner.attributes["permutation"]]
    return matrix if axes == TURNED else None
