"""Where a change of sign costs nothing: `c - a * b` is one instruction if LLVM finds the sign next to the sum."""

from __future__ import annotations

from enum import IntEnum

from tapeless._mlir import arith, ir
from tapeless.passes.ir.scopes import is_used_once

PRODUCTS = ("arith.mulf", "arith.divf")
# LLVM moves a sign that follows one of these to what it is made of, where it costs instructions of its own: from
# what is used once, and from what it takes out of a vector that holds several arrays.
MOVES_IF_ALONE = (*PRODUCTS, "arith.select", "vector.broadcast", "vector.shuffle")
MOVES = ("memref.load", "vector.load")


class Cost(IntEnum):
    """The cost of changing the sign of a factor, from nothing to an instruction or two."""

    CONSTANT = 0
    MULTIPLE_OF_CONSTANT = 1
    BESIDE_THE_SUM = 2
    OUTSIDE_THE_LOOP = 3
    MOVES = 4


def signed_factors(product: ir.Operation, is_subtracted: bool) -> tuple[ir.Value, ir.Value]:
    """The factors of a product, the signs of which and of the product itself are put where they cost least."""
    factors = [_without_sign(factor) for factor in product.operands]
    is_negative = is_subtracted ^ any(sign for _, sign in factors) ^ all(sign for _, sign in factors)
    first, second = sorted((factor for factor, _ in factors), key=lambda factor: _cost(factor, product.block))
    return arith.NegFOp(first).result if is_negative else first, second


def _without_sign(factor: ir.Value) -> tuple[ir.Value, bool]:
    """A factor without its sign, and whether that changes."""
    op = factor.owner.operation if isinstance(factor, ir.OpResult) else None
    return (op.operands[0], True) if op is not None and op.name == "arith.negf" else (factor, False)


def _cost(factor: ir.Value, block: ir.Block) -> Cost:
    if not isinstance(factor, ir.OpResult):
        return Cost.BESIDE_THE_SUM if factor.owner == block else Cost.OUTSIDE_THE_LOOP
    op = factor.owner.operation
    if _is_constant(factor):
        return Cost.CONSTANT
    if op.block != block:
        return Cost.OUTSIDE_THE_LOOP
    is_alone = is_used_once(factor)
    if is_alone and op.name in PRODUCTS and any(map(_is_constant, op.operands)):
        return Cost.MULTIPLE_OF_CONSTANT
    is_moving = op.name in MOVES or (is_alone and op.name in MOVES_IF_ALONE)
    return Cost.MOVES if is_moving else Cost.BESIDE_THE_SUM


def _is_constant(value: ir.Value) -> bool:
    if not isinstance(value, ir.OpResult):
        return False
    op = value.owner.operation
    return op.name == "arith.constant" or (op.name == "vector.broadcast" and _is_constant(op.operands[0]))
