"""Nests of independent loops that one grid runs: a thread for each iteration of the innermost.

Between the loops of such a nest there is only what threads may repeat: a few operations on numbers, and loads from
arrays that the inner loop does not write.
"""

from __future__ import annotations

from collections.abc import Collection

from tapeless._mlir import ir
from tapeless.passes.ir.search import ops_named
from tapeless.passes.marks import ACCUMULATING, LAUNCH, PARALLEL

STORE, ATOMIC_UPDATE = "memref.store", "memref.atomic_rmw"
MOST_REPEATED = 64
TESTS = ("math.isfinite", "math.isnan")
REPEATED = ("arith.", *TESTS, "memref.load", "memref.dim", "memref.cast", "memref.reinterpret_cast")


def launches_in(root: ir.Operation) -> list[ir.Operation]:
    """The loops below an operation that are launches of kernels; as no launch holds another, none is entered."""
    found: list[ir.Operation] = []

    def visit(op: ir.Operation) -> ir.WalkResult:
        if op.name == "scf.for" and LAUNCH in op.attributes:
            found.append(op)
            return ir.WalkResult.SKIP
        return ir.WalkResult.ADVANCE

    root.walk(visit, ir.WalkOrder.PRE_ORDER)
    return found


def nest_of(loop: ir.Operation, planned: Collection[ir.Operation] = ()) -> list[ir.Operation]:
    """The loops of the largest nest, the given one first, whose bounds are all known before it.

    Allocations that are `planned` have memory for each thread, whatever iteration it works on.
    """
    loops, made = [loop], set(loop.regions[0].blocks[0].arguments)
    while (inner := _inner_loop(loops[-1], planned)) is not None:
        between = _before(loops[-1])
        made.update(result for op in between for result in op.results)
        if any(bound in made for bound in list(inner.operands)[:3]):
            break
        loops.append(inner)
        made.update(inner.regions[0].blocks[0].arguments)
    return loops


def _before(loop: ir.Operation) -> list[ir.Operation]:
    """The operations of a loop before the loop that is its last operation."""
    return [view.operation for view in loop.regions[0].blocks[0].operations][:-2]


def _inner_loop(loop: ir.Operation, planned: Collection[ir.Operation]) -> ir.Operation | None:
    """The independent loop that ends an iteration of this one, if all before it can be repeated."""
    operations = [op for view in loop.regions[0].blocks[0].operations if (op := view.operation) not in planned]
    if len(operations) < 2 or len(operations) > MOST_REPEATED:
        return None
    inner = operations[-2]
    if inner.name != "scf.for" or len(inner.results) or not _is_independent(inner):
        return None
    before = operations[:-2]
    written = {op.operands[1] for name in (STORE, ATOMIC_UPDATE) for op in ops_named(inner.opview, name)}
    is_repeatable = all(
        op.name.startswith(REPEATED) and (op.name != "memref.load" or op.operands[0] not in written) for op in before
    )
    return inner if is_repeatable else None


def _is_independent(loop: ir.Operation) -> bool:
    """Whether threads may share the iterations of a loop: independent ones, or such as only update atomically."""
    if PARALLEL in loop.attributes:
        return True
    is_atomic = bool(ops_named(loop.opview, ATOMIC_UPDATE)) and not ops_named(loop.opview, STORE)
    return ACCUMULATING in loop.attributes and is_atomic
