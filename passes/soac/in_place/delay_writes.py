"""`soac-delay-writes`: writes behind the last look at what they overwrite."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from tapeless._mlir import ir
from tapeless.passes.ir.places.places import WRITES
from tapeless.passes.ir.search import ops_named
from tapeless.passes.soac.simplify.delays import delay_behind_reads


@dataclass(frozen=True)
class DelayWrites:
    """Moves every write behind the last look at what it overwrites, so that the array need not be copied for it.

    ```mlir
    %b = tensor.insert %v into %a[%i]                 %x = tensor.extract %a[%j]
    %x = tensor.extract %a[%j]                        %b = tensor.insert %v into %a[%i]
    ```
    Writes whose result is wanted earlier stay.
    """

    name: ClassVar[str] = "soac-delay-writes"
    skips_numbers: ClassVar[bool] = True

    def run(self, module: ir.Module) -> None:
        """Moves the writes of the module, those in regions first."""
        for write in ops_named(module.operation.opview, *WRITES):
            delay_behind_reads(write)
