"""`soac.map`: independent iterations."""

from collections.abc import Sequence
from typing import Any

from tapeless._mlir import ext, ir
from tapeless.dialects.effects import EffectOfBody
from tapeless.dialects.groups import SOME_RUNS
from tapeless.dialects.regions import argument_problems, terminator, yield_problems
from tapeless.dialects.soac.accumulators import order_problems
from tapeless.dialects.soac.checks import array_problems, body_block_problems, rows_of, types_of, width_problems
from tapeless.dialects.soac.dialect import AccType, Operation
from tapeless.dialects.verification import Problems, types_text


class MapOp(Operation, name="map", traits=[EffectOfBody]):
    """Applies the body to every index; element arguments are slices of axis 0, results are stacked along a new axis 0.

    ```mlir
    %ys = "soac.map"(%n, %xs) ({
    ^bb0(%i: index, %x: f64):
      %y = arith.mulf %x, %c : f64
      "soac.yield"(%y) : (f64) -> ()
    }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?xf64>) -> tensor<?xf64>
    ```
    Block arguments: the index, one element per input, one `!soac.acc` per accumulator.
    Yields: one value per array result, then every accumulator. Results: arrays, then accumulators.
    """

    runs = SOME_RUNS

    width: ext.Operand[ir.IndexType]
    inputs: Sequence[ext.Operand[Any]]
    accs: Sequence[ext.Operand[Any]]
    outs: Sequence[ext.Result[Any]]
    body: ext.Region

    def problems(self) -> Problems:
        inputs, accs, outs = types_of(self.inputs), types_of(self.accs), types_of(self.outs)
        yield from array_problems("an input", inputs)
        yield from _accumulator_problems(accs, outs)
        arrays = outs[: len(outs) - len(accs)]
        yield from array_problems("a result", arrays)
        yield from width_problems([*inputs, *arrays])
        yield from body_block_problems("body", self.body)
        arguments = [ir.IndexType.get(self.context), *rows_of(inputs), *accs]
        meaning = "the index, one element per input, then the accumulators"
        yield from argument_problems("body", self.body, arguments, meaning)
        rows = [*rows_of(arrays), *accs]
        yield from yield_problems("body", self.body, rows, "one row per array result, then the accumulators")
        last = list(self.body.blocks[0].arguments)[1 + len(inputs) :]
        yield from order_problems(last, list(terminator(self.body).operands)[len(arrays) :])


def _accumulator_problems(accs: Sequence[ir.Type], outs: Sequence[ir.Type]) -> Problems:
    for type_ in accs:
        if not isinstance(type_, AccType):
            yield f"has an accumulator of type {type_}; give a !soac.acc"
    last = list(outs[max(0, len(outs) - len(accs)) :])
    if last != list(accs):
        yield f"has results that end in {types_text(last)}; end them with its accumulators {types_text(accs)}"
