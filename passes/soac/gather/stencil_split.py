"""`soac-stencil-split`: maps over an array after a slice of it was written, as maps over slice and borders."""

from __future__ import annotations

from typing import ClassVar

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.driver.inner import run_inner
from tapeless.passes.ir.search import holds
from tapeless.passes.ir.sizes.equal_sizes import EqualSizes
from tapeless.passes.soac.fuse.fuse import Fuse
from tapeless.passes.soac.simplify.prune import prune


@dataclass(frozen=True)
class StencilSplit:
    """Splits elementwise computations on an array at the slice that was written last, to fuse them with its producer.

    ```mlir
    %v = "soac.map"(%m, ...) ({ f })                        %v = "soac.map"(%m, ..., %ys) ({ g(f) })
    %x = tensor.insert_slice %v into %a[1] [%m] [1]         %0 = tensor.insert_slice %v into %a[1] [%m] [1]
    %z = "soac.map"(%n, %x, %y) ({ g })                     %1 = g of the elements before, %2 = g of those behind
    ```
    with %ys the slice of %y, and %z the array %0 with %1 and %2 in it. Slices are nearly all of the array, and nothing
    else looks at %x, %v and, from there on, %a. The merging of the two maps is left to `soac-fuse`.
    """

    name: ClassVar[str] = "soac-stencil-split"
    after: ClassVar[dict[str, str]] = {
        "soac-fuse": "it splits computations that could not be fused",
    }
    skips_numbers: ClassVar[bool] = True

    def run(self, module: ir.Module) -> None:
        """Looks at every block; checks before it say which sizes are equal."""
        root = module.operation.opview
        if not holds(root, "tensor.insert_slice"):
            return
        from tapeless.passes.soac.gather.split_maps import split_below

        if split_below(root, EqualSizes()):
            prune(root)
            run_inner(Fuse(), module)
