"""`soac-stencil-gather`: sums into overlapping slices as one loop over the array that is added to."""

from __future__ import annotations

from typing import ClassVar

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.ir.search import holds
from tapeless.passes.ir.sizes.equal_sizes import EqualSizes
from tapeless.passes.soac.simplify.prune import prune


@dataclass(frozen=True)
class StencilGather:
    """Turns additions of slices into a stencil: every element gathers its addends from several slices.

    ```mlir
    %0 = tensor.extract_slice %x[0] [%m] [1]           %y = "soac.map"(%n, %x) ({
    %1 = "soac.map"(%m, %0, %a) ({ addf })             ^bb0(%i: index, %e: f64):
    %2 = tensor.insert_slice %1 into %x[0] [%m] [1]      if %i < %m: add %a[%i]
    %3 = tensor.extract_slice %2[2] [%m] [1]             if %i >= 2: add %b[%i - 2]
    %4 = "soac.map"(%m, %3, %b) ({ addf })             })
    %y = tensor.insert_slice %4 into %2[2] [%m] [1]
    ```
    Slices are nearly all of the array, so that few elements are outside of one; the loop is cut there by `lower-peel`.
    What is computed next to free from one number is not stored for it. Up to `most_products` slices of a vector also
    compute it from two; in more dimensions, reading the rows around is worth more than what is stored once. Sums are
    taken in the order of the program.
    """

    name: ClassVar[str] = "soac-stencil-gather"
    skips_numbers: ClassVar[bool] = True
    most_products: int = 3

    def run(self, module: ir.Module) -> None:
        """Looks at every block; checks before it say which sizes are equal."""
        root = module.operation.opview
        if not holds(root, "tensor.insert_slice"):
            return
        from tapeless.passes.soac.gather.sums_into_slices import gather_below

        if gather_below(root, EqualSizes(), self.most_products):
            prune(root)
