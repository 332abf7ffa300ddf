"""The pass `lower-stage-in-shared-memory` stages rows of threads in shared memory, for coalesced accesses."""

from __future__ import annotations

from typing import ClassVar

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.lower.launches.grids.grid_nests import launches_in
from tapeless.passes.lower.records.bring_rows import bring
from tapeless.passes.lower.records.records_written import records_of
from tapeless.passes.lower.records.rows_read import rows_read
from tapeless.passes.lower.records.staging import stage
from tapeless.passes.marks import EACH_THREAD, LAUNCH


@dataclass(frozen=True)
class Records:
    """Stages rows that threads read or write in shared memory, so that global accesses are coalesced.

    Threads that write some elements of a record each touch as many lines of memory as there are threads, with every
    single store. Copied by the block, neighbouring threads write neighbouring elements. Rows that threads read element
    by element, each its own, are brought to shared memory by the block before.

    ```mlir
    scf.for %i = 0 to %n {                        scf.for %b = 0 to ceil(%n / 128) {
      memref.store %x, %r[%i, %c0]                  %tile = memref.alloca() : memref<384xf64, workgroup>
      memref.store %y, %r[%i, %c1]                  scf.for %t = 0 to 128 {
      memref.store %z, %r[%i, %c2]                    memref.store %x, %tile[%t * 3 + 0]  ...
    } {tapeless.launch = "each thread"}             } {tapeless.threads}
                                                    scf.for %t = 0 to 128 {
                                                      // %r's elements of the block from %tile, every 128th
                                                    } {tapeless.threads}
                                                  } {tapeless.launch = "each block"}
    ```
    """

    name: ClassVar[str] = "lower-stage-in-shared-memory"

    def run(self, module: ir.Module) -> None:
        """Changes the launches of the module that write records."""
        for loop in launches_in(module.operation):
            if ir.StringAttr(loop.attributes[LAUNCH]).value == EACH_THREAD:
                records = records_of(loop)
                rows = [] if records else rows_read(loop)
                with module.context, loop.location:
                    if records:
                        stage(loop, records)
                    elif rows:
                        bring(loop, rows)
