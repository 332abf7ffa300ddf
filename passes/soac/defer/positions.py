"""Indices that go up or down by one with every iteration of a loop."""

from __future__ import annotations

from tapeless._mlir import arith, ir
from tapeless.passes.ir.scopes import is_defined_outside

UP, DOWN = 1, -1


def direction_of(index: ir.Value | int, loop: ir.OpView) -> int | None:
    """`UP` or `DOWN` for the number of an iteration plus or minus a loop-invariant value, and that minus it."""
    if isinstance(index, int):
        return None
    if index == loop.regions[0].blocks[0].arguments[0]:
        return UP
    if isinstance(index, ir.BlockArgument) or index.owner.operation.name not in ("arith.addi", "arith.subi"):
        return None
    left, right = index.owner.operands
    is_difference = index.owner.operation.name == "arith.subi"
    if is_defined_outside(right, loop.operation):
        return direction_of(left, loop)
    if is_defined_outside(left, loop.operation):
        direction = direction_of(right, loop)
        return -direction if direction is not None and is_difference else direction
    return None


def index_at(index: ir.Value, loop: ir.OpView, iteration: ir.Value) -> ir.Value:
    """The value of such an index in an iteration, computed at the insertion point."""
    if index == loop.regions[0].blocks[0].arguments[0]:
        return iteration
    if is_defined_outside(index, loop.operation):
        return index
    left, right = (index_at(operand, loop, iteration) for operand in index.owner.operands)
    make = arith.subi if index.owner.operation.name == "arith.subi" else arith.addi
    return make(left, right)
