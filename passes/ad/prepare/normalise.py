"""The pass `ad-normalise` brings a function into forms that have derivative rules."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.driver.base import FunctionPass
from tapeless.passes.driver.pass_table import ImportTable
from tapeless.passes.ir.array_selects import branch_on_arrays
from tapeless.passes.ir.guards import is_guarded, takes_steps
from tapeless.passes.ir.rebuild import replace_op
from tapeless.passes.ir.search import holds, ops_named

Rewriting = Callable[[ir.OpView], None]


@dataclass(frozen=True)
class Normalise(FunctionPass):
    """Normalises operations without derivative rules to others that have them.

    | before | after |
    | --- | --- |
    | `arith.select` of arrays | `scf.if` |
    | branches that guard derivatives | the way that is differentiated again (`take_steps` below) |
    | `rev.retrace` | a loop that stores states, and one that reads them (`store_retraces.py`) |
    | `soac.with_acc` | loops that carry arrays (`sequential_sums.py`) |
    | exclusive and reversed `soac.scan` | inclusive forward ones (`plain_scans.py`) |
    | maps in loops that keep their long sums | maps that hand them out (`handed_sums.py`) |

    Forward mode needs none of the last four, which are rewritten only to be run `backwards`.
    """

    name: ClassVar[str] = "ad-normalise"
    backwards: bool = False

    def run_on(self, function: ir.OpView) -> None:
        """Applies one rewriting after the other to the function."""
        for rewrite in IN_BOTH_MODES:
            rewrite(function)
        for name in BACKWARDS if self.backwards else ():
            if holds(function, name):
                BACKWARDS[name](function)


def take_steps(function: ir.OpView) -> None:
    """Replaces guarded branches by their exact fallback, and those of loops by the fast path.

    ```mlir
    %ok = "soac.guard"(%whole) {exact = "operations"}                      operations
    %x = scf.if %ok { yield %whole } else { operations }
    ```
    Inner ones come first; a short branch may have become a choice.
    """
    for op in ops_named(function, "scf.if", "arith.select"):
        if is_guarded(op):
            replace_op(op, _taken(op, 0 if takes_steps(op) else 1))


def _taken(op: ir.OpView, way: int) -> list[ir.Value]:
    """The results of one way of a branch, whose operations are moved before the branch."""
    if op.operation.name == "arith.select":
        return [op.operation.operands[1 + way]]
    *steps, last = list(op.operation.regions[way].blocks[0].operations)
    for step in steps:
        step.operation.move_before(op.operation)
    return list(last.operation.operands)


IN_BOTH_MODES: tuple[Rewriting, ...] = (branch_on_arrays, take_steps)
# What is rewritten where there is an operation of a name, in this order.
BACKWARDS: ImportTable[str, Rewriting] = ImportTable(
    "ad.prepare",
    {
        "rev.retrace": "store_retraces.store_retraces",
        "soac.with_acc": "sequential_sums.sequential_sums",
        "soac.scan": "plain_scans.plain_scans",
        "soac.reduce": "handed_sums.hand_out_sums",
    },
)
