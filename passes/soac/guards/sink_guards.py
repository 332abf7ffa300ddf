"""The pass `soac-sink-guards` simplifies conditions of guarded branches and sinks operations that only they use."""

from __future__ import annotations

from typing import ClassVar

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.ir.guards import is_guarded
from tapeless.passes.ir.search import ops_named
from tapeless.passes.soac.guards.denominators import watch_denominators
from tapeless.passes.soac.guards.signs import take_signs_out
from tapeless.passes.soac.guards.sink import sink_into_second_way


@dataclass(frozen=True)
class SinkGuards:
    """Sinks scalar operations that only the exact fallback of a guarded branch uses into it.

    ```mlir
    %e = math.exp %x
    %ok = "soac.guard"(%whole) {exact = "operations"}  %ok = "soac.guard"(%whole) {exact = "operations"}
    %y = scf.if %ok -> f64 {                           %y = scf.if %ok -> f64 {
      scf.yield %whole                                   scf.yield %whole
    } else {                                           } else {
                                                         %e = math.exp %x
      %s = arith.mulf %e, %bar                           %s = arith.mulf %e, %bar
      scf.yield %s                                       scf.yield %s
    }                                                  }
    ```
    Going forward, operations run one by one, and the second way runs them again: equal operations were made one.

    What is divided by a product that overflowed is zero, which looks finite: such products are looked at, too.
    """

    name: ClassVar[str] = "soac-sink-guards"
    after: ClassVar[dict[str, str]] = {
        "soac-fuse": "operations move within one body",
    }

    def run(self, module: ir.Module) -> None:
        """Settles every guarded branch."""
        for branch in ops_named(module.operation.opview, "scf.if"):
            if is_guarded(branch):
                take_signs_out(branch.operation)
                sink_into_second_way(branch.operation)
                watch_denominators(branch.operation)
