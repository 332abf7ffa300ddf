"""The pass `lower-plan-storage`: where every array lives, from when to when."""

from __future__ import annotations

from typing import ClassVar, Literal

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.ir.calls import is_recursive
from tapeless.passes.lower.storage.aliases.analysis import make_plan
from tapeless.passes.lower.storage.aliases.recursion import plans_of
from tapeless.passes.lower.storage.prepare import functions_to_lower, prepare
from tapeless.passes.lower.storage.written_plan import write_plan


@dataclass(frozen=True)
class PlanStorage:
    """Plans which arrays share memory, where each is built, and after what its memory is free again.

    ```mlir
    %y = "soac.map"(%n, %x) ({...})   =>   %y = "soac.map"(%n, %x) ({...}) {tapeless.memory =
    return %y                                {makes = array<i64: 1>, results = array<i64: 1>}}
                                           return {tapeless.memory = {ends = {out = array<i64: 0, 1>}}} %y
    ```
    Memory has numbers; `tapeless.memory` says on every operation which it makes, uses and frees. What cannot be lowered
    is refused here, at the user's line. With `sequential`, every array has memory of its own, as in the oracle. For the
    target `cuda`, every sum that starts from a fill has a fill of its own.
    """

    name: ClassVar[str] = "lower-plan-storage"
    after: ClassVar[dict[str, str]] = {
        "soac-mark-fma": "arithmetic is rewritten on values, before there is memory",
        "soac-write-in-place": "arrays are written in place where fills are their own",
    }
    sequential: bool = False
    target: Literal["cpu", "cuda"] = "cpu"

    def run(self, module: ir.Module) -> None:
        prepare(module, has_launches=self.target == "cuda" and not self.sequential)
        functions = functions_to_lower(module)
        calling = {op.name.value: op for op in functions if is_recursive(op)}
        plans, conventions = plans_of(calling, self.sequential)
        for function in functions:
            with function.operation.context, function.location:
                known = plans.get(function.name.value)
                write_plan(known or make_plan(function, self.sequential, conventions))
