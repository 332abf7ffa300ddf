"""The pass `soac-fuse`: rounds of loop fusion and common subexpression elimination in fused loops."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.dialects.groups import SOME_RUNS
from tapeless.passes.driver.inner import clean_up, run_inner
from tapeless.passes.ir.search import holds
from tapeless.passes.soac.fuse.merge_duplicates import MergeDuplicates
from tapeless.passes.soac.fuse.merge_loops import MergeLoops
from tapeless.passes.soac.fuse.sink import Sink
from tapeless.passes.soac.simplify.prune import prune


@dataclass(frozen=True)
class Fuse:
    """Fuses loops in rounds: loops move into accumulations, loops are fused, and common subexpressions are eliminated.

    ```mlir
    %a = "soac.map"(%n, %xs) ({...exp...}) ...
    %b = "soac.map"(%n, %xs) ({...exp...}) ...
    %sum = "soac.reduce"(%n, %b, %zero) ({...addf...}) ...
    ```
    becomes
    ```mlir
    %sum, %a = "soac.fused"(%n, %xs, %zero) ({...exp...}, {...addf...}, {}) ...
    ```
    A round runs `soac-sink`, `soac-merge-loops`, upstream folding and `soac-merge-duplicates`, `max_rounds` times at
    most. The other options are those of `soac-merge-loops`.
    """

    name: ClassVar[str] = "soac-fuse"
    after: ClassVar[dict[str, str]] = {
        "soac-reduce-accumulations": "accumulators keep reductions from being fused",
        "soac-stencil-gather": "sums into slices are found while each is a loop of its own",
        "soac-rematerialise": "no array of cheap elements is left between loops",
    }
    skips_numbers: ClassVar[bool] = True
    max_body: int = 1000
    horizontal: bool = True
    max_rounds: int = 6
    reductions: bool = True
    most_values: int = SOME_RUNS

    def run(self, module: ir.Module) -> None:
        """Repeats rounds while they change something; a round that moves and merges nothing ends with that."""
        is_clean = False
        for merging in self._stages(module.operation.opview):
            for _ in range(self.max_rounds):
                moved = run_inner(Sink(), module)
                merged = run_inner(merging, module)
                if is_clean and not moved and not merged:
                    break
                clean_up(module)
                is_clean = True
                if not run_inner(MergeDuplicates(), module) and not merged:
                    break
            # What an accumulation hands out of a loop that has moved into it may be read by nothing any more.
            is_clean &= not prune(module.operation.opview)

    def _stages(self, root: ir.OpView) -> Iterator[MergeLoops]:
        """Maps first where there are accumulators, which only maps pass on: sums then join their return sweep."""
        if holds(root, "soac.with_acc"):
            yield MergeLoops(self.max_body, self.horizontal, reductions=False, most_values=self.most_values)
        yield MergeLoops(self.max_body, self.horizontal, self.reductions, self.most_values)
