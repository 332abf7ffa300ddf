"""A thread for each iteration of a nest of marked loops, or for several."""

from __future__ import annotations

from tapeless._mlir import arith, ir, scf
from tapeless.passes.lower.launches.grids.iterations import GridNest, position, thread_number
from tapeless.passes.lower.launches.grids.wide import iterate_without_branches, iterations_per_thread
from tapeless.passes.lower.launches.host.host import Host
from tapeless.passes.lower.launches.kernels.kernel import Kernel
from tapeless.passes.lower.launches.memory.thread_memory import ThreadMemory
from tapeless.passes.lower.launches.plan.integers import product, quotient
from tapeless.passes.lower.launches.plan.plan import Expr
from tapeless.passes.lower.llvm.loop_hints import ATTRIBUTE, SHORT

THREADS_PER_BLOCK = 256
# With fewer threads than this, blocks are small, so that there are enough of them for all parts of a GPU.
FEW_THREADS = 1 << 15
THREADS_PER_SMALL_BLOCK = 64


def launch_threads(host: Host, loop: ir.Operation) -> None:
    """A thread takes one iteration; where threads need memory of their own, there are fewer, which take several."""
    memory = ThreadMemory.of(host, loop)
    nest = GridNest.of(host, loop, [share.op for share in memory.shares])
    count = host.plan.let(product(nest.counts))
    each = iterations_per_thread(loop) if not memory.shares and nest.loops == [loop] else 1
    if each > 1:
        iterate_without_branches(loop)
    kernel = host.new_kernel(are_apart=True)
    with ir.Location.unknown(), ir.InsertionPoint(kernel.anchor):
        number = arith.muli(thread_number(), arith.constant(ir.IndexType.get(), each))
        total = kernel.known(count, ir.IndexType.get())
        inside = arith.cmpi(arith.CmpIPredicate.ult, number, total)
    if not memory.shares:
        with ir.Location.unknown(), kernel.begin(inside, can_fail=host.can_fail):
            if each == 1:
                nest.run(kernel, number)
            else:
                _run_several(kernel, nest, number, total, each)
        if each == 1:
            threads = host.plan.let(_threads_per_block(count))
            host.launch(kernel, quotient(count, threads), threads)
        else:
            host.launch(kernel, quotient(count, THREADS_PER_BLOCK * each), THREADS_PER_BLOCK)
        return
    wanted = host.plan.let(["minsi", "index", count, memory.most_threads()])
    threads = host.plan.let(["maxsi", "index", ["minsi", "index", wanted, _threads_per_block(wanted)], 1])
    blocks = host.plan.let(quotient(wanted, threads))
    memory.allocate(["muli", "index", blocks, threads])
    with ir.Location.unknown(), ir.InsertionPoint(kernel.anchor):
        every = arith.muli(position("gpu.grid_dim"), position("gpu.block_dim"))
        memory.place(kernel, number)
    with ir.Location.unknown(), kernel.begin(inside, can_fail=host.can_fail):
        turns = scf.ForOp(number, total, every)
        with ir.InsertionPoint(turns.body):
            nest.run(kernel, turns.induction_variable)
            scf.YieldOp([])
    memory.lay_side_by_side(kernel, number, every)
    host.launch(kernel, blocks, threads)
    memory.free()


def _threads_per_block(count: Expr) -> Expr:
    """How many threads the blocks of so many threads have."""
    if isinstance(count, int):
        return THREADS_PER_SMALL_BLOCK if count < FEW_THREADS else THREADS_PER_BLOCK
    is_few = ["cmpi.slt", "index", count, FEW_THREADS]
    return ["select", "index", is_few, THREADS_PER_SMALL_BLOCK, THREADS_PER_BLOCK]


def _run_several(kernel: Kernel, nest: GridNest, first: ir.Value, total: ir.Value, count: int) -> None:
    """So many iterations side by side, or those that are left."""
    index = ir.IndexType.get()
    end = arith.addi(first, arith.constant(index, count))
    branch = scf.IfOp(arith.cmpi(arith.CmpIPredicate.ule, end, total), has_else=True)
    with ir.InsertionPoint(branch.then_block):
        nest.run_together(kernel, [arith.addi(first, arith.constant(index, offset)) for offset in range(count)])
        scf.YieldOp([])
    with ir.InsertionPoint(branch.else_block):
        rest = scf.ForOp(first, total, arith.constant(index, 1))
        rest.operation.attributes[ATTRIBUTE] = ir.Attribute.parse(SHORT)
        with ir.InsertionPoint(rest.body):
            nest.run(kernel, rest.induction_variable)
            scf.YieldOp([])
        scf.YieldOp([])
