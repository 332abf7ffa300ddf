"""`lower-fma`: sums and the products that were marked for them become fused multiply-adds."""

from __future__ import annotations

from typing import ClassVar

from tapeless._mlir import arith, ir, llvm, math, vector
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.lower.arithmetic.fastmath import AS_WRITTEN
from tapeless.passes.lower.arithmetic.short_sums import fix_short_sums, is_summed_in_vectors
from tapeless.passes.lower.arithmetic.signs import signed_factors
from tapeless.passes.lower.arithmetic.wide_totals import FREE, reorder_wide_totals
from tapeless.passes.marks import ATOMIC, FUSED
from tapeless.passes.soac.contract.mark_fma import SUMS, fusible_product

# The flags of sums as passes make them, and what of these LLVM gets.
LEFT = {
    "#arith.fastmath<contract>": "#arith.fastmath<none>",
    "#arith.fastmath<reassoc,contract>": "#arith.fastmath<none>",
    "#arith.fastmath<reassoc,nsz,contract>": "#arith.fastmath<reassoc,nsz>",
}


@dataclass(frozen=True)
class Fma:
    """Contracts marked products with their sums to fused multiply-adds; other sums are computed as written.

    ```mlir
    %p = arith.mulf %a, %b fastmath<contract> {tapeless.fused}     %s = math.fma %a, %b, %c : f64
    %s = arith.addf %p, %c fastmath<contract>
    ```
    No sum keeps the flag `contract`, and only the sums of reductions and accumulators, which say `nsz` too, keep
    `reassoc`, short ones outside of parts excepted (`fixed_sums.py`): LLVM has nothing else to decide by context. A
    product in the block of such a sum becomes one with it as `llvm.intr.fmuladd`, of which LLVM still makes several
    sums. Without `fused`, for processors that have no such instruction, products and sums stay apart, as they do in
    short sums that LLVM makes vectors of (`short_sums.py`). Where the program's own `flags` have `reassoc`, everything
    is left to LLVM.
    """

    name: ClassVar[str] = "lower-fma"
    after: ClassVar[dict[str, str]] = {
        "soac-mark-fma": "it fuses the products that are marked there",
        "lower-vectorise": "it takes away the flags by which sums are reordered",
    }
    fused: bool = True
    vector_bits: int = 512
    flags: tuple[str, ...] = AS_WRITTEN

    @property
    def is_idle(self) -> bool:
        """Whether LLVM may choose the order of all sums."""
        return "reassoc" in self.flags

    def run(self, module: ir.Module) -> None:
        """Fuses or fixes every sum."""
        with module.context:
            left = {ir.Attribute.parse(made): ir.Attribute.parse(kept) for made, kept in LEFT.items()}
            free = ir.Attribute.parse(FREE)
            fix_short_sums(module)
            if self.fused:
                reorder_wide_totals(module, self.vector_bits)
            for sum_ in _sums(module):
                is_fused = self.fused and (_fuse_marked(sum_) or _fuse_free(sum_, free))
                if not is_fused and sum_.attributes["fastmath"] in left:
                    sum_.attributes["fastmath"] = left[sum_.attributes["fastmath"]]


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


def _fuse_free(sum_: ir.Operation, free: ir.Attribute) -> bool:
    """Fuses the sum of a reduction or an accumulator with the product that it takes in, if it has one."""
    if sum_.name != "arith.addf" or sum_.attributes["fastmath"] != free or ATOMIC in sum_.attributes:
        return False
    product = None if is_summed_in_vectors(sum_) else fusible_product(sum_)
    if product is None:
        return False
    (other,) = [value for value in sum_.operands if value != product.results[0]]
    with ir.InsertionPoint(sum_), sum_.location:
        flags = ir.Attribute.parse("#llvm.fastmath<nsz, reassoc>")
        factors = signed_factors(product, is_subtracted=False)
        fused = llvm.FMulAddOp(*factors, other, fastmathFlags=flags).result
    sum_.results[0].replace_all_uses_with(fused)
    sum_.erase()
    product.erase()
    return True


def _fuse_marked(sum_: ir.Operation) -> bool:
    """Fuses a sum with its marked product; of a difference, a factor or the other term changes its sign."""
    found = _marked_product(sum_)
    if found is None:
        return False
    position, product = found
    old, other = sum_.operands[position], sum_.operands[1 - position]
    with ir.InsertionPoint(sum_), sum_.location:
        is_difference = sum_.name == "arith.subf"
        factors = signed_factors(product, is_subtracted=is_difference and position == 1)
        left, right = (_like(factor, other) for factor in factors)
        if is_difference and position == 0:
            other = arith.NegFOp(other).result
        fused = math.FmaOp(left, right, other).result
    sum_.results[0].replace_all_uses_with(fused)
    sum_.erase()
    _erase_unused(old)
    return True


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
