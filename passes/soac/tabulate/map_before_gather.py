"""The pass `soac-map-before-gather` computes a function of a gathered row once per row, before the gather."""

from __future__ import annotations

from typing import ClassVar

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.ir.search import holds
from tapeless.passes.soac.simplify.simplify import Simplify


@dataclass(frozen=True)
class MapBeforeGather:
    """Moves a function of a gathered row before the gather, to a map over all rows, when these are fewer.

    ```mlir
    "soac.map"(%n, %keys) ({                                %table = "soac.map"(%m) ({
    ^bb0(%i: index, %k: index):                             ^bb0(%r: index):
      %a = tensor.extract %angles[%k]                         %a = tensor.extract %angles[%r]
      %s = math.sin %a                                        %s = math.sin %a
                                                            "soac.map"(%n, %keys) ({
                                                              %s = tensor.extract %table[%k]
    ```
    Sizes that are not constant are compared at run time: with fewer picks than rows the table has one entry per pick.
    """

    name: ClassVar[str] = "soac-map-before-gather"
    after: ClassVar[dict[str, str]] = {
        "soac-parallelise": "gathers of plain loops are maps only then",
    }
    skips_numbers: ClassVar[bool] = True

    def run(self, module: ir.Module) -> None:
        """Rewrites every map once, and simplifies the result."""
        with ir.Location.unknown(module.context):
            if not holds(module.operation.opview, "tensor.extract", "tensor.extract_slice"):
                return
            from tapeless.passes.soac.tabulate.tables_of_rows import tabulate_below

            if tabulate_below(module.operation.opview):
                Simplify().run(module)
