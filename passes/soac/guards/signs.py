"""Signs of the results of a guarded branch: applied after it, where sums absorb them."""

from __future__ import annotations

from tapeless._mlir import arith, ir
from tapeless.passes.ir.build import any_order


def take_signs_out(branch: ir.Operation) -> None:
    """Lets the first way give a value where it gave the negative of it."""
    first, second = (list(region.blocks[0].operations)[-1].operation for region in branch.regions)
    for place, result in enumerate(branch.results):
        negated = first.operands[place]
        if isinstance(negated, ir.BlockArgument) or negated.owner.name != "arith.negf":
            continue
        uses = [(use.owner, use.operand_number) for use in result.uses]
        with ir.InsertionPoint(second), second.location:
            second.operands[place] = arith.NegFOp(second.operands[place], fastmath=any_order()).result
        first.operands[place] = negated.owner.operands[0]
        with ir.InsertionPoint.after(branch), branch.location:
            again = arith.NegFOp(result, fastmath=any_order()).result
        for owner, number in uses:
            owner.operands[number] = again
