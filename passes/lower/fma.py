"""`lower-fma`: sums and the products that were marked for them become fused multiply-adds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from tapeless._mlir import arith, ir, math, vector
from tapeless.passes.soac.build import any_order, flags
from tapeless.passes.soac.contract import FUSED, SUMS


@dataclass(frozen=True)
class Fma:
    """Fuses marked products with their sums; what is left of the sums is computed as written.

    ```mlir
    %p = arith.mulf %a, %b fastmath<contract> {tapeless.fused}     %s = math.fma %a, %b, %c : f64
    %s = arith.addf %p, %c fastmath<contract>
    ```
    Sums lose the flags `contract` and `reassoc`, so that LLVM has nothing to decide by context; only the sums of
    reductions and accumulators keep theirs, which say `nsz` too. Without `fused`, for processors that have no such
    instruction, products and sums stay apart.
    """

    name: ClassVar[str] = "lower-fma"
    fused: bool = True

    def run(self, module: ir.Module) -> None:
        """Fuses or fixes every sum."""
        with module.context:
            fixed = {flags(), any_order()}
            none = ir.Attribute.parse("#arith.fastmath<none>")
            for sum_ in _sums(module):
                found = _marked_product(sum_) if self.fused else None
                if found is not None:
                    _fuse(sum_, *found)
                elif sum_.attributes["fastmath"] in fixed:
                    sum_.attributes["fastmath"] = none


def _sums(module: ir.Module) -> list[ir.Operation]:
    sums: list[ir.Operation] = []

    def collect(op: ir.Operation) -> ir.WalkResult:
        if op.name in SUMS:
            sums.append(op)
        return ir.WalkResult.ADVANCE

    module.operation.walk(collect)
    return sums


def _marked_product(sum_: ir.Operation) -> tuple[int, ir.Operation] | None:
    """The position and the operation of a marked product among the operands, perhaps the same in all lanes."""
    for position, operand in enumerate(sum_.operands):
        product = _behind_broadcast(operand)
        if product is not None and product.name == "arith.mulf" and FUSED in product.attributes:
            return position, product
    return None


def _behind_broadcast(value: ir.Value) -> ir.Operation | None:
    if not isinstance(value, ir.OpResult):
        return None
    op = value.owner.operation
    return _behind_broadcast(op.operands[0]) if op.name == "vector.broadcast" else op


def _fuse(sum_: ir.Operation, position: int, product: ir.Operation) -> None:
    """Replaces a sum; of a difference, a factor or the other term changes its sign."""
    old, other = sum_.operands[position], sum_.operands[1 - position]
    with ir.InsertionPoint(sum_), sum_.location:
        left, right = (_like(factor, other) for factor in sorted(product.operands, key=_cost_of_sign))
        if sum_.name == "arith.subf" and position == 0:
            other = arith.NegFOp(other).result
        elif sum_.name == "arith.subf":
            left = arith.NegFOp(left).result
        fused = math.FmaOp(left, right, other).result
    sum_.results[0].replace_all_uses_with(fused)
    sum_.erase()
    _erase_unused(old)


def _cost_of_sign(factor: ir.Value) -> int:
    """The lower, the better to change this factor's sign: constants take it in, and so do multiples by a constant.

    LLVM moves it into other products and quotients, where it costs an instruction of its own.
    """
    if _is_constant(factor):
        return 0
    if not isinstance(factor, ir.OpResult) or factor.owner.operation.name not in ("arith.mulf", "arith.divf"):
        return 2
    return 1 if any(_is_constant(operand) for operand in factor.owner.operation.operands) else 3


def _is_constant(value: ir.Value) -> bool:
    return isinstance(value, ir.OpResult) and value.owner.operation.name == "arith.constant"


def _like(factor: ir.Value, other: ir.Value) -> ir.Value:
    return factor if factor.type == other.type else vector.BroadcastOp(other.type, factor).result


def _erase_unused(value: ir.Value) -> None:
    """Removes a product, and the operation that spread it over lanes, once nothing needs them."""
    while isinstance(value, ir.OpResult) and not list(value.uses):
        op = value.owner.operation
        value = op.operands[0]
        if op.name not in ("arith.mulf", "vector.broadcast"):
            return
        op.erase()
