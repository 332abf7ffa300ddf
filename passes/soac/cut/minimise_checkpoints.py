"""The pass `soac-minimise-checkpoints` stores a minimum cut of values, where it is smaller than the states."""

from __future__ import annotations

from typing import ClassVar

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.driver.inner import run_inner
from tapeless.passes.ir.search import holds
from tapeless.passes.soac.simplify.prune import prune
from tapeless.passes.soac.simplify.simplify import Simplify


@dataclass(frozen=True)
class MinimiseCheckpoints:
    """Selects the checkpoints of a loop by a minimum cut: the fewest bytes from which its reverse sweep can go on.

    ```
    for i: h[i] = x; x = f(x)                        for i: k[i] = g(x); x = f(x)
    for i back: x = h[i]; b = df(g(x), b)            for i back: b = df(k[i], b)
    ```
    """

    name: ClassVar[str] = "soac-minimise-checkpoints"
    skips_numbers: ClassVar[bool] = True

    def run(self, module: ir.Module) -> None:
        """Looks at every loop that stores rows for another one; again, where one lies in another that was changed."""
        root = module.operation.opview
        if not holds(root, "scf.for"):
            return
        from tapeless.passes.soac.cut.changes import changes_of

        is_left = True
        while is_left:
            changes, is_left = changes_of(root)
            for change in changes:
                change.carry_out()
            if changes:
                prune(root)
                run_inner(Simplify(), module)
