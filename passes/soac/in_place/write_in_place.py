"""The pass `soac-write-in-place` removes the reasons for which arrays would be copied before they are written to."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.ir.places.places import WRITES
from tapeless.passes.ir.search import ops_named
from tapeless.passes.soac.in_place.checkpoints_in_place import checkpoints_in_place
from tapeless.passes.soac.in_place.exchange_writes import exchange_with_earlier
from tapeless.passes.soac.in_place.separate import separate_empties, separate_fills
from tapeless.passes.soac.simplify.delays import delay_behind_reads


def sink_writes(root: ir.OpView) -> None:
    """Moves every write behind the last read of the elements that it overwrites, those in regions first.

    Writes whose result is wanted earlier stay. What an operator makes of a slice is written before other elements are.
    """
    for write in ops_named(root, *WRITES):
        exchange_with_earlier(write)
        delay_behind_reads(write)


# Fills go right before writes, whose places are known once these have moved.
STEPS: tuple[Callable[[ir.OpView], None], ...] = (separate_empties, checkpoints_in_place, sink_writes, separate_fills)


@dataclass(frozen=True)
class WriteInPlace:
    """Rewrites programs so that arrays are updated where they are, without copies.

    ```mlir
    %b = tensor.insert %v into %a[%i]                 %x = tensor.extract %a[%j]
    %x = tensor.extract %a[%j]                        %b = tensor.insert %v into %a[%i]
    ```
    Arrays without contents and fills are made for each use (`separate.py`), a loop that stores every state of an array
    has the array in the rows of its history (`checkpoints_in_place.py`), and writes follow the reads of what they
    overwrite.
    """

    name: ClassVar[str] = "soac-write-in-place"
    after: ClassVar[dict[str, str]] = {
        "soac-minimise-checkpoints": "states that are not stored have no history",
        "soac-fuse": "fusion decides which reads there are",
    }
    skips_numbers: ClassVar[bool] = True

    def run(self, module: ir.Module) -> None:
        """Takes one step after the other."""
        for step in STEPS:
            step(module.operation.opview)
