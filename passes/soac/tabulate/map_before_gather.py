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
    With `products`, for targets that run several rows of a product of matrices together, so are products of the rows of
    two nested maps, which are then nests of their own.
    """

    name: ClassVar[str] = "soac-map-before-gather"
    after: ClassVar[dict[str, str]] = {
        "soac-parallelise": "gathers of plain loops are maps only then",
    }
    skips_numbers: ClassVar[bool] = True
    products: bool = False

    def run(self, module: ir.Module) -> None:
        """Rewrites every map once, and simplifies the result."""
        with ir.Location.unknown(module.context):
            root = module.operation.opview
            changed = False
            if holds(root, "tensor.extract", "tensor.extract_slice"):
                from tapeless.passes.soac.tabulate.tables_of_rows import tabulate_below

                changed = tabulate_below(root)
            if self.products and holds(root, "soac.reduce"):
                from tapeless.passes.soac.tabulate.products_apart import set_products_apart

                changed |= set_products_apart(root)
            if changed:
                Simplify().run(module)
