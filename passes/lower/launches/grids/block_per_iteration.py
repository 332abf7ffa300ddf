"""A block of threads for each iteration of a marked loop."""

from __future__ import annotations

from tapeless._mlir import arith, ir, scf
from tapeless.passes.ir.sizes.sizes import constant_int
from tapeless.passes.lower.launches.grids.iterations import position, thread_number
from tapeless.passes.lower.launches.grids.threads import THREADS_PER_BLOCK
from tapeless.passes.lower.launches.host.host import Host
from tapeless.passes.lower.launches.kernels.kernel import Kernel
from tapeless.passes.lower.launches.memory.block_memory import BlockMemory
from tapeless.passes.lower.launches.memory.thread_memory import ThreadMemory
from tapeless.passes.lower.launches.plan.integers import largest
from tapeless.passes.lower.launches.plan.plan import Expr
from tapeless.passes.marks import MEETING, RESIDENT, THREADS


def launch_blocks(host: Host, loop: ir.Operation, count: Expr) -> None:
    """A block takes one iteration, whose marked loops its threads share; it has one for each iteration of these."""
    block = loop.regions[0].blocks[0]
    shared = [view.operation for view in block.operations if THREADS in view.operation.attributes]
    threads = host.plan.let(largest([_length(host, op) for op in shared] or [THREADS_PER_BLOCK]))
    own = ThreadMemory.of(host, loop)
    operations = [view.operation for view in block.operations][:-1]
    memory = BlockMemory.of(host, operations)
    own.allocate(["muli", "index", count, threads])
    kernel = host.new_kernel(are_apart=MEETING not in loop.attributes)
    if RESIDENT in loop.attributes and isinstance(threads, int):
        kernel.op.attributes["nvvm.maxntid"] = ir.DenseI32ArrayAttr.get([threads])
        kernel.op.attributes["nvvm.minctasm"] = loop.attributes[RESIDENT]
    with ir.Location.unknown(), ir.InsertionPoint(kernel.anchor):
        number, thread = position("gpu.block_id"), position("gpu.thread_id")
        memory.place(kernel)
        if own.shares:
            among_all, all_threads = thread_number(), arith.muli(position("gpu.grid_dim"), position("gpu.block_dim"))
            own.place(kernel, among_all)
    with ir.Location.unknown(), kernel.begin(can_fail=host.can_fail):
        low, _, step = (kernel.value(bound) for bound in list(loop.operands)[:3])
        kernel.inner[block.arguments[0]] = arith.addi(low, arith.muli(number, step))
        for op in operations:
            if THREADS in op.attributes:
                is_full = _length(host, op) == threads
                _share(kernel, op, thread, is_full=is_full, is_last=op is operations[-1])
            elif not memory.has(op) and not own.has(op):
                kernel.clone(op)
    if own.shares:
        own.lay_side_by_side(kernel, among_all, all_threads)
    host.launch(kernel, count, threads, memory.bytes)
    own.free()


def _length(host: Host, loop: ir.Operation) -> Expr:
    """How many iterations threads share."""
    known = constant_int(loop.operands[1])
    return host.known(loop.operands[1]) if known is None else known


def _share(kernel: Kernel, loop: ir.Operation, thread: ir.Value, *, is_full: bool, is_last: bool) -> None:
    """One iteration per thread, for all of them if it `is_full`; all wait for each other after it."""
    block = loop.regions[0].blocks[0]
    operations = [view.operation for view in block.operations][:-1]
    kernel.inner[block.arguments[0]] = thread
    if is_full:
        for op in operations:
            kernel.clone(op)
    else:
        inside = arith.cmpi(arith.CmpIPredicate.ult, thread, kernel.value(loop.operands[1]))
        branch = scf.IfOp(inside)
        with ir.InsertionPoint(branch.then_block):
            for op in operations:
                kernel.clone(op)
            scf.YieldOp([])
    if not is_last:
        ir.Operation.create("gpu.barrier", [], [])
