"""The pass `ad-share-seeds` hoists seed-invariant code out of derivatives for many seeds."""

from __future__ import annotations

from typing import ClassVar

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.dialects.ad.marks import SEEDS
from tapeless.passes.ir.search import ops_named


@dataclass(frozen=True)
class ShareSeeds:
    """Hoists seed-invariant code out of the maps over seeds, which differentiation marked.

    ```mlir
    map over the rows of seeds {                      %c = math.cos %x
      %c = math.cos %x                                map over the rows of seeds {
      %t = arith.mulf %seed, %c                         %t = arith.mulf %seed, %c
    } {ad.seeds}                                      }
    ```
    Whole statements move as they are. Of an operation with regions that some seed changes, the part that none changes
    is written before it, with those of its inner values recorded that cost a function or a loop; cheaper ones are
    computed again for every seed.
    """

    name: ClassVar[str] = "ad-share-seeds"

    def run(self, module: ir.Module) -> bool:
        """Splits every marked map; whether there was any."""
        maps = [op for function in module.body.operations for op in ops_named(function, "soac.map")]
        marked = [op for op in maps if SEEDS in op.operation.attributes]
        if marked:
            from tapeless.passes.ad.sharing.maps_over_seeds import share_between_seeds

            share_between_seeds(module, marked)
        return bool(marked)
