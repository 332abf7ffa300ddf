"""Marked loops as kernels: a thread for each iteration, a block of threads for each, or several loops at once."""

from __future__ import annotations

from collections.abc import Sequence

from tapeless._mlir import arith, ir, scf
from tapeless.passes.lower.launches.grids.block_per_iteration import launch_blocks
from tapeless.passes.lower.launches.grids.iterations import GridNest, iterations, position
from tapeless.passes.lower.launches.grids.threads import THREADS_PER_BLOCK, launch_threads
from tapeless.passes.lower.launches.host.host import Host
from tapeless.passes.lower.launches.kernels.kernel import Kernel
from tapeless.passes.lower.launches.plan.integers import added, product, quotient
from tapeless.passes.lower.launches.plan.plan import Expr
from tapeless.passes.marks import EACH_BLOCK, LAUNCH


def launch(host: Host, loop: ir.Operation) -> None:
    """Makes a kernel of a marked loop and has it run."""
    host.flush()
    if ir.StringAttr(loop.attributes[LAUNCH]).value == EACH_BLOCK:
        launch_blocks(host, loop, iterations(host, loop))
    else:
        launch_threads(host, loop)


def launch_side_by_side(host: Host, loops: Sequence[ir.Operation]) -> None:
    """Makes one kernel of several marked loops; every block of threads works for one of them."""
    if len(loops) == 1:
        launch(host, loops[0])
        return
    host.flush()
    nests = [GridNest.of(host, loop) for loop in loops]
    counts = [host.plan.let(product(nest.counts)) for nest in nests]
    starts: list[Expr] = [0]
    for count in counts:
        starts.append(host.plan.let(added(starts[-1], quotient(count, THREADS_PER_BLOCK))))
    kernel = host.new_kernel(are_apart=True)
    with ir.Location.unknown(), ir.InsertionPoint(kernel.anchor):
        number, thread = position("gpu.block_id"), position("gpu.thread_id")
    with ir.Location.unknown(), kernel.begin(can_fail=host.can_fail):
        _choose(kernel, list(zip(nests, counts, starts, strict=False)), number, thread)
    host.launch(kernel, starts[-1], THREADS_PER_BLOCK)


def _choose(kernel: Kernel, parts: list[tuple[GridNest, Expr, Expr]], block: ir.Value, thread: ir.Value) -> None:
    """The part of a block by its number, in as few questions as possible; then the iteration of the thread."""
    index = ir.IndexType.get()
    if len(parts) > 1:
        middle = len(parts) // 2
        is_before = arith.cmpi(arith.CmpIPredicate.ult, block, kernel.known(parts[middle][2], index))
        branch = scf.IfOp(is_before, has_else=True)
        for place, half in ((branch.then_block, parts[:middle]), (branch.else_block, parts[middle:])):
            with ir.InsertionPoint(place):
                _choose(kernel, half, block, thread)
                scf.YieldOp([])
        return
    nest, count, start = parts[0]
    own = arith.subi(block, kernel.known(start, index))
    iteration = arith.addi(arith.muli(own, arith.constant(index, THREADS_PER_BLOCK)), thread)
    inside = scf.IfOp(arith.cmpi(arith.CmpIPredicate.ult, iteration, kernel.known(count, index)))
    with ir.InsertionPoint(inside.then_block):
        nest.run(kernel, iteration)
        scf.YieldOp([])
