"""`rev.retrace`: the steps of a chain visited backwards, from few kept states; an operation on values, not on cells."""

from collections.abc import Sequence
from typing import Any

from tapeless._mlir import ext, ir
from tapeless.dialects.effects import EffectOfBody
from tapeless.dialects.groups import SOME_RUNS
from tapeless.dialects.regions import argument_problems, block_problems, yield_problems
from tapeless.dialects.rev.dialect import Operation
from tapeless.dialects.rev.strategies import OF_RETRACES, strategy_problems
from tapeless.dialects.verification import Problems, types_text


class RetraceOp(Operation, name="retrace", traits=[EffectOfBody]):
    """Visits the steps of a chain from the last to the first, each with the state before it.

    ```mlir
    %x_bar = "rev.retrace"(%lo, %n, %one, %c, %c) ({
    ^bb0(%i: index, %x: f64):
      %next = math.sin %x : f64
      "soac.yield"(%next) : (f64) -> ()
    }, {
    ^bb0(%i: index, %x: f64, %bar: f64):
      %slope = math.cos %x : f64
      %before = arith.mulf %bar, %slope : f64
      "soac.yield"(%before) : (f64) -> ()
    }) {strategy = "treeverse", budget = 8 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 1, 1>}
      : (index, index, index, f64, f64) -> f64
    ```
    Operands: where the index starts, the number of steps, by how much the index grows, the states before the first
    step, and what is carried from visit to visit. `step` makes the states after one step of those before it, of the
    same sizes; `visit` reads the states before a step and passes on what is carried. The pass `ad-schedule-retraces`
    makes loops of it that keep few states at once and do steps again from there: at most `budget` as Treeverse says,
    those of Bennett's scheme with stretches of `budget` parts, or `budget` states at multiples of powers of two, found
    by bisection.
    """

    runs = SOME_RUNS

    lower: ext.Operand[ir.IndexType]
    trips: ext.Operand[ir.IndexType]
    stride: ext.Operand[ir.IndexType]
    states: Sequence[ext.Operand[Any]]
    carried: Sequence[ext.Operand[Any]]
    outs: Sequence[ext.Result[Any]]
    strategy: ir.StringAttr
    budget: ir.IntegerAttr
    step: ext.Region
    visit: ext.Region

    def problems(self) -> Problems:
        states, carried = [value.type for value in self.states], [value.type for value in self.carried]
        outs = [out.type for out in self.outs]
        if outs != carried:
            yield f"has results {types_text(outs)}; make them {types_text(carried)}: what is carried"
        yield from strategy_problems(self, OF_RETRACES)
        index = ir.IndexType.get(self.context)
        yield from _region_problems("step", self.step, [index, *states], states, "the states")
        yield from _region_problems("visit", self.visit, [index, *states, *carried], carried, "what is carried")


def _region_problems(
    name: str, region: ir.Region, arguments: Sequence[ir.Type], wanted: Sequence[ir.Type], meaning: str
) -> Problems:
    yield from block_problems(name, region, "soac.yield")
    yield from argument_problems(name, region, arguments, f"the index, then the states{_rest(name)}")
    yield from yield_problems(name, region, wanted, meaning)


def _rest(name: str) -> str:
    return " and what is carried" if name == "visit" else ""
