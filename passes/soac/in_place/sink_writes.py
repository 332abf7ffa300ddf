"""The pass `soac-sink-writes` moves writes behind the last read of the elements that they overwrite."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from tapeless._mlir import ir
from tapeless.passes.ir.places.places import WRITES
from tapeless.passes.ir.search import ops_named
from tapeless.passes.soac.in_place.exchange_writes import exchange_with_earlier
from tapeless.passes.soac.simplify.delays import delay_behind_reads


@dataclass(frozen=True)
class SinkWrites:
    """Moves every write behind the last read of the elements that it overwrites, so that the array need not be copied.

    ```mlir
    %b = tensor.insert %v into %a[%i]                 %x = tensor.extract %a[%j]
    %x = tensor.extract %a[%j]                        %b = tensor.insert %v into %a[%i]
    ```
    Writes whose result is wanted earlier stay. What an operator makes of a slice is written before other elements are.
    """

    name: ClassVar[str] = "soac-sink-writes"
    after: ClassVar[dict[str, str]] = {
        "soac-fuse": "fusion decides which reads there are",
    }
    skips_numbers: ClassVar[bool] = True

    def run(self, module: ir.Module) -> None:
        """Moves the writes of the module, those in regions first."""
        for write in ops_named(module.operation.opview, *WRITES):
            exchange_with_earlier(write)
            delay_behind_reads(write)
