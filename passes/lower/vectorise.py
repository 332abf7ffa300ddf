"""The pass `lower-vectorise`: outer parallel loops become vector code."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass
from typing import ClassVar

from tapeless._mlir import ir
from tapeless.passes.lower.spmd.accumulations import LOOP_MARK
from tapeless.passes.lower.spmd.blocks import body_of, op_name
from tapeless.passes.lower.spmd.emit import vectorise
from tapeless.passes.lower.spmd.jam import jam
from tapeless.passes.lower.spmd.lanes import NotVectorisable
from tapeless.passes.lower.spmd.plan import Plan, plan_loop
from tapeless.passes.lower.spmd.renaming import split_reused_buffers


@dataclass(frozen=True)
class Vectorise:
    """Runs the iterations of a loop that has loops inside as the lanes of vectors.

    LLVM vectorises innermost loops; this pass takes the parallel or summing loops around them, when their lanes read
    neighbouring or shared elements, or rows that are worth transposing once per block.

    ```mlir
    scf.for %j = %c0 to %m step %c1 {                     scf.for %j = %c0 to %m step %c8 {
      %s = scf.for %k ... iter_args(%acc = %z) {            %s = scf.for %k ... iter_args(%acc = %zs) {
        %b = memref.load %B[%k, %j]                           %b = vector.load %B[%k, %j] : vector<8xf64>
    ```
    """

    name: ClassVar[str] = "lower-vectorise"
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
        for op in list(block.operations):
            plans = self._plans(op)
            if plans:
                vectorise(min(plans, key=lambda plan: plan.cost))
                continue
            for region in op.operation.regions:
                for inner in region.blocks:
                    self._run_block(inner)

    def _plans(self, op: ir.Operation) -> list[Plan]:
        """The plans for `op` and for the loops that it wraps without any other work."""
        if op_name(op) != "scf.for":
            return []
        plans = []
        if LOOP_MARK in op.operation.attributes:
            split_reused_buffers(op)
        with contextlib.suppress(NotVectorisable):
            plan = plan_loop(op, self.vector_bits, self.unroll, self.wide)
            plans.append(jam(plan, self.vector_bits))
        loops = [inner for inner in body_of(op).operations if op_name(inner) == "scf.for"]
        return plans + (self._plans(loops[0]) if len(loops) == 1 else [])
