"""The pass `phi-raise`: the core IR in segments becomes expressions."""

from __future__ import annotations

from typing import ClassVar

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.driver.base import FunctionPass
from tapeless.passes.ir.search import ops_named
from tapeless.passes.phi.exchange.segment import expressions, rewrite


@dataclass(frozen=True)
class Raise(FunctionPass):
    """Raises the operations of segments from `arith`, `math`, `soac.fn` and `scf.if` to operations of `phi`.

    ```mlir
    %a = arith.mulf %u, %u : f64
    %b = arith.subf %a, %v : f64

    %a = "phi.mono"(%u) {coeff = 1 : i64, exps = [2]} : (f64) -> f64
    %b = "phi.lin"(%a, %v) {coeffs = [1, -1], constant = 0 : i64} : (f64, f64) -> f64
    ```
    Only what is exact under the flags of a segment is rewritten on the way.
    """

    name: ClassVar[str] = "phi-raise"

    def run_on(self, function: ir.OpView) -> None:
        """Raises every segment of a function."""
        for op in ops_named(function, "phi.segment"):
            found = expressions(op)
            rewrite(op, found.symbols, found.roots)
