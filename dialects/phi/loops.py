"""Loops as recurrences: `phi.iterate`, `phi.while`, `phi.nest`, and their solved forms."""

from collections.abc import Sequence
from typing import Any

from tapeless._mlir import ext, ir
from tapeless.dialects.effects import NoEffect
from tapeless.dialects.phi.checks import carried_problems, region_problems, same_type_problems
from tapeless.dialects.phi.dialect import Operation
from tapeless.dialects.verification import Problems


class IterateOp(Operation, name="iterate", traits=[NoEffect]):
    """A counted loop: the carried values after n steps.

    ```mlir
    %d = "phi.iterate"(%n, %b) ({
    ^bb0(%k: index, %x: f64):
      %y = "phi.lin"(%x, %a) {coeffs = [2, 1], constant = 0 : i64} : (f64, f64) -> f64
      "phi.yield"(%y) : (f64) -> ()
    }) : (index, f64) -> f64
    ```
    """

    steps: ext.Operand[ir.IndexType]
    inits: Sequence[ext.Operand[Any]]
    outs: Sequence[ext.Result[Any]]
    body: ext.Region

    def problems(self) -> Problems:
        yield from carried_problems(self.inits, self.outs)
        carried = [value.type for value in self.inits]
        arguments = [ir.IndexType.get(self.context), *carried]
        meaning = "the step, then the carried values"
        yield from region_problems("body", self.body, arguments, meaning, carried, "the next carried values")


class WhileOp(Operation, name="while", traits=[NoEffect]):
    """A loop that runs while its condition holds; results are the values at its end and the number of steps.

    ```mlir
    %d, %trip = "phi.while"(%b) ({
    ^bb0(%x: f64):
      %p = "phi.cmp"(%x, %c) {predicate = "lt"} : (f64, f64) -> i1
      "phi.yield"(%p) : (i1) -> ()
    }, {
    ^bb0(%x: f64):
      %y = "phi.lin"(%x) {coeffs = [2], constant = 1 : i64} : (f64) -> f64
      "phi.yield"(%y) : (f64) -> ()
    }) : (f64) -> (f64, index)
    ```
    """

    inits: Sequence[ext.Operand[Any]]
    outs: Sequence[ext.Result[Any]]
    trip: ext.Result[Any]
    condition: ext.Region
    body: ext.Region

    def problems(self) -> Problems:
        yield from carried_problems(self.inits, self.outs)
        if str(self.trip.type) != "index":
            yield f"has last result {self.trip.type}; make it the number of steps (index)"
        carried = [value.type for value in self.inits]
        holds = [ir.IntegerType.get_signless(1, self.context)]
        yield from region_problems("condition", self.condition, carried, "the carried values", holds, "the condition")
        yield from region_problems("body", self.body, carried, "the carried values", carried, "their next values")


class NestOp(Operation, name="nest", traits=[NoEffect]):
    """A function applied n times to a value, when nothing more is known about it.

    ```mlir
    %d = "phi.nest"(%n, %b) ({
    ^bb0(%x: f64):
      %y = "phi.fn"(%x) {function = "sin"} : (f64) -> f64
      "phi.yield"(%y) : (f64) -> ()
    }) : (index, f64) -> f64
    ```
    """

    steps: ext.Operand[ir.IndexType]
    inits: Sequence[ext.Operand[Any]]
    outs: Sequence[ext.Result[Any]]
    body: ext.Region

    def problems(self) -> Problems:
        yield from carried_problems(self.inits, self.outs)
        carried = [value.type for value in self.inits]
        yield from region_problems("body", self.body, carried, "the carried values", carried, "their next values")


class PowIterOp(Operation, name="pow_iter", traits=[ext.Pure]):
    """The recurrence d = a * d^b solved: `a^((b^n - 1) / (b - 1)) * p^(b^n)`, and `a^n * p` for b = 1.

    ```mlir
    %d = "phi.pow_iter"(%n, %a, %b, %c) : (index, f64, f64, f64) -> f64
    ```
    Operands: the number of steps n, the factor a, the exponent b, the first value p.
    """

    steps: ext.Operand[ir.IndexType]
    factor: ext.Operand[Any]
    exponent: ext.Operand[Any]
    init: ext.Operand[Any]
    out: ext.Result[Any]

    def problems(self) -> Problems:
        return same_type_problems([self.factor, self.exponent, self.init], self.out.type)
