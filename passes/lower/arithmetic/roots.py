"""The pass `lower-expand-vector-sqrt`: roots of vectors go by Newton's method where a loop would wait for them."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import ClassVar

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.lower.math.lanes import Lanes
from tapeless.passes.lower.math.newton import can_be_estimated, root
from tapeless.passes.lower.vectorise.emit.emit import vectorise
from tapeless.passes.lower.vectorise.lanes import NotVectorisable
from tapeless.passes.lower.vectorise.plain_maps import plan_plain_map
from tapeless.passes.lower.vectorise.walking import op_name

ROOT, DIVISION = "math.sqrt", "arith.divf"
# In the time of a root of a register, so many other operations on registers can begin; Newton's method takes 14.
ROOT_COST, DIVISION_COST, NEWTON_COST = 48, 32, 14
# What functions take, which are still single operations.
FUNCTION_COST = 20
SINGLE = ("math.fma", "math.absf", "math.copysign")


@dataclass(frozen=True)
class Roots:
    """Expands roots of vectors of doubles by Newton's method, with the same bits, on processors with `estimates`.

    ```mlir
    %r = math.sqrt %x : vector<8xf64>        %r = scf.if %all_ordinary -> (vector<8xf64>) {
                                               %e = llvm.call_intrinsic "llvm.x86.avx512.rsqrt14.pd.512"(%x, %x, %mask)
                                               ...
                                             } else {
                                               %s = math.sqrt %x : vector<8xf64>
    ```
    Roots and divisions take turns in one unit of the processor, products and sums run beside it: it is done where
    roots and divisions of a block take longer than all that it computes otherwise. For that, lanes run innermost maps
    of neighbouring elements, which are left to LLVM elsewhere.
    """

    name: ClassVar[str] = "lower-expand-vector-sqrt"
    after: ClassVar[dict[str, str]] = {
        "lower-vectorise": "it rewrites roots of vectors",
    }
    estimates: bool = False
    vector_bits: int = 512

    @property
    def is_idle(self) -> bool:
        """Whether the processor gives no estimates."""
        return not self.estimates

    def run(self, module: ir.Module) -> None:
        """Replaces the roots that are waited for."""
        if self.is_idle:
            return
        with module.context:
            blocks = _blocks_with_roots(module)
            for block in blocks:
                if _waited_for(block, ir.F64Type.get().__eq__):
                    with contextlib.suppress(NotVectorisable):
                        vectorise(plan_plain_map(block.owner.operation, self.vector_bits))
            again = _blocks_with_roots(module) if blocks else []
            for found in [op for block in again for op in _waited_for(block, can_be_estimated)]:
                with ir.InsertionPoint(found), found.location:
                    found.result.replace_all_uses_with(root(Lanes(found.operands[0])).value)
                found.erase()


def _blocks_with_roots(module: ir.Module) -> list[ir.Block]:
    found: list[ir.Block] = []

    def collect(op: ir.Operation) -> ir.WalkResult:
        if op.name == ROOT and op.block not in found:
            found.append(op.block)
        return ir.WalkResult.ADVANCE

    module.operation.walk(collect)
    return found


def _waited_for(block: ir.Block, is_taken: Callable[[ir.Type], bool]) -> list[ir.Operation]:
    """The roots of certain types in a block, if they take long beside its other operations."""
    ops = [op.operation for op in block.operations if any(is_taken(value.type) for value in op.operation.results)]
    roots = [op for op in ops if op_name(op) == ROOT]
    divisions = sum(op_name(op) == DIVISION for op in ops)
    others = sum(_cost(op) for op in ops if op_name(op) not in (ROOT, DIVISION))
    gain = (ROOT_COST - NEWTON_COST) * len(roots) + DIVISION_COST * divisions
    return roots if others < gain else []


def _cost(op: ir.Operation) -> int:
    if op_name(op).startswith("arith.") or op_name(op) in SINGLE:
        return 0 if op_name(op) == "arith.constant" else 1
    return FUNCTION_COST if op_name(op).startswith(("math.", "soac.fn")) else 0
