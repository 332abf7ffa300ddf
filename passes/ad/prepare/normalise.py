"""The pass `ad-normalise` brings a function into forms that have derivative rules."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.ad.prepare.plain_scans import plain_scans
from tapeless.passes.ad.prepare.sequential_sums import sequential_sums
from tapeless.passes.ad.prepare.store_retraces import store_retraces
from tapeless.passes.ad.prepare.take_steps import take_steps
from tapeless.passes.driver.base import FunctionPass
from tapeless.passes.ir.array_selects import branch_on_arrays

Rewriting = Callable[[ir.OpView], None]

IN_BOTH_MODES: tuple[Rewriting, ...] = (branch_on_arrays, take_steps)
BACKWARDS: tuple[Rewriting, ...] = (store_retraces, sequential_sums, plain_scans)


@dataclass(frozen=True)
class Normalise(FunctionPass):
    """Normalises operations without derivative rules to others that have them.

    | before | after |
    | --- | --- |
    | `arith.select` of arrays | `scf.if` |
    | branches that guard derivatives | the way that is differentiated again (`take_steps.py`) |
    | `rev.retrace` | a loop that stores states, and one that reads them (`store_retraces.py`) |
    | `soac.with_acc` | loops that carry arrays (`sequential_sums.py`) |
    | exclusive and reversed `soac.scan` | inclusive forward ones (`plain_scans.py`) |

    Forward mode has rules for the last three, which are rewritten only to be run `backwards`.
    """

    name: ClassVar[str] = "ad-normalise"
    backwards: bool = False

    def run_on(self, function: ir.OpView) -> None:
        """Applies one rewriting after the other to the function."""
        for rewrite in (*IN_BOTH_MODES, *(BACKWARDS if self.backwards else ())):
            rewrite(function)
