"""Scalar expressions that write themselves as operations of IR."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tapeless._mlir import arith, ir, math
from tapeless.dataclasses_on_use import dataclass
from tapeless.dialects import soac
from tapeless.passes.rules.expr import Condition, Expr, Number, Term

FASTMATH = "#arith.fastmath<contract>"
ARITHMETIC: dict[str, Callable[..., Any]] = {
    "add": arith.AddFOp,
    "sub": arith.SubFOp,
    "mul": arith.MulFOp,
    "div": arith.DivFOp,
    "neg": arith.NegFOp,
}
FUNCTIONS: dict[str, Callable[..., Any]] = {
    "exp": math.ExpOp,
    "log": math.LogOp,
    "sqrt": math.SqrtOp,
    "sin": math.SinOp,
    "cos": math.CosOp,
    "sinh": math.SinhOp,
    "cosh": math.CoshOp,
    "pow": math.PowFOp,
}


@dataclass(frozen=True)
class Emitted(Expr):
    """A float SSA value with arithmetic; new ops go to the current insertion point."""

    value: ir.Value
    flags: str = FASTMATH

    @property
    def type(self) -> ir.Type:
        """The float type that all ops of this expression have."""
        return self.value.type

    def constant(self, number: Number) -> Emitted:
        """A constant of this expression's type."""
        return Emitted(arith.ConstantOp(self.type, ir.FloatAttr.get(self.type, float(number))).result)

    def operation(self, name: str, *operands: Term) -> Emitted:
        values = [self._lift(operand).value for operand in operands]
        if name in ARITHMETIC:
            return Emitted(ARITHMETIC[name](*values, fastmath=ir.Attribute.parse(self.flags)).result)
        if name in FUNCTIONS:
            return Emitted(FUNCTIONS[name](*values, fastmath=ir.Attribute.parse(FASTMATH)).result)
        return Emitted(soac.FnOp(values, self.type, function=ir.StringAttr.get(name)).out)

    def compare(self, predicate: str, other: Term) -> Condition:
        ordered = getattr(arith.CmpFPredicate, f"O{predicate.upper()}")
        return arith.CmpFOp(ordered, self.value, self._lift(other).value).result

    def both(self, first: Condition, second: Condition) -> Condition:
        return arith.AndIOp(first, second).result

    def either(self, condition: Condition, then: Term, other: Term) -> Emitted:
        return Emitted(arith.SelectOp(condition, self._lift(then).value, self._lift(other).value).result)

    def _lift(self, term: Term) -> Emitted:
        if isinstance(term, Expr):
            assert isinstance(term, Emitted)
            return term
        return self.constant(term)
