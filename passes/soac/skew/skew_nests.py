"""`soac-skew-nests`: nests that fill a table from neighbours before, as loops over its antidiagonals."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.ir.array_loops import is_in_operator
from tapeless.passes.ir.build import is_array
from tapeless.passes.ir.costs import calls_function
from tapeless.passes.ir.search import holds, ops_named
from tapeless.passes.ir.sizes.shapes import remembered_sizes
from tapeless.passes.ir.sizes.sizes import constant_int
from tapeless.passes.soac.parallelise.whole_loops import differentiates_loops

if TYPE_CHECKING:
    from tapeless.passes.soac.skew.nests import TableNest
    from tapeless.passes.soac.skew.row_tables import RowTable

# Tables of fewer rows or columns have diagonals too short for threads and lanes.
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
    by diagonals. Rows that a loop hands on, each filled from the one before, are rows of a table first. Nests inside of
    operators, and those that could run side by side, stay as they are. With `costly`, so do nests whose cells wait for
    no function such as `exp`, which would be computed for several cells at once, and rows of which none are stored for
    a return sweep.
    """

    name: ClassVar[str] = "soac-skew-nests"
    after: ClassVar[dict[str, str]] = {
        "soac-simplify": "it finds loops in their simplest form",
    }

    costly: bool = False

    def run(self, module: ir.Module) -> bool:
        """Rewrites all such nests; says whether there were any."""
        root = module.operation.opview
        loops = [loop for loop in ops_named(root, "scf.for") if any(map(is_array, loop.results))]
        if not loops or differentiates_loops(root):
            return False
        from tapeless.passes.soac.skew.skewing import Skewing

        stores_rows = not self.costly or holds(root, "ad.vjp")
        with remembered_sizes():
            tables = [table for loop in loops if (table := self._row_table(loop)) is not None] if stores_rows else []
        for table in tables:
            table.carry_out()
        nests = [
            nest for loop in ops_named(root, "scf.for", outer_first=True) if (nest := self._nest(loop)) is not None
        ]
        for nest in nests:
            Skewing.of(nest).carry_out()
        return bool(tables or nests)

    def _nest(self, loop: ir.OpView) -> TableNest | None:
        """The nest of a loop whose cells would run side by side."""
        if is_in_operator(loop) or _is_short(loop):
            return None
        from tapeless.passes.soac.skew.nests import TableNest

        nest = TableNest.of(loop)
        return None if nest is None or _is_short(nest.inner) or self._is_cheap(nest) else nest

    def _row_table(self, loop: ir.OpView) -> RowTable | None:
        """The table of a loop that hands on rows."""
        from tapeless.passes.soac.skew.row_tables import RowTable

        table = None if is_in_operator(loop) or _is_short(loop) else RowTable.of(loop)
        return None if table is None or self._is_cheap(table) else table

    def _is_cheap(self, cells: TableNest | RowTable) -> bool:
        """Whether cells are left to run one after the other."""
        return self.costly and not any(calls_function(op) for op in cells.waiting())


def _is_short(loop: ir.OpView) -> bool:
    low, high = (constant_int(bound) for bound in list(loop.operands)[:2])
    return low is not None and high is not None and high - low < FEWEST_TRIPS
