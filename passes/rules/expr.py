"""Scalar expressions that write themselves as IR, so that a derivative rule reads as mathematics."""

from __future__ import annotations

import math as python_math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, overload

from tapeless._mlir import arith, ir, math
from tapeless.dialects import soac

FASTMATH = "#arith.fastmath<contract>"
Number = float | int


@dataclass(frozen=True)
class Expr:
    """A float SSA value with arithmetic; new ops go to the current insertion point.

    Products with 0 and 1 and sums with 0 are folded while building: a zero is the Python number 0.0, never an op.
    """

    value: ir.Value
    flags: str = FASTMATH

    @property
    def type(self) -> ir.Type:
        """The float type that all ops of this expression have."""
        return self.value.type

    def constant(self, number: Number) -> Expr:
        """A constant of this expression's type."""
        return Expr(arith.ConstantOp(self.type, ir.FloatAttr.get(self.type, float(number))).result)

    def __add__(self, other: Term) -> Expr:
        return self if is_number(other, 0) else self._binary(arith.AddFOp, self, other)

    def __radd__(self, other: float) -> Expr:
        return self if is_number(other, 0) else self._binary(arith.AddFOp, other, self)

    def __sub__(self, other: Term) -> Expr:
        return self if is_number(other, 0) else self._binary(arith.SubFOp, self, other)

    def __rsub__(self, other: float) -> Expr:
        return -self if is_number(other, 0) else self._binary(arith.SubFOp, other, self)

    @overload
    def __mul__(self, other: Expr) -> Expr: ...

    @overload
    def __mul__(self, other: Term) -> Term: ...

    def __mul__(self, other: Term) -> Term:
        for number, product in ((0, 0.0), (1, self)):
            if is_number(other, number):
                return product
        return -self if is_number(other, -1) else self._binary(arith.MulFOp, self, other)

    def __rmul__(self, other: float) -> Term:
        return self * other

    def __truediv__(self, other: Term) -> Expr:
        return self if is_number(other, 1) else self._binary(arith.DivFOp, self, other)

    def __rtruediv__(self, other: float) -> Term:
        return 0.0 if is_number(other, 0) else self._binary(arith.DivFOp, other, self)

    def __neg__(self) -> Expr:
        return Expr(arith.NegFOp(self.value, fastmath=ir.Attribute.parse(self.flags)).result)

    def _binary(self, op: Callable[..., Any], left: Term, right: Term) -> Expr:
        flags = ir.Attribute.parse(self.flags)
        return Expr(op(self._lift(left).value, self._lift(right).value, fastmath=flags).result)

    def _lift(self, term: Term) -> Expr:
        return term if isinstance(term, Expr) else self.constant(term)

    def compare(self, predicate: str, other: Term) -> ir.Value:
        """An `i1`: this compared with `other` by an ordered predicate such as `"ge"`."""
        ordered = getattr(arith.CmpFPredicate, f"O{predicate.upper()}")
        return arith.CmpFOp(ordered, self.value, self._lift(other).value).result


Term = Expr | float


def is_number(term: Term, number: float) -> bool:
    """Whether a term is the given Python number."""
    return not isinstance(term, Expr) and term == number


def choose(condition: ir.Value, then: Term, other: Term, like: Expr) -> Expr:
    """`then` where the condition holds, else `other`."""
    return Expr(arith.SelectOp(condition, like._lift(then).value, like._lift(other).value).result)


def _flags() -> ir.Attribute:
    return ir.Attribute.parse(FASTMATH)


def _function(op: Callable[..., Any]) -> Callable[[Expr], Expr]:
    def apply(x: Expr) -> Expr:
        return Expr(op(x.value, fastmath=_flags()).result)

    return apply


exp = _function(math.ExpOp)
log = _function(math.LogOp)
sqrt = _function(math.SqrtOp)
sin = _function(math.SinOp)
cos = _function(math.CosOp)
sinh = _function(math.SinhOp)
cosh = _function(math.CoshOp)


def power(x: Expr, y: Expr) -> Expr:
    """`x` to the `y`."""
    return Expr(math.PowFOp(x.value, y.value, fastmath=_flags()).result)


def special(name: str, *args: Expr) -> Expr:
    """A function of `soac.fn`."""
    return Expr(soac.FnOp([arg.value for arg in args], args[0].type, function=ir.StringAttr.get(name)).out)


LN2 = python_math.log(2.0)
LN10 = python_math.log(10.0)
TWO_OVER_SQRT_PI = 2.0 / python_math.sqrt(python_math.pi)
