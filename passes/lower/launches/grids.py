"""Marked loops as kernels: a thread for each iteration, or a block of threads for each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tapeless._mlir import arith, ir, scf
from tapeless.passes.ir.sizes import constant_int
from tapeless.passes.lower.launches.block_memory import BlockMemory
from tapeless.passes.lower.launches.host import Host
from tapeless.passes.lower.launches.kernels import Kernel
from tapeless.passes.lower.launches.nests import nest_of
from tapeless.passes.lower.launches.plan import Expr
from tapeless.passes.lower.launches.thread_memory import ThreadMemory
from tapeless.passes.lower.launches.wide import iterations_per_thread
from tapeless.passes.lower.llvm.loop_hints import ATTRIBUTE, SHORT
from tapeless.passes.marks import EACH_BLOCK, LAUNCH, THREADS

THREADS_PER_BLOCK = 256
# With fewer threads than this, blocks are small, so that there are enough of them for all parts of a GPU.
FEW_THREADS = 1 << 15
THREADS_PER_SMALL_BLOCK = 64


def launch(host: Host, loop: ir.Operation) -> None:
    """Makes a kernel of a marked loop and has it run."""
    host.flush()
    if ir.StringAttr(loop.attributes[LAUNCH]).value == EACH_BLOCK:
        _launch_blocks(host, loop, _iterations(host, loop))
    else:
        _launch_threads(host, loop)


def launch_side_by_side(host: Host, loops: Sequence[ir.Operation]) -> None:
    """Makes one kernel of several marked loops; every block of threads works for one of them."""
    if len(loops) == 1:
        launch(host, loops[0])
        return
    host.flush()
    nests = [Nest.of(host, loop) for loop in loops]
    counts = [host.plan.let(_product(nest.counts)) for nest in nests]
    starts: list[Expr] = [0]
    for count in counts:
        starts.append(host.plan.let(_sum(starts[-1], _quotient(count, THREADS_PER_BLOCK))))
    kernel = host.new_kernel(are_apart=True)
    with ir.Location.unknown(), ir.InsertionPoint(kernel.anchor):
        number, thread = _id("gpu.block_id"), _id("gpu.thread_id")
    with ir.Location.unknown(), kernel.begin(can_fail=host.can_fail):
        _choose(kernel, list(zip(nests, counts, starts, strict=False)), number, thread)
    host.launch(kernel, starts[-1], THREADS_PER_BLOCK)


def _choose(kernel: Kernel, parts: list[tuple[Nest, Expr, Expr]], block: ir.Value, thread: ir.Value) -> None:
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


def _sum(left: Expr, right: Expr) -> Expr:
    return left + right if isinstance(left, int) and isinstance(right, int) else ["addi", "index", left, right]


def _iterations(host: Host, loop: ir.Operation) -> Expr:
    """How many iterations a loop has."""
    low, high, step = (host.known(bound) for bound in list(loop.operands)[:3])
    return host.plan.let(_count(low, high, step))


def _count(low: Expr, high: Expr, step: Expr) -> Expr:
    """How many iterations a loop has, at least none."""
    if isinstance(low, int) and isinstance(high, int) and isinstance(step, int):
        return len(range(low, high, step))
    distance = high if low == 0 else ["subi", "index", high, low]
    distance = ["maxsi", "index", distance, 0]
    return distance if step == 1 else ["ceildivsi", "index", distance, step]


def _launch_threads(host: Host, loop: ir.Operation) -> None:
    """A thread takes one iteration; where threads need memory of their own, there are fewer, which take several."""
    memory = ThreadMemory.of(host, loop)
    nest = Nest.of(host, loop) if not memory.shares else Nest([loop], [_iterations(host, loop)])
    count = host.plan.let(_product(nest.counts))
    each = iterations_per_thread(loop) if not memory.shares and nest.loops == [loop] else 1
    kernel = host.new_kernel(are_apart=True)
    with ir.Location.unknown(), ir.InsertionPoint(kernel.anchor):
        number = arith.muli(_thread_number(), arith.constant(ir.IndexType.get(), each))
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
            host.launch(kernel, _quotient(count, threads), threads)
        else:
            host.launch(kernel, _quotient(count, THREADS_PER_BLOCK * each), THREADS_PER_BLOCK)
        return
    wanted = host.plan.let(["minsi", "index", count, memory.most_threads()])
    threads = host.plan.let(["maxsi", "index", ["minsi", "index", wanted, _threads_per_block(wanted)], 1])
    blocks = host.plan.let(_quotient(wanted, threads))
    memory.allocate(["muli", "index", blocks, threads])
    with ir.Location.unknown(), ir.InsertionPoint(kernel.anchor):
        every = arith.muli(_id("gpu.grid_dim"), _id("gpu.block_dim"))
        memory.place(kernel, number)
    with ir.Location.unknown(), kernel.begin(inside, can_fail=host.can_fail):
        turns = scf.ForOp(number, total, every)
        with ir.InsertionPoint(turns.body):
            nest.run(kernel, turns.induction_variable, len(memory.shares))
            scf.YieldOp([])
    host.launch(kernel, blocks, threads)
    memory.free()


def _threads_per_block(count: Expr) -> Expr:
    """How many threads the blocks of so many threads have."""
    if isinstance(count, int):
        return THREADS_PER_SMALL_BLOCK if count < FEW_THREADS else THREADS_PER_BLOCK
    is_few = ["cmpi.slt", "index", count, FEW_THREADS]
    return ["select", "index", is_few, THREADS_PER_SMALL_BLOCK, THREADS_PER_BLOCK]


def _run_several(kernel: Kernel, nest: Nest, first: ir.Value, total: ir.Value, count: int) -> None:
    """So many iterations side by side, or those that are left."""
    index = ir.IndexType.get()
    end = arith.addi(first, arith.constant(index, count))
    branch = scf.IfOp(arith.cmpi(arith.CmpIPredicate.ule, end, total), has_else=True)
    with ir.InsertionPoint(branch.then_block):
        for offset in range(count):
            nest.run(kernel, arith.addi(first, arith.constant(index, offset)))
        scf.YieldOp([])
    with ir.InsertionPoint(branch.else_block):
        rest = scf.ForOp(first, total, arith.constant(index, 1))
        rest.operation.attributes[ATTRIBUTE] = ir.Attribute.parse(SHORT)
        with ir.InsertionPoint(rest.body):
            nest.run(kernel, rest.induction_variable)
            scf.YieldOp([])
        scf.YieldOp([])


def _quotient(number: Expr, divisor: Expr) -> Expr:
    if isinstance(number, int) and isinstance(divisor, int):
        return -(-number // divisor)
    return ["ceildivsi", "index", number, divisor]


def _product(counts: Sequence[Expr]) -> Expr:
    total = counts[0]
    for count in counts[1:]:
        total = total * count if isinstance(total, int) and isinstance(count, int) else ["muli", "index", total, count]
    return total


@dataclass(frozen=True)
class Nest:
    """Loops that one grid runs, outer ones first, with how many iterations each has."""

    loops: list[ir.Operation]
    counts: list[Expr]

    @staticmethod
    def of(host: Host, loop: ir.Operation) -> Nest:
        loops = nest_of(loop)
        return Nest(loops, [_iterations(host, each) for each in loops])

    def run(self, kernel: Kernel, number: ir.Value, skipped: int = 0) -> None:
        """The iteration of this number, without so many operations at its start."""
        numbers = self._numbers(kernel, number)
        for loop, own in zip(self.loops, numbers, strict=True):
            block = loop.regions[0].blocks[0]
            low, _, step = (kernel.value(bound) for bound in list(loop.operands)[:3])
            kernel.inner[block.arguments[0]] = arith.addi(low, arith.muli(own, step))
            operations = [view.operation for view in block.operations][skipped:-1]
            for op in operations if loop is self.loops[-1] else operations[:-1]:
                kernel.clone(op)

    def _numbers(self, kernel: Kernel, number: ir.Value) -> list[ir.Value]:
        """The number of the iteration in each loop; the innermost runs fastest."""
        numbers: list[ir.Value] = []
        for count in self.counts[:0:-1]:
            size = kernel.known(count, ir.IndexType.get())
            numbers.append(arith.remui(number, size))
            number = arith.divui(number, size)
        return [number, *numbers[::-1]]


def _launch_blocks(host: Host, loop: ir.Operation, count: Expr) -> None:
    """A block takes one iteration, whose marked loops its threads share; it has one for each iteration of these."""
    block = loop.regions[0].blocks[0]
    operations = [view.operation for view in block.operations][:-1]
    shared = [_length(host, op) for op in operations if THREADS in op.attributes]
    threads = host.plan.let(_largest(shared or [THREADS_PER_BLOCK]))
    memory = BlockMemory.of(host, operations)
    kernel = host.new_kernel(are_apart=True)
    with ir.Location.unknown(), ir.InsertionPoint(kernel.anchor):
        number, thread = _id("gpu.block_id"), _id("gpu.thread_id")
        memory.place(kernel)
    with ir.Location.unknown(), kernel.begin(can_fail=host.can_fail):
        low, _, step = (kernel.value(bound) for bound in list(loop.operands)[:3])
        kernel.inner[block.arguments[0]] = arith.addi(low, arith.muli(number, step))
        for op in operations:
            if THREADS in op.attributes:
                is_full = _length(host, op) == threads
                _share(kernel, op, thread, is_full=is_full, is_last=op is operations[-1])
            elif not memory.has(op):
                kernel.clone(op)
    host.launch(kernel, count, threads, memory.bytes)


def _length(host: Host, loop: ir.Operation) -> Expr:
    """How many iterations threads share."""
    known = constant_int(loop.operands[1])
    return host.known(loop.operands[1]) if known is None else known


def _largest(numbers: Sequence[Expr]) -> Expr:
    """The largest of some numbers, at least one."""
    largest: Expr = 1
    for number in numbers:
        if isinstance(largest, int) and isinstance(number, int):
            largest = max(largest, number)
        elif number != largest:
            largest = number if largest == 1 else ["maxsi", "index", largest, number]
    return largest


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


def _thread_number() -> ir.Value:
    """The number of a thread among all of a launch."""
    return arith.addi(arith.muli(_id("gpu.block_id"), _id("gpu.block_dim")), _id("gpu.thread_id"))


def _id(name: str) -> ir.Value:
    axis = ir.Attribute.parse("#gpu<dim x>")
    return ir.Operation.create(name, [ir.IndexType.get()], [], {"dimension": axis}).results[0]
