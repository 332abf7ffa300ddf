"""The pass `phi-factor`: expressions with fewer operations, just before they become code."""

from __future__ import annotations

from typing import ClassVar

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.driver.base import FunctionPass
from tapeless.passes.ir.search import ops_named
from tapeless.passes.phi.exchange.segment import expressions, rewrite
from tapeless.passes.phi.factor.share import cheapest


@dataclass(frozen=True)
class Factor(FunctionPass):
    """Factors sums, and eliminates common subexpressions of products.

    ```mlir
    %p = "phi.mono"(%a, %b) {coeff = 1 : i64, exps = [1, 1]} : (f64, f64) -> f64
    %q = "phi.mono"(%a, %c) {coeff = 1 : i64, exps = [1, 1]} : (f64, f64) -> f64
    %y = "phi.lin"(%p, %q) {coeffs = [1, 1], constant = 0 : i64} : (f64, f64) -> f64

    %s = "phi.lin"(%b, %c) {coeffs = [1, 1], constant = 0 : i64} : (f64, f64) -> f64
    %y = "phi.mono"(%a, %s) {coeff = 1 : i64, exps = [1, 1]} : (f64, f64) -> f64
    ```
    Polynomials in one value come out in Horner's form; a divisor of several products is inverted once. Needs `reassoc`
    and `arcp`. What reads the expressions again in their normal form multiplies shared products out.
    """

    name: ClassVar[str] = "phi-factor"

    def run_on(self, function: ir.OpView) -> None:
        """Factors the segments and adjoints of a function."""
        for op in ops_named(function, "phi.segment", "phi.adjoint"):
            found = expressions(op)
            rewrite(op, found.symbols, cheapest(found.graph, found.roots))
