"""`rev-lower`: all passes that take procedures to core IR."""

from __future__ import annotations

from typing import ClassVar

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.driver.base import Pass
from tapeless.passes.driver.inner import run_inner
from tapeless.passes.rev.adjoint.gradients import Gradients
from tapeless.passes.rev.adjoint.skip_zero_adjoints import SkipZeroAdjoints
from tapeless.passes.rev.forms.expand_chains import ExpandChains
from tapeless.passes.rev.forms.expand_compute import ExpandCompute
from tapeless.passes.rev.forms.find_parallel import FindParallel
from tapeless.passes.rev.forms.mark_exact import MarkExact
from tapeless.passes.rev.forms.merge_computes import MergeComputes
from tapeless.passes.rev.forms.normalise import Normalise
from tapeless.passes.rev.inversion.invert import Invert
from tapeless.passes.rev.to_core.to_core import ToCore

FUNC = "rev.func"


@dataclass(frozen=True)
class Lower:
    """Makes functions of procedures, and gives them derivative rules where the module asks for derivatives.

    ```mlir
    "rev.func"() ({
    ^bb0(%p: memref<f64>):
      "rev.neg"(%p) : (memref<f64>) -> ()
    }) {sym_name = "turn", modes = ["inout"]} : () -> ()
    ```
    becomes
    ```mlir
    func.func private @turn.run(%p: f64) -> f64 {
      %r = arith.negf %p : f64
      return %r : f64
    }
    ```
    It runs rev-expand-chains, rev-normalise, rev-merge-computes, rev-find-parallel, rev-mark-exact, rev-invert,
    rev-gradients, again rev-invert, rev-skip-zero-adjoints, rev-expand-compute and rev-to-core. Programs without
    procedures are left alone, and do not even load these.
    """

    name: ClassVar[str] = "rev-lower"

    def run(self, module: ir.Module) -> None:
        if any(op.operation.name == FUNC for op in module.body.operations):
            from tapeless.passes.rev.lower import STAGES

            for stage in STAGES:
                run_inner(stage, module)


# Derivatives need inverses, and call inverses of their own.
STAGES: tuple[Pass, ...] = (
    ExpandChains(),
    Normalise(),
    MergeComputes(),
    FindParallel(),
    MarkExact(),
    Invert(),
    Gradients(),
    Invert(),
    SkipZeroAdjoints(),
    ExpandCompute(),
    ToCore(),
)
