"""The pass `lower-speculate-guards` runs loops without their overflow guards, and again with them if needed."""

from __future__ import annotations

from typing import ClassVar

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.ir.guards import is_guarded
from tapeless.passes.ir.search import ops_named
from tapeless.passes.lower.arithmetic.fastmath import AS_WRITTEN
from tapeless.passes.lower.llvm.heap import declare
from tapeless.passes.lower.vectorise.walking import op_name


@dataclass(frozen=True)
class Repeat:
    """Runs loops speculatively on the fast path of their guards, and again with the exact one if a result is not
    finite.

    ```mlir
    scf.for %i = %c0 to %n step %c1 {                %s = scf.for %i = %c0 to %n step %c1 iter_args(%a = %zero) {
      %x = ...                                         %x = ...
      %ok = "soac.guard"(%x) {...}                     %nothing = arith.mulf %x, %zero
      %y = scf.if %ok {yield %x} else {steps}          %b = arith.addf %a, %nothing
      memref.store %y, %r[%i]                          memref.store %x, %r[%i]
    }                                                  scf.yield %b
                                                     }
                                                     %finite = arith.cmpf oeq, %s, %zero
                                                     scf.if %finite {} else {the loop as it was}
    ```
    So usual loops have no branch and stay what they are without guards: vectors of them, and sums in the same order.
    A loop that reads what it writes cannot run again, and keeps its branches.

    Where products and sums are `fused`, and the program has no `flags` of its own, the first loop multiplies by
    reciprocal roots instead of dividing by roots (`reciprocals.py`).
    """

    name: ClassVar[str] = "lower-speculate-guards"
    after: ClassVar[dict[str, str]] = {
        "lower-loops": "it runs loops again",
    }
    skips_numbers: ClassVar[bool] = True
    fused: bool = True
    flags: tuple[str, ...] = AS_WRITTEN

    def run(self, module: ir.Module) -> None:
        """Rewrites loops that have guarded branches, and those around them that could run in lanes without."""
        guards: dict[ir.Operation, list[ir.Operation]] = {}
        for branch in ops_named(module.operation.opview, "scf.if"):
            if is_guarded(branch) and op_name(branch.operation.parent) == "scf.for":
                guards.setdefault(branch.operation.parent.operation, []).append(branch.operation)
        if not guards:
            return
        from tapeless.passes.lower.repeat.two_runs import SAW, WATCH, Ways, repeat, what_runs_again

        watches = False
        while guards:
            loop = max(guards, key=_depth)
            branches = guards.pop(loop)
            if parts := what_runs_again(loop):
                choice = repeat(parts, branches, Ways(self.fused and self.flags == AS_WRITTEN))
                watches = watches or len(parts) > 1
                if is_guarded(choice):
                    guards.setdefault(choice.parent.operation, []).append(choice)
        if watches:
            declare(module, WATCH, [], [])
            declare(module, SAW, [], [ir.IntegerType.get_signless(64)])


def _depth(op: ir.Operation) -> int:
    """How many operations an operation is in."""
    return 0 if op.parent is None else 1 + _depth(op.parent.operation)
