"""The pass `ad-drop-marks` removes attributes and operations that only differentiation reads, once none is left to
make.
"""

from __future__ import annotations

from typing import ClassVar

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.ad.copying import inline_block
from tapeless.passes.ad.custom import RULE
from tapeless.passes.driver.inner import clean_up, run_inner
from tapeless.passes.ir.rebuild import replace_op
from tapeless.passes.ir.search import ops_named
from tapeless.passes.soac.inline import Inline
from tapeless.passes.soac.simplify.simplify import Simplify

MARKS = ("ad.stop_gradient", "ad.promise", "ad.checkpoint")


@dataclass(frozen=True)
class DropMarks:
    """Removes custom rules, `ad.stop_gradient`, `ad.promise` and `ad.checkpoint`, and simplifies across them.

    ```mlir
    %b = "ad.stop_gradient"(%a) : (f64) -> f64        %y = arith.mulf %x, %a : f64
    %y = arith.mulf %x, %b : f64
    ```
    """

    name: ClassVar[str] = "ad-drop-marks"
    after: ClassVar[dict[str, str]] = {
        "ad-expand": "derivatives read the marks",
    }

    def run(self, module: ir.Module) -> None:
        """Removes every mark of the module."""
        if drop_marks(module):
            simplify(module)


def drop_marks(module: ir.Module) -> bool:
    """Removes custom rules and marks; whether there was any."""
    rules = [op for op in module.body.operations if op.operation.name == RULE]
    for op in rules:
        op.operation.erase()
    marks = [op for function in module.body.operations for op in ops_named(function, *MARKS)]
    for op in marks:
        with ir.InsertionPoint(op), op.location:
            is_region = op.operation.name == "ad.checkpoint"
            replace_op(op, inline_block(op.body.blocks[0], []) if is_region else list(op.operation.operands))
    return bool(rules or marks)


def simplify(module: ir.Module) -> None:
    """Runs `soac-inline`, `canonicalize`, `cse` and `soac-simplify`."""
    run_inner(Inline(), module)
    clean_up(module)
    run_inner(Simplify(), module)
