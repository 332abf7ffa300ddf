"""The binary digits of a trip count, and the code where one of them is one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from tapeless._mlir import arith, ir, math, scf
from tapeless.passes.phi.lower.loops.code import Values, index

WIDTH = 64


@dataclass(frozen=True)
class Digits:
    """A number that is not negative, and how many digits it has; the lowest is the digit 0."""

    number: ir.Value
    count: ir.Value

    @staticmethod
    def of(steps: ir.Value) -> Digits:
        """Those of a number of steps; fewer than none are none."""
        number = arith.IndexCastOp(_whole(), arith.MaxSIOp(steps, index(0)).result).result
        count = arith.SubIOp(_constant(WIDTH), math.CountLeadingZerosOp(number).result).result
        return Digits(number, arith.IndexCastOp(ir.IndexType.get(), count).result)

    def where_one(self, place: ir.Value, values: Values, change: Callable[[Values], Values]) -> Values:
        """Values changed where a digit is one.

        A branch, since the digits are those of a number of steps, the same for all that is done side by side.
        """
        shifted = arith.ShRSIOp(self.number, arith.IndexCastOp(_whole(), place).result).result
        digit = arith.AndIOp(shifted, _constant(1)).result
        is_one = arith.CmpIOp(arith.CmpIPredicate.ne, digit, _constant(0)).result
        made = scf.IfOp(is_one, [each.type for each in values], has_else=True)
        with ir.InsertionPoint(made.then_block):
            scf.YieldOp(change(values))
        with ir.InsertionPoint(made.else_block):
            scf.YieldOp(values)
        return list(made.results)


def _whole() -> ir.Type:
    return ir.IntegerType.get_signless(WIDTH)


def _constant(value: int) -> ir.Value:
    return arith.ConstantOp(_whole(), ir.IntegerAttr.get(_whole(), value)).result
