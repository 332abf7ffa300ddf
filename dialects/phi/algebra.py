"""Expressions: constants, n-ary sums and monomials, elementary functions."""

from collections.abc import Sequence
from typing import Any

from tapeless._mlir import ext, ir
from tapeless.dialects.phi.checks import (
    fact_problems,
    name_problems,
    number_list_problems,
    number_problems,
    same_type_problems,
)
from tapeless.dialects.phi.dialect import Operation
from tapeless.dialects.verification import Problems

FUNCTIONS = (
    *("exp", "exp2", "expm1", "log", "log2", "log10", "log1p", "rsqrt", "cbrt"),
    *("sin", "cos", "tan", "asin", "acos", "atan"),
    *("sinh", "cosh", "tanh", "asinh", "acosh", "atanh"),
    *("erf", "erfc", "erfinv", "lgamma", "digamma", "trigamma", "sigmoid", "softplus", "round_f16", "round_bf16"),
    *("abs", "sign", "floor", "ceil", "trunc", "round", "roundeven"),
)
BINARY_FUNCTIONS = ("pow", "atan2", "hypot", "max", "min", "maxnum", "minnum", "rem", "copysign")


class ConstOp(Operation, name="const", traits=[ext.Pure]):
    """A number, exact where possible.

    ```mlir
    %third = "phi.const"() {value = #phi.rat<1 : i64, 3 : i64>} : () -> f64
    ```
    """

    out: ext.Result[Any]
    value: Any

    def problems(self) -> Problems:
        yield from number_problems("value", self.value)
        yield from fact_problems(self)


class LinOp(Operation, name="lin", traits=[ext.Pure]):
    """A linear combination: the sum of coefficient times term, plus a constant.

    ```mlir
    %y = "phi.lin"(%a, %b) {coeffs = [1, -2], constant = 0.5 : f64} : (f64, f64) -> f64
    ```
    """

    terms: Sequence[ext.Operand[Any]]
    out: ext.Result[Any]
    coeffs: ir.ArrayAttr
    constant: Any

    def problems(self) -> Problems:
        yield from same_type_problems(self.terms, self.out.type)
        yield from number_list_problems("coeffs", self.coeffs, len(self.terms))
        yield from number_problems("constant", self.constant)
        yield from fact_problems(self)


class MonoOp(Operation, name="mono", traits=[ext.Pure]):
    """A monomial: a coefficient times the product of bases to rational exponents; covers mul, div, sqrt and powers.

    ```mlir
    %y = "phi.mono"(%a, %b) {exps = [1, #phi.rat<-1 : i64, 2 : i64>], coeff = 3 : i64} : (f64, f64) -> f64
    ```
    """

    bases: Sequence[ext.Operand[Any]]
    out: ext.Result[Any]
    exps: ir.ArrayAttr
    coeff: Any

    def problems(self) -> Problems:
        yield from same_type_problems(self.bases, self.out.type)
        yield from number_list_problems("exps", self.exps, len(self.bases))
        yield from number_problems("coeff", self.coeff)
        yield from fact_problems(self)


class FnOp(Operation, name="fn", traits=[ext.Pure]):
    """An elementary function of one value.

    ```mlir
    %y = "phi.fn"(%a) {function = "exp", fact = #phi.fact<"pos">} : (f64) -> f64
    ```
    Functions: those of `math` that take one float (but for sqrt, which is a power), and those of `soac.fn`.
    """

    operand: ext.Operand[Any]
    out: ext.Result[Any]
    function: ir.StringAttr

    def problems(self) -> Problems:
        yield from name_problems("function", self.function.value, FUNCTIONS)
        yield from same_type_problems([self.operand], self.out.type)
        yield from fact_problems(self)


class Fn2Op(Operation, name="fn2", traits=[ext.Pure]):
    """A function of two values: pow, atan2, hypot, max, min, maxnum, minnum, rem, copysign.

    ```mlir
    %y = "phi.fn2"(%a, %b) {function = "pow"} : (f64, f64) -> f64
    ```
    max and min give NaN where an operand is NaN; maxnum and minnum give the other operand there.
    """

    lhs: ext.Operand[Any]
    rhs: ext.Operand[Any]
    out: ext.Result[Any]
    function: ir.StringAttr

    def problems(self) -> Problems:
        yield from name_problems("function", self.function.value, BINARY_FUNCTIONS)
        yield from same_type_problems([self.lhs, self.rhs], self.out.type)
        yield from fact_problems(self)
