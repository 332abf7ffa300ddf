"""`soac-fold`: the rules of `soac-simplify` in one sweep."""

from __future__ import annotations

from typing import ClassVar

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.soac.simplify.dims import fold_dims
from tapeless.passes.soac.simplify.simplify import apply_rules


@dataclass(frozen=True)
class Fold:
    """Folds sizes, and applies every rule of `soac-simplify` once, without code motion and dead code elimination.

    ```mlir
    %n = tensor.dim %ys, %c0 : tensor<?xf64>          %c = arith.cmpi eq, %m, %m : index
    %c = arith.cmpi eq, %n, %m : index
    ```
    when `%ys` is a map of width `%m`: loops whose widths are the same value can be merged.
    """

    name: ClassVar[str] = "soac-fold"
    skips_numbers: ClassVar[bool] = True

    def run(self, module: ir.Module) -> None:
        """One sweep over the module."""
        root = module.operation.opview
        fold_dims(root)
        apply_rules(root)
