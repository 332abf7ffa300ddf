"""`soac-mark-fma`: decides which products are fused into the sum that takes them in."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.ir.build import ANY_ORDER
from tapeless.passes.ir.scopes import is_used_once
from tapeless.passes.marks import FUSED
from tapeless.passes.soac.contract.known_updates import add_known_elements

SUMS = ("arith.addf", "arith.subf")


@dataclass(frozen=True)
class MarkFma:
    """Marks products that become fused multiply-adds, where product and sum have the flag `contract`.

    ```mlir
    %p = arith.mulf %a, %b fastmath<contract>     %p = arith.mulf %a, %b fastmath<contract> {tapeless.fused}
    %s = arith.addf %p, %c fastmath<contract>     %s = arith.addf %p, %c fastmath<contract>
    ```
    A product is marked if it is used once, in its own block, or only by sums of adjoints there, which may be reordered
    (`reassoc`): each of them takes it in, and the product itself is never made. Of two, a sum takes the first and a
    difference the second: subtracting a product is one instruction on all processors. LLVM would decide by what stands
    around the sum, and so differently for a vector, for the rest of a loop, or for a loop that threads share.

    Small arrays of known elements that are added to an accumulator are added one by one, each with its own product.
    """

    name: ClassVar[str] = "soac-mark-fma"
    after: ClassVar[dict[str, str]] = {
        "soac-factor": "it marks the products that factoring leaves",
    }

    def run(self, module: ir.Module) -> None:
        """Brings products beside their sums, then decides for every sum."""
        add_known_elements(module)
        with module.context:
            mark = ir.UnitAttr.get()

            def decide(op: ir.Operation) -> ir.WalkResult:
                is_sum = op.name in SUMS and may_contract(op)
                product = (fusible_product(op) or shared_product(op)) if is_sum else None
                if product is not None:
                    product.attributes[FUSED] = mark
                return ir.WalkResult.ADVANCE

            module.operation.walk(decide)


def mark_shared_products(block: ir.Block) -> None:
    """Marks the products in a block that only sums of adjoints need."""
    for op in block.operations:
        is_sum = op.operation.name in SUMS and may_contract(op.operation)
        product = shared_product(op.operation) if is_sum else None
        if product is not None:
            product.attributes[FUSED] = ir.UnitAttr.get()


def may_contract(op: ir.Operation) -> bool:
    """Whether an operation carries the flag, by itself or among all others."""
    flags = str(op.attributes["fastmath"])
    return "contract" in flags or "fast>" in flags


def fusible_product(sum_: ir.Operation) -> ir.Operation | None:
    """The product that a sum takes in, if it has one that nothing else needs."""
    return next((each for each in _products(sum_) if is_used_once(each.results[0])), None)


def shared_product(sum_: ir.Operation) -> ir.Operation | None:
    """The product that a sum of adjoints takes in, if it has one that only such sums need."""
    return next((each for each in _products(sum_) if _goes_to_adjoints(each)), None)


def _products(sum_: ir.Operation) -> Iterator[ir.Operation]:
    """The products among the terms of a sum that may become one with it, the one to take in first."""
    operands = list(sum_.operands)
    for operand in operands if sum_.name == "arith.addf" else reversed(operands):
        if isinstance(operand, ir.OpResult):
            product = operand.owner.operation
            if product.name == "arith.mulf" and product.block == sum_.block and may_contract(product):
                yield product


def _goes_to_adjoints(product: ir.Operation) -> bool:
    users = [use.owner.operation for use in product.results[0].uses]
    return len(set(users)) == len(users) and all(
        user.name in SUMS
        and user.block == product.block
        and user.attributes["fastmath"] == ir.Attribute.parse(ANY_ORDER)
        for user in users
    )
