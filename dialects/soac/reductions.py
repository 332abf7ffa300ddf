"""`soac.reduce`, `soac.scan` and `soac.fused`: associative operators over arrays."""

from collections.abc import Sequence
from typing import Any

from tapeless._mlir import ext, ir
from tapeless.dialects.array_types import same_up_to_leading_size
from tapeless.dialects.effects import EffectOfBody
from tapeless.dialects.groups import SOME_RUNS
from tapeless.dialects.regions import argument_problems, is_empty, yield_problems
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
from tapeless.dialects.verification import Problems, types_text


class ReduceOp(Operation, name="reduce", traits=[EffectOfBody]):
    """Combines the elements of d arrays with an associative operator on d-tuples, starting from `neutral`.

    ```mlir
    %s = "soac.reduce"(%n, %xs, %zero) ({
    ^bb0(%a: f64, %b: f64):
      %sum = arith.addf %a, %b : f64
      "soac.yield"(%sum) : (f64) -> ()
    }) {operandSegmentSizes = array<i32: 1, 1, 1>} : (index, tensor<?xf64>, f64) -> f64
    ```
    """

    width: ext.Operand[ir.IndexType]
    inputs: Sequence[ext.Operand[Any]]
    neutral: Sequence[ext.Operand[Any]]
    outs: Sequence[ext.Result[Any]]
    combine: ext.Region

    def problems(self) -> Problems:
        yield from _operator_problems(self)
        neutral, outs = types_of(self.neutral), types_of(self.outs)
        if outs != neutral:
            yield f"has results {types_text(outs)}; make them {types_text(neutral)}: one row per input"


class ScanOp(Operation, name="scan", traits=[EffectOfBody]):
    """All prefixes (or, with `reverse`, suffixes) of a reduction; `exclusive` starts from `neutral`.

    ```mlir
    %ys = "soac.scan"(%n, %xs, %zero) ({
    ^bb0(%a: f64, %b: f64):
      %sum = arith.addf %a, %b : f64
      "soac.yield"(%sum) : (f64) -> ()
    }) {operandSegmentSizes = array<i32: 1, 1, 1>, exclusive = false, reverse = false}
      : (index, tensor<?xf64>, f64) -> tensor<?xf64>
    ```
    The operator always gets its operands in array order, also with `reverse`.
    """

    width: ext.Operand[ir.IndexType]
    inputs: Sequence[ext.Operand[Any]]
    neutral: Sequence[ext.Operand[Any]]
    outs: Sequence[ext.Result[Any]]
    exclusive: ir.IntegerAttr
    reverse: ir.IntegerAttr
    combine: ext.Region

    def problems(self) -> Problems:
        yield from _operator_problems(self)
        inputs, outs = types_of(self.inputs), types_of(self.outs)
        yield from array_problems("a result", outs)
        if len(outs) != len(inputs) or not all(map(same_up_to_leading_size, inputs, outs)):
            yield f"has results {types_text(outs)}; make them like the inputs {types_text(inputs)}"
        yield from width_problems([*inputs, *outs])


class FusedOp(Operation, name="fused", traits=[EffectOfBody]):
    """One loop that maps, reduces and scans: the fused form of the other operators.

    ```mlir
    %dot, %squares = "soac.fused"(%n, %xs, %ys, %zero) ({
    ^bb0(%i: index, %x: f64, %y: f64):
      %xy = arith.mulf %x, %y : f64
      %xx = arith.mulf %x, %x : f64
      "soac.yield"(%xy, %xx) : (f64, f64) -> ()
    }, {
    ^bb0(%a: f64, %b: f64):
      %sum = arith.addf %a, %b : f64
      "soac.yield"(%sum) : (f64) -> ()
    }, {}) {operandSegmentSizes = array<i32: 1, 2, 1, 0>}
      : (index, tensor<?xf64>, tensor<?xf64>, f64) -> (f64, tensor<?xf64>)
    ```
    `lift` gets the index and one element per input and yields the r reduced, then the s scanned, then the mapped
    values; `reduce` combines 2r values, `scan` combines 2s values (an empty region when r or s is 0). Results come in
    the same order. Scans are inclusive and forward; `lift` does not see their results.
    """

    runs = SOME_RUNS

    width: ext.Operand[ir.IndexType]
    inputs: Sequence[ext.Operand[Any]]
    reduce_neutral: Sequence[ext.Operand[Any]]
    scan_neutral: Sequence[ext.Operand[Any]]
    outs: Sequence[ext.Result[Any]]
    lift: ext.Region
    reduce: ext.Region
    scan: ext.Region

    def problems(self) -> Problems:
        inputs, outs = types_of(self.inputs), types_of(self.outs)
        reduced, scanned = types_of(self.reduce_neutral), types_of(self.scan_neutral)
        yield from array_problems("an input", inputs)
        if outs[: len(reduced)] != reduced:
            yield f"has results {types_text(outs)}; begin them with the reduced values {types_text(reduced)}"
        arrays = outs[len(reduced) :]
        yield from array_problems("a result", arrays)
        yield from width_problems([*inputs, *arrays])
        if rows_of(arrays[: len(scanned)]) != scanned:
            yield f"has array results {types_text(arrays)}; begin them with stacks of {types_text(scanned)}"
        yield from body_block_problems("lift", self.lift)
        elements = [ir.IndexType.get(self.context), *rows_of(inputs)]
        yield from argument_problems("lift", self.lift, elements, "the index, then one element per input")
        lifted = [*reduced, *rows_of(arrays)]
        yield from yield_problems("lift", self.lift, lifted, "the reduced, the scanned, then the mapped values")
        yield from _optional_combine_problems("reduce", self.reduce, reduced)
        yield from _optional_combine_problems("scan", self.scan, scanned)


def _operator_problems(op: ReduceOp | ScanOp) -> Problems:
    inputs = types_of(op.inputs)
    if not inputs:
        yield "has no inputs; give at least one array to combine"
    yield from array_problems("an input", inputs)
    yield from width_problems(inputs)
    yield from neutral_problems(types_of(op.neutral), rows_of(inputs))
    yield from combine_problems("combine", op.combine, rows_of(inputs))


def _optional_combine_problems(name: str, region: ir.Region, rows: Sequence[ir.Type]) -> Problems:
    if rows:
        yield from combine_problems(name, region, rows)
    elif not is_empty(region):
        yield f"has a region {name} but no {name}_neutral; leave the region empty"
