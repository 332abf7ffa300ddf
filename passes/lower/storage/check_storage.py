"""The pass `lower-check-storage`: no array is overwritten before it was read."""

from __future__ import annotations

from typing import ClassVar

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.lower.storage.plan_check.check import check_plan
from tapeless.passes.lower.storage.prepare import functions_to_lower
from tapeless.passes.lower.storage.read_plan import read_plans


@dataclass(frozen=True)
class CheckStorage:
    """Proves that the plan of memory has every operation see what the program says, or names what would go wrong.

    ```mlir
    %y = "soac.map"(%n, %x) ({...}) {tapeless.memory = {results = array<i64: 0>}}    // written over %x
    %s = "soac.reduce"(%n, %x, %zero) ({...})                                        // error: would read %x
    ```
    It shares no reasoning with `lower-plan-storage`, only what that wrote.
    """

    name: ClassVar[str] = "lower-check-storage"
    after: ClassVar[dict[str, str]] = {"lower-plan-storage": "it looks at the plan that is made there"}

    def run(self, module: ir.Module) -> None:
        functions = functions_to_lower(module)
        for function, plan in zip(functions, read_plans(functions), strict=True):
            with function.operation.context, function.location:
                check_plan(plan)
