"""Arrays of a thread whose sizes change from one iteration of its own loops to the next, made as large as they get.

The host plans memory of sizes that it knows. A panel of a matrix (`min(first + 32, n) - first` rows) has a size of its
own in every iteration, but never more than one that the host knows. Only where a launch is known to have few threads
are arrays made that large: many threads with windows of a long array would have no memory for as much each.
"""

from __future__ import annotations

from tapeless._mlir import ir
from tapeless.passes.ir.search import ops_named
from tapeless.passes.ir.sizes.sizes import constant_int
from tapeless.passes.lower.in_block.bounds import Bounds
from tapeless.passes.lower.launches.grids.grid_nests import nest_of
from tapeless.passes.marks import EACH_THREAD, HEAP, LAUNCH

# Threads of launches whose arrays may be larger than they have to be: a guess.
MOST_THREADS = 256
ACCESSES = frozenset({"memref.load", "memref.store", "memref.dealloc"})


def bound_arrays(function: ir.Operation) -> None:
    """Gives arrays of threads sizes that are known before their launch, where there are few threads."""
    for view in ops_named(function.opview, "memref.alloc"):
        launch = _launch_of(view.operation)
        if launch is not None and _has_few_threads(launch) and _may_be_larger(view.operation):
            bounds = Bounds(launch, before=launch)
            with view.location:
                sizes = [bounds.most(size) for size in view.operands]
                known = [bounds.value(size) for size in sizes if size is not None]
            if len(known) < len(sizes):
                bounds.forget()
                continue
            for number, size in enumerate(known):
                view.operation.operands[number] = size


def _launch_of(op: ir.Operation) -> ir.Operation | None:
    """The launch whose threads make an array."""
    while op.name != "func.func":
        if LAUNCH in op.attributes:
            return op if ir.StringAttr(op.attributes[LAUNCH]).value == EACH_THREAD else None
        op = op.parent.operation
    return None


def _has_few_threads(launch: ir.Operation) -> bool:
    count = 1
    for loop in nest_of(launch):
        low, high, step = (constant_int(bound) for bound in list(loop.operands)[:3])
        if low is None or high is None or step is None:
            return False
        count *= max(0, -(-(high - low) // step))
    return count <= MOST_THREADS


def _may_be_larger(op: ir.Operation) -> bool:
    """Whether elements are read and written one by one, so that nobody sees the size."""
    uses = [use.owner.operation for use in op.results[0].uses]
    return HEAP not in op.attributes and all(user.name in ACCESSES for user in uses)
