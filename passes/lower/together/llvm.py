"""Of which loops LLVM makes lanes, so that they are left to it."""

from __future__ import annotations

from tapeless._mlir import ir
from tapeless.passes.lower.vectorise.walking import body_of, indices_of, is_made_in, nested, op_name
from tapeless.passes.marks import PARALLEL

LOAD, STORE = "memref.load", "memref.store"
SUMS = ("arith.addi", "arith.subi")


def makes_lanes(loop: ir.Operation, *, in_pairs: bool) -> bool:
    """Whether it does: of maps of neighbouring elements, and of chains where that is worth more than pairs of numbers.

    Iterations that follow one another hand cells on, which is no obstacle where it is known which they are.
    """
    body = list(nested(body_of(loop)))
    if PARALLEL in loop.attributes:
        accesses = [op for op in body if op_name(op) in (LOAD, STORE)]
        return all(_is_neighbour(op, loop) for op in accesses)
    stores = [op for op in body if op_name(op) == STORE]
    return not in_pairs and all(_is_known(index, loop) for op in stores for index in indices_of(op))


def _is_neighbour(access: ir.Operation, loop: ir.Operation) -> bool:
    """Whether the next iteration reaches the next element, or the same one."""
    *others, last = indices_of(access)
    return not any(is_made_in(index, loop) for index in others) and _is_known(last, loop)


def _is_known(index: ir.Value, loop: ir.Operation) -> bool:
    """Whether an index is a sum of the loop's variable and of what it does not change."""
    if index == body_of(loop).arguments[0] or not is_made_in(index, loop):
        return True
    if isinstance(index, ir.BlockArgument):
        return False
    name = op_name(index.owner)
    return name == "arith.constant" or (name in SUMS and all(_is_known(each, loop) for each in index.owner.operands))
