"""The pass `phi-solve`: loops in segments and derivatives get closed forms."""

from __future__ import annotations

from typing import ClassVar

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.driver.base import FunctionPass
from tapeless.passes.ir.search import ops_named
from tapeless.passes.phi.exchange.segment import expressions, rewrite
from tapeless.passes.phi.solve.solver import solved


@dataclass(frozen=True)
class Solve(FunctionPass):
    """Solves the recurrences in segments and in their derivatives, as far as their flags allow.

    ```mlir
    %d = "phi.iterate"(%n, %p) ({
    ^bb0(%k: index, %x: f64):
      %m = "phi.mono"(%a, %x) {exps = [1, 1], coeff = 1 : i64} : (f64, f64) -> f64
      %y = "phi.lin"(%m, %b) {coeffs = [1, 1], constant = 0 : i64} : (f64, f64) -> f64
      "phi.yield"(%y) : (f64) -> ()
    }) : (index, f64) -> f64

    %power, %sum = "phi.affine_pow"(%n, %a) : (index, f64) -> (f64, f64)
    %u = "phi.mono"(%p, %power) {exps = [1, 1], coeff = 1 : i64} : (f64, f64) -> f64
    %v = "phi.mono"(%b, %sum) {exps = [1, 1], coeff = 1 : i64} : (f64, f64) -> f64
    %d = "phi.lin"(%u, %v) {coeffs = [1, 1], constant = 0 : i64} : (f64, f64) -> f64
    ```
    Counted loops become sums, products, extremes, powers, geometric sums and affine recurrences; the values of a loop
    with a condition become those of a counted one. Nothing is put in another order without `reassoc`.
    """

    name: ClassVar[str] = "phi-solve"

    def run_on(self, function: ir.OpView) -> None:
        """Solves the loops of every segment and every derivative of a function."""
        for op in ops_named(function, "phi.segment", "phi.adjoint"):
            found = expressions(op)
            rewrite(op, found.symbols, solved(found.graph, found.roots))
