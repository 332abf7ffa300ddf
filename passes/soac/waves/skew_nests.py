"""`soac-skew-nests`: for GPUs, nests that fill a table from neighbours before, as loops over its antidiagonals."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from tapeless._mlir import ir
from tapeless.passes.ir.array_loops import is_in_operator
from tapeless.passes.ir.search import ops_named
from tapeless.passes.ir.sizes.sizes import constant_int
from tapeless.passes.soac.waves.nests import Nest
from tapeless.passes.soac.waves.skewing import Skewing

REQUESTS = ("ad.vjp", "ad.jvp")
# Tables of fewer rows or columns have diagonals too short for threads.
FEWEST_TRIPS = 9


@dataclass(frozen=True)
class SkewNests:
    """Skews nests of two loops in which a cell waits for cells above it and to its left (loop skewing).

    ```mlir
    scf.for %i {                              scf.for %d {
      scf.for %j {                              %up = tensor.extract_slice %cells[%d - 1, ...]
        %up = tensor.extract %h[%i - 1, %j]     %left = tensor.extract_slice %cells[%d - 1, ...]
        %left = tensor.extract %h[%i, %j - 1]   %x = "soac.map"(%length, %up, %left) ({ f })
        %x = f(%up, %left)                      tensor.insert_slice %x into %cells[%d, ...]
        tensor.insert %x into %h[%i, %j]
    ```
    The cells of an antidiagonal do not depend on each other. What they need of anything but their neighbours is
    computed for all of them before the loop, so that its derivative is one operator, too. Sums over all cells are taken
    by diagonals. Nests inside of operators, and those that could run side by side, stay as they are.
    """

    name: ClassVar[str] = "soac-skew-nests"
    after: ClassVar[dict[str, str]] = {
        "soac-simplify": "it finds loops in their simplest form",
    }

    def run(self, module: ir.Module) -> bool:
        """Rewrites all such nests; says whether there were any."""
        root = module.operation.opview
        if any(op.method.value == "coarsened" for op in ops_named(root, *REQUESTS)):
            return False
        nests = [nest for loop in ops_named(root, "scf.for", outer_first=True) if (nest := _nest(loop)) is not None]
        changed = False
        for nest in nests:
            skewing = Skewing.of(nest)
            if skewing is not None:
                skewing.carry_out()
                changed = True
        return changed


def _nest(loop: ir.OpView) -> Nest | None:
    """The nest of a loop that threads would share."""
    if is_in_operator(loop) or _is_short(loop):
        return None
    nest = Nest.of(loop)
    return None if nest is None or _is_short(nest.inner) else nest


def _is_short(loop: ir.OpView) -> bool:
    low, high = (constant_int(bound) for bound in list(loop.operands)[:2])
    return low is not None and high is not None and high - low < FEWEST_TRIPS
