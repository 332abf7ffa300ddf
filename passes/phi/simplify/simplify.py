"""The pass `phi-simplify`: expressions made simpler as far as their flags allow."""

from __future__ import annotations

from typing import ClassVar

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.driver.base import FunctionPass
from tapeless.passes.ir.search import ops_named
from tapeless.passes.phi.exchange.segment import expressions, rewrite
from tapeless.passes.phi.simplify.simplified import simplified


@dataclass(frozen=True)
class Simplify(FunctionPass):
    """Rewrites expressions by the rules that the flags of their segment or adjoint allow.

    ```mlir
    %e = "phi.fn"(%x) {function = "exp"} : (f64) -> f64
    %s = "phi.lin"(%e) {coeffs = [1], constant = 1 : i64} : (f64) -> f64
    %y = "phi.mono"(%e, %s) {coeff = 1 : i64, exps = [1, -1]} : (f64, f64) -> f64

    %y = "phi.fn"(%x) {function = "sigmoid"} : (f64) -> f64
    ```
    Classes of rules: exact ones; those that need `nsz`; `nnan` and `ninf`; `reassoc`; `arcp`; `afn`; `cancel`, which
    remove points where a result is not defined; and `stable`, more accurate forms, which come last.
    """

    name: ClassVar[str] = "phi-simplify"

    def run_on(self, function: ir.OpView) -> None:
        """Simplifies the segments and adjoints of a function."""
        for op in ops_named(function, "phi.segment", "phi.adjoint"):
            found = expressions(op)
            rewrite(op, found.symbols, simplified(found.graph, found.roots).roots)
