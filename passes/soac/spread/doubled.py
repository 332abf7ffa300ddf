"""Products that are added to themselves: the cotangent is doubled, not the product.

The adjoint of a square is `g * x + g * x`. The cotangent `g` often depends on less than the factor does, so that
`(g + g) * x` is one product for each element of a sum, and takes one operation together with the addition to it.
"""

from __future__ import annotations

from tapeless._mlir import arith, ir
from tapeless.passes.ir.build import any_order
from tapeless.passes.ir.search import ops_named


def double_cotangents(root: ir.OpView) -> None:
    """Rewrites such sums where the order of products is free; a product's second operand is its factor."""
    for op in ops_named(root, "arith.addf"):
        product, other = op.operands
        made = product.owner
        if product != other or not isinstance(product, ir.OpResult) or made.operation.name != "arith.mulf":
            continue
        if any(each.operation.attributes["fastmath"] != any_order() for each in (op, made)):
            continue
        cotangent, factor = made.operands
        with op.location, ir.InsertionPoint(op):
            twice = arith.AddFOp(cotangent, cotangent, fastmath=any_order()).result
            found = arith.MulFOp(twice, factor, fastmath=any_order()).result
        op.results[0].replace_all_uses_with(found)
        op.operation.erase()
        if not list(product.uses):
            made.operation.erase()
