"""`lower-guards`: the guards of branches that no pass has turned into something better become comparisons."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.ir.guards import GUARD, lower_guard, takes_steps
from tapeless.passes.ir.search import ops_named
from tapeless.passes.marks import HEAP, LAUNCH


@dataclass(frozen=True)
class Guards:
    """Lowers guards to arithmetic: a sum is finite if zero times it is zero.

    ```mlir
    %ok = "soac.guard"(%a, %b)     %sum = arith.addf %a, %b fastmath<reassoc,contract>
      {exact = "operations"}       %nothing = arith.mulf %sum, %zero
                                   %ok = arith.cmpf oeq, %nothing, %zero
    ```
    Threads of a kernel ask the heap for the memory of steps, since hardly any of them comes to need it.
    """

    name: ClassVar[str] = "lower-guards"
    after: ClassVar[dict[str, str]] = {
        "lower-speculate-guards": "loops that run again have no guards",
        "lower-vectorise": "where all lanes use fast code, none runs the exact one",
    }

    def run(self, module: ir.Module) -> None:
        """Lowers every guard of the module."""
        found = ops_named(module.operation.opview, "scf.if", GUARD)
        guards = [op for op in found if op.operation.name == GUARD]
        for branch in found:
            if branch.operation.name != GUARD and takes_steps(branch):
                for op in _allocations(branch):
                    op.attributes[HEAP] = ir.UnitAttr.get(module.context)
        for guard in guards:
            lower_guard(guard.operation)


def _allocations(branch: ir.OpView) -> Iterator[ir.Operation]:
    """What the second way of a branch allocates where it stands, rather than in a kernel that it launches."""
    for view in ops_named(branch, "memref.alloc"):
        op = around = view.operation
        is_launched = False
        while around.parent.operation != branch.operation:
            around = around.parent.operation
            is_launched = is_launched or LAUNCH in around.attributes
        if not is_launched and around.block == branch.operation.regions[1].blocks[0]:
            yield op
