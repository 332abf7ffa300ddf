"""The code of a thread of a block for a loop of the host: its share of every launch, and scalar code of all threads."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field

from tapeless._mlir import arith, func, ir, memref, scf
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.ir.build import index
from tapeless.passes.ir.rebuild import Values, copy_op
from tapeless.passes.ir.search import ops_named
from tapeless.passes.ir.sizes.sizes import constant_int
from tapeless.passes.lower.grid.block_launches import THREADS_PER_BLOCK
from tapeless.passes.lower.in_block.allowed import inner_blocks, is_shared, of_host, shared_slots, writes_alone
from tapeless.passes.lower.launches.grids.grid_nests import nest_of
from tapeless.passes.lower.launches.host.placement import terminator
from tapeless.passes.lower.launches.kernels.failure import END_IF_FAILED, FAIL, callee, failed_site
from tapeless.passes.marks import EACH_BLOCK, LAUNCH, SIDE, THREADS


@dataclass
class Thread:
    """One thread of a block, by its number; `values` maps values of the loop to those of the thread.

    All threads compute the same numbers and come the same way. Where they have read something, they wait for each other
    before anybody writes, and after it before anybody reads: `has_read` says that some may not have read yet.
    """

    number: ir.Value
    rooms: Mapping[ir.Value, Callable[[list[ir.Value]], ir.Value]]
    cells: dict[ir.Value, ir.Value]
    shared: dict[tuple[ir.Type, int], ir.Value]
    values: Values = field(default_factory=dict)
    has_read: bool = False

    def run(self, block: ir.Block) -> None:
        """All operations of a block but its last one."""
        for view in list(block.operations)[:-1]:
            op = view.operation
            with op.location:
                self._visit(op)

    def loop(self, op: ir.Operation) -> None:
        """A loop that threads share."""
        self._for(op)

    def finish(self, values: Sequence[ir.Value], into: Sequence[ir.Value]) -> None:
        """Leaves numbers in memory, one by one."""
        found = [self.value(value) for value in values]
        self._alone(lambda: [memref.store(value, cell, [index(0)]) for value, cell in zip(found, into, strict=True)])

    def copy(self, source: ir.Value, target: ir.Value) -> None:
        """Copies an array with the other threads."""
        sizes = [memref.dim(source, index(axis)) for axis in range(ir.MemRefType(source.type).rank)]

        def element(number: ir.Value) -> None:
            at = places_of(number, sizes)
            memref.store(memref.load(source, at), target, at)

        self._together(product_of(sizes), element)

    def value(self, outside: ir.Value) -> ir.Value:
        """The value that this thread has for one of the loop."""
        return self.values.get(outside, outside)

    def _visit(self, op: ir.Operation) -> None:
        if LAUNCH in op.attributes:
            is_block = ir.StringAttr(op.attributes[LAUNCH]).value == EACH_BLOCK
            (self._blocks if is_block else self._threads)(op)
        elif op.name in ("memref.alloc", "memref.alloca"):
            self._array(op)
        elif op.name == "memref.copy":
            self.copy(*(self.value(operand) for operand in op.operands))
        elif op.name == "memref.store":
            self._alone(lambda: copy_op(op.opview, dict(self.values)))
        elif op.name != "memref.dealloc":
            self._other(op)

    def _other(self, op: ir.Operation) -> None:
        inside = [] if failed_site(op) is not None else list(of_host(op))
        if is_shared(op) or SIDE in op.attributes:
            CONTROL[op.name](self, op)
        elif writes_alone(op):
            self._in_first_thread(op)
        else:
            self.has_read |= any(each.name == "memref.load" for each in [op, *inside])
            copy_op(op.opview, self.values)

    def _array(self, op: ir.Operation) -> None:
        room = self.rooms[op.results[0]]
        self.values[op.results[0]] = room([self.value(size) for size in op.operands])

    def _wait(self) -> None:
        ir.Operation.create("gpu.barrier", [], [])
        self.has_read = False

    def _wait_for(self, *ops: ir.Operation) -> None:
        """A barrier after some operations; where a check of one thread has failed, all of them end."""
        self._wait()
        if any(callee(call.operation) == FAIL for op in ops for call in ops_named(op.opview, "func.call")):
            call_end_of_threads()

    def _before_writing(self) -> None:
        if self.has_read:
            self._wait()

    def _alone(self, body: Callable[[], object], *ops: ir.Operation) -> None:
        """Has the first thread do something that the others wait for."""
        self._before_writing()
        is_first = arith.cmpi(arith.CmpIPredicate.eq, self.number, index(0))
        branch = scf.IfOp(is_first)
        with ir.InsertionPoint(branch.then_block):
            body()
            scf.YieldOp([])
        self._wait_for(*ops)

    def _in_first_thread(self, op: ir.Operation) -> None:
        """A loop or branch that only reads and writes elements; its results go through memory to all threads."""
        cells = [self.cells[result] for result in op.results]

        def body() -> None:
            made = copy_op(op.opview, dict(self.values))
            for result, cell in zip(made.results, cells, strict=True):
                memref.store(result, cell, [index(0)])

        self._alone(body, op)
        for result, cell in zip(op.results, cells, strict=True):
            self.values[result] = memref.load(cell, [index(0)])
            self.has_read = True

    def _together(self, count: ir.Value, body: Callable[[ir.Value], None], *ops: ir.Operation) -> None:
        """Shares iterations with the other threads."""
        self._before_writing()
        turns = scf.ForOp(self.number, count, index(THREADS_PER_BLOCK))
        with ir.InsertionPoint(turns.body):
            body(turns.induction_variable)
            scf.YieldOp([])
        self._wait_for(*ops)

    def _threads(self, loop: ir.Operation) -> None:
        """A launch with a thread for each iteration of a nest."""
        nest = nest_of(loop)
        bounds = [[self.value(bound) for bound in list(each.operands)[:3]] for each in nest]
        counts = [counted(*each) for each in bounds]

        def iteration(number: ir.Value) -> None:
            own = dict(self.values)
            for each, place, (low, _, step) in zip(nest, places_of(number, counts), bounds, strict=True):
                block = each.regions[0].blocks[0]
                own[block.arguments[0]] = arith.addi(low, arith.muli(place, step))
                _copy_all((view for view in list(block.operations)[:-1] if view.operation not in nest), own)

        self._together(product_of(counts), iteration, loop)

    def _blocks(self, loop: ir.Operation) -> None:
        """A launch of blocks, one after the other; their shared memory is shared by the threads of this one."""
        self._before_writing()
        block = loop.regions[0].blocks[0]
        turns = scf.ForOp(*(self.value(bound) for bound in list(loop.operands)[:3]))
        own = dict(self.values) | {block.arguments[0]: turns.induction_variable}
        with ir.InsertionPoint(turns.body):
            for view in list(block.operations)[:-1]:
                if THREADS in view.operation.attributes:
                    self._share(view.operation, own)
                else:
                    copy_op(view, own)
            scf.YieldOp([])
        for slot, op in shared_slots(turns.operation):
            op.results[0].replace_all_uses_with(self.shared[slot])
            op.erase()
        self._wait_for(loop)

    def _share(self, loop: ir.Operation, values: Values) -> None:
        block = loop.regions[0].blocks[0]
        own = dict(values) | {block.arguments[0]: self.number}
        length = constant_int(loop.operands[1])
        assert length is not None
        if length == THREADS_PER_BLOCK:
            _copy_all(list(block.operations)[:-1], own)
        else:
            branch = scf.IfOp(arith.cmpi(arith.CmpIPredicate.ult, self.number, index(length)))
            with ir.InsertionPoint(branch.then_block):
                _copy_all(list(block.operations)[:-1], own)
                scf.YieldOp([])
        self._wait_for(loop)

    def _inner(self, block: ir.Block, end: Callable[[list[ir.Value]], object]) -> None:
        """A block of a loop: an iteration ends when all threads have read."""
        self.run(block)
        values = [self.value(value) for value in terminator(block).operands]
        self._before_writing()
        end(values)

    def _for(self, op: ir.Operation) -> None:
        before = self.has_read
        block = op.regions[0].blocks[0]
        low, high, step, *starts = (self.value(operand) for operand in op.operands)
        loop = scf.ForOp(low, high, step, starts)
        self.values.update(zip(block.arguments, [loop.induction_variable, *loop.inner_iter_args], strict=True))
        with ir.InsertionPoint(loop.body):
            self._inner(block, scf.YieldOp)
        self.has_read = before
        self.values.update(zip(op.results, loop.results, strict=True))

    def _while(self, op: ir.Operation) -> None:
        before = self.has_read
        starts = [self.value(operand) for operand in op.operands]
        loop = scf.WhileOp([result.type for result in op.results], starts)
        for region, made in zip(op.regions, (loop.before, loop.after), strict=True):
            block = region.blocks[0]
            types = [argument.type for argument in block.arguments]
            inner = made.blocks.append(*types, arg_locs=[op.location] * len(types))
            self.values.update(zip(block.arguments, inner.arguments, strict=True))
            with ir.InsertionPoint(inner):
                if terminator(block).name == "scf.condition":
                    self._inner(block, lambda values: scf.ConditionOp(values[0], values[1:]))
                else:
                    self._inner(block, scf.YieldOp)
        self.has_read = before
        self.values.update(zip(op.results, loop.results, strict=True))

    def _if(self, op: ir.Operation) -> None:
        if SIDE in op.attributes:
            (block,) = inner_blocks(op)
            self.run(block)
            ends = [self.value(value) for value in terminator(block).operands]
            self.values.update(zip(op.results, ends, strict=True))
            return
        has_else = len(op.regions[1].blocks) > 0
        branch = scf.IfOp(self.value(op.operands[0]), [result.type for result in op.results], has_else=has_else)
        for block, made in zip(inner_blocks(op), (branch.then_block, branch.else_block), strict=False):
            before = self.has_read
            with ir.InsertionPoint(made):
                self._inner(block, scf.YieldOp)
            self.has_read = before
        self.values.update(zip(op.results, branch.results, strict=True))


CONTROL = {"scf.for": Thread._for, "scf.while": Thread._while, "scf.if": Thread._if}


def _copy_all(ops: Iterable[ir.OpView], values: Values) -> None:
    for op in ops:
        copy_op(op, values)


def call_end_of_threads() -> None:
    """Calls the function by which threads end, which is declared with its first call."""
    op = func.CallOp([], END_IF_FAILED, []).operation
    while op.parent is not None:
        op = op.parent.operation
    block = op.regions[0].blocks[0]
    functions = [each.operation for each in block.operations if each.operation.name == "func.func"]
    if all(ir.StringAttr(each.attributes["sym_name"]).value != END_IF_FAILED for each in functions):
        with ir.InsertionPoint.at_block_begin(block), ir.Location.unknown():
            func.FuncOp(END_IF_FAILED, ir.FunctionType.get([], []), visibility="private")


def counted(low: ir.Value, high: ir.Value, step: ir.Value) -> ir.Value:
    """How many iterations a loop has."""
    return arith.maxsi(arith.ceildivsi(arith.subi(high, low), step), index(0))


def product_of(sizes: Sequence[ir.Value]) -> ir.Value:
    """The number of elements of an array, or of iterations of a nest."""
    total = index(1)
    for size in sizes:
        total = arith.muli(total, size)
    return total


def places_of(number: ir.Value, sizes: Sequence[ir.Value]) -> list[ir.Value]:
    """The place of the element of a number, the last axis fastest."""
    places: list[ir.Value] = []
    for size in list(sizes)[:0:-1]:
        places.append(arith.remui(number, size))
        number = arith.divui(number, size)
    return [number, *places[::-1]][: len(sizes)]
