"""`soac.fused_hist`: a histogram that computes its keys and values in the loop that counts them."""

from collections.abc import Sequence
from typing import Any

from tapeless._mlir import ext, ir
from tapeless.dialects.array_types import leading_sizes_agree
from tapeless.dialects.effects import EffectOfBody
from tapeless.dialects.groups import SOME_RUNS
from tapeless.dialects.regions import argument_problems, yield_problems
from tapeless.dialects.soac.checks import (
    array_problems,
    body_block_problems,
    combine_problems,
    neutral_problems,
    rows_of,
    types_of,
    width_problems,
)
from tapeless.dialects.soac.dialect import Operation
from tapeless.dialects.soac.marks import FIRST
from tapeless.dialects.verification import Problems, types_text


class FusedHistOp(Operation, name="fused_hist", traits=[EffectOfBody]):
    """A `soac.hist` of numbers whose keys and values `lift` computes: the fused form of accumulators.

    ```mlir
    %h = "soac.fused_hist"(%n, %keys, %xs, %dest, %zero) ({
    ^bb0(%j: index, %key: i64, %x: f64):
      %k = arith.index_cast %key : i64 to index
      %v = arith.mulf %x, %c : f64
      "soac.yield"(%k, %v) : (index, f64) -> ()
    }, {
    ^bb0(%a: f64, %b: f64):
      %sum = arith.addf %a, %b : f64
      "soac.yield"(%sum) : (f64) -> ()
    }) {operandSegmentSizes = array<i32: 1, 2, 1, 1>}
      : (index, tensor<?xi64>, tensor<?xf64>, tensor<?xf64>, f64) -> tensor<?xf64>
    ```
    `lift` gets the index and one element per input and yields the key, then one value per dest. Keys outside `dests`
    are ignored; with the attribute `soac.in_bounds` there are none.
    """

    runs = SOME_RUNS

    width: ext.Operand[ir.IndexType]
    inputs: Sequence[ext.Operand[Any]]
    dests: Sequence[ext.Operand[Any]]
    neutral: Sequence[ext.Operand[Any]]
    outs: Sequence[ext.Result[Any]]
    lift: ext.Region
    combine: ext.Region

    def problems(self) -> Problems:
        inputs, dests, outs = types_of(self.inputs), types_of(self.dests), types_of(self.outs)
        yield from array_problems("an input", inputs)
        yield from width_problems(inputs)
        if not dests:
            yield "has no dests; give at least one array to write into"
        yield from array_problems("a dest", dests)
        if any(dest.rank != 1 for dest in dests):
            yield f"has dests {types_text(dests)}; give arrays of numbers, of rank 1"
        if not leading_sizes_agree(dests):
            yield f"has dests {types_text(dests)} with different numbers of bins; make the sizes of axis 0 equal"
        if outs != dests:
            yield f"has results {types_text(outs)}; make them the types of the dests {types_text(dests)}"
        rows, index = rows_of(dests), ir.IndexType.get(self.context)
        elements = [index, *rows_of(inputs)]
        yield from neutral_problems(types_of(self.neutral), rows)
        yield from body_block_problems("lift", self.lift)
        yield from argument_problems("lift", self.lift, elements, "the index, then one element per input")
        yield from yield_problems("lift", self.lift, [index, *rows], "the key, then one value per dest")
        yield from combine_problems("combine", self.combine, rows)
        if FIRST in self.operation.attributes:
            if [str(row) for row in rows] not in (["f32", "i64"], ["f64", "i64"]):
                yield f"keeps first places, but has rows {types_text(rows)}; give it a float and an i64"
            if self.operation.attributes[FIRST] not in map(ir.StringAttr.get, ("min", "max")):
                yield f'has {FIRST} = {self.operation.attributes[FIRST]}; make it "min" or "max"'
