"""The pass `soac-gather-before-map` computes rows that a gather picks, and no others, where these are fewer."""

from __future__ import annotations

from typing import ClassVar

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.ir.search import holds


@dataclass(frozen=True)
class GatherBeforeMap:
    """Lets a map make the rows that a gather after it picks, from picked rows of what it reads, when these are fewer.

    ```mlir
    %y = "soac.map"(%n, %x) ({                              %p = "soac.map"(%m, %keys) ({ ... %x[%k] ... })
    ^bb0(%i: index, %row: tensor<4xf64>):                   %y = "soac.map"(%m, %p) ({
      %s = "soac.reduce"(%c4, %row, %zero) ...              ^bb0(%i: index, %row: tensor<4xf64>):
    "soac.map"(%m, %keys) ({                                  %s = "soac.reduce"(%c4, %row, %zero) ...
    ^bb0(%i: index, %k: index):                             "soac.map"(%m) ({
      %r = tensor.extract %y[%k]                              %r = tensor.extract %y[%i]
    ```
    Sizes that are not constant are compared at run time: where the picks are more than the rows, every row is "picked"
    once, in order.
    """

    name: ClassVar[str] = "soac-gather-before-map"
    after: ClassVar[dict[str, str]] = {
        "ad-expand": "adjoints of picked rows would be added up at places that are data",
    }
    skips_numbers: ClassVar[bool] = True

    def run(self, module: ir.Module) -> None:
        """Looks at every map, the last one of a block first: what is picked of it, it picks of maps before it."""
        if not holds(module.operation.opview, "tensor.extract", "tensor.extract_slice"):
            return
        from tapeless.passes.soac.tabulate.narrowed_maps import narrow_below

        replaced: list[ir.OpView] = []
        with ir.Location.unknown(module.context):
            narrow_below(module.operation.opview, replaced)
        for op in replaced:
            op.operation.erase()
