"""The pass `lower-vectorise`: outer parallel loops become vector code."""

from __future__ import annotations

import contextlib
from typing import ClassVar

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.lower.vectorise.emit.emit import vectorise
from tapeless.passes.lower.vectorise.lanes import NotVectorisable
from tapeless.passes.lower.vectorise.panels.jam import jam
from tapeless.passes.lower.vectorise.plan import LanePlan, plan_loop
from tapeless.passes.lower.vectorise.renaming import split_reused_buffers
from tapeless.passes.lower.vectorise.walking import body_of, op_name
from tapeless.passes.marks import ACCUMULATING


@dataclass(frozen=True)
class Vectorise:
    """Vectorises the iterations of loops that have loops inside (outer-loop vectorisation).

    LLVM vectorises innermost loops; this pass takes the parallel or summing loops around them, when their lanes read
    neighbouring or shared elements, or rows that are worth transposing once per block.

    ```mlir
    scf.for %j = %c0 to %m step %c1 {                     scf.for %j = %c0 to %m step %c8 {
      %s = scf.for %k ... iter_args(%acc = %z) {            %s = scf.for %k ... iter_args(%acc = %zs) {
        %b = memref.load %B[%k, %j]                           %b = vector.load %B[%k, %j] : vector<8xf64>
    ```
    """

    name: ClassVar[str] = "lower-vectorise"
    after: ClassVar[dict[str, str]] = {
        "lower-speculate-guards": "a guarded branch keeps a loop from becoming vectors",
        "lower-peel": "so do the guards of borders",
    }
    skips_numbers: ClassVar[bool] = True
    vector_bits: int = 512
    unroll: int = 2
    wide: int = 8

    def run(self, module: ir.Module) -> None:
        """Vectorises the best loop of every nest in the module."""
        for function in module.body.operations:
            for region in function.operation.regions:
                for block in region.blocks:
                    self._run_block(block)

    def _run_block(self, block: ir.Block) -> None:
        for op in [op for op in block.operations if len(op.operation.regions)]:
            plan = self._best(op)
            if plan is not None:
                vectorise(plan)
                continue
            for region in op.operation.regions:
                for inner in region.blocks:
                    self._run_block(inner)

    def _plans(self, op: ir.Operation) -> list[LanePlan]:
        """The plans for `op` and for the loops that it wraps without any other work; none around tiled products."""
        if op_name(op) != "scf.for" or self._wraps_products(op):
            return []
        plans = []
        if ACCUMULATING in op.operation.attributes:
            split_reused_buffers(op)
        with contextlib.suppress(NotVectorisable):
            plan = plan_loop(op, self.vector_bits, self.unroll, self.wide)
            plans.append(jam(plan, self.vector_bits))
        loops = [inner for inner in body_of(op).operations if op_name(inner) == "scf.for"]
        return plans + (self._plans(loops[0]) if len(loops) == 1 else [])

    def _best(self, op: ir.Operation) -> LanePlan | None:
        """The cheapest plan for a nest."""
        return min(self._plans(op), key=lambda plan: plan.cost, default=None)

    def _wraps_products(self, op: ir.Operation) -> bool:
        """Whether a loop holds several nests that run in register tiles, as products of matrices do, and only these."""
        *body, _ = body_of(op).operations
        loops = [inner for inner in body if op_name(inner) == "scf.for"]
        if len(loops) < 2 or any(len(inner.operation.regions) for inner in body if inner not in loops):
            return False
        return all((plan := self._best(inner)) is not None and plan.jam is not None for inner in loops)
