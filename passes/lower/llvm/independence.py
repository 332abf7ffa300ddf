"""Innermost loops whose iterations are independent, so that LLVM can vectorise them without looking at addresses."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from itertools import combinations

from tapeless._mlir import ir
from tapeless.passes.ir.sizes.sizes import constant_int
from tapeless.passes.marks import PARALLEL

SUMS = frozenset({"arith.addi", "arith.subi"})


def is_independent(loop: ir.Operation) -> bool:
    """Whether no iteration of an innermost loop touches what another one writes.

    Iterations of a map write nothing that others read or write, but for temporaries that they share. So every store has
    to be at an index that moves with the loop, and two stores into one buffer at the same one or in different slabs.
    """
    if PARALLEL not in loop.attributes:
        return False
    variable = loop.regions[0].blocks[0].arguments[0]
    inside = list(_operations(loop))
    if any(op.name in ("scf.for", "scf.while") or op.name.startswith("vector.") for op in inside):
        return False
    if any(op.name == "func.call" and any(map(_is_memory, op.operands)) for op in inside):
        return False
    stores = [op for op in inside if op.name == "memref.store"]
    return all(map(partial(_moves, variable), stores)) and all(
        _never_meet(variable, first, second)
        for together in _by_buffer(stores)
        for first, second in combinations(together, 2)
    )


def _is_memory(value: ir.Value) -> bool:
    return isinstance(value.type, ir.MemRefType)


def _by_buffer(stores: list[ir.Operation]) -> Iterable[list[ir.Operation]]:
    """The stores into each buffer."""
    found: dict[ir.Value, list[ir.Operation]] = {}
    for store in stores:
        found.setdefault(store.operands[1], []).append(store)
    return found.values()


def _moves(variable: ir.BlockArgument, store: ir.Operation) -> bool:
    return any(_moves_with(variable, index) for index in list(store.operands)[2:])


def _never_meet(variable: ir.BlockArgument, first: ir.Operation, second: ir.Operation) -> bool:
    """Whether two stores into one buffer write the same elements only in the same iteration."""
    pairs = list(zip(list(first.operands)[2:], list(second.operands)[2:], strict=True))
    numbers = [(constant_int(a), constant_int(b)) for a, b in pairs]
    in_other_slabs = any(a is not None and b is not None and a != b for a, b in numbers)
    return in_other_slabs or any(a == b and _moves_with(variable, a) for a, b in pairs)


def _moves_with(variable: ir.BlockArgument, index: ir.Value) -> bool:
    """Whether an index is the loop's variable, moved by something that the loop does not change, or mirrored at it."""
    if index == variable:
        return True
    if isinstance(index, ir.BlockArgument) or index.owner.operation.name not in SUMS:
        return False
    left, right = index.owner.operands
    moved = [other for value, other in ((left, right), (right, left)) if value == variable]
    return len(moved) == 1 and _is_outside(moved[0], variable.owner)


def _is_outside(value: ir.Value, body: ir.Block) -> bool:
    block = value.owner if isinstance(value, ir.BlockArgument) else value.owner.operation.block
    while block != body and block.owner.operation.name != "func.func":
        block = block.owner.operation.block
    return block != body


def _operations(op: ir.Operation) -> Iterator[ir.Operation]:
    for region in op.regions:
        for block in region.blocks:
            for inner in block.operations:
                yield inner.operation
                yield from _operations(inner.operation)
