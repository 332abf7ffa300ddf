"""`soac-factor`: factors that the terms of an adjoint have in common are multiplied once."""

from __future__ import annotations

from typing import ClassVar

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.ir.build import any_order, flags
from tapeless.passes.ir.guards import usual_regions
from tapeless.passes.soac.factor.factoring import Rewriter


@dataclass(frozen=True)
class Factor:
    """Factors sums of products whose order is free, as reverse mode makes them, to fewer multiplications.

    ```mlir
    %0 = arith.mulf %a, %s fastmath<reassoc,contract>       %0 = arith.addf %a, %b fastmath<reassoc,contract>
    %1 = arith.mulf %b, %s fastmath<reassoc,contract>       %1 = arith.mulf %0, %s fastmath<contract>
    %2 = arith.addf %0, %1 fastmath<reassoc,contract>
    ```
    A product's second operand is its factor. Factors are never multiplied with each other, so that a zero stays zero
    unless a factor itself is infinite; no product keeps the flag, or LLVM would. A block keeps its operations unless
    the new ones are fewer by a tenth.
    """

    name: ClassVar[str] = "soac-factor"

    def run(self, module: ir.Module) -> None:
        """Rewrites every block."""
        with ir.Location.unknown(module.context):
            _factor_below(module.operation.opview)


def _factor_below(root: ir.OpView, *, is_rare: bool = False) -> None:
    """Rewrites the blocks of an operation; in second ways of guarded branches products stay as they were written."""
    usual = len(usual_regions(root))
    for number, region in enumerate(root.operation.regions):
        is_second_way = is_rare or number >= usual
        for block in region.blocks:
            if not is_second_way:
                Rewriter(block).run()
            for op in block.operations:
                if op.operation.name == "arith.mulf" and op.operation.attributes["fastmath"] == any_order():
                    op.operation.attributes["fastmath"] = flags()
                _factor_below(op, is_rare=is_second_way)
