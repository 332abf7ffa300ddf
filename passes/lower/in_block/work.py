"""The cost of an iteration of a loop: time of a block whose threads share it, and launches of the host."""

from __future__ import annotations

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.lower.grid.block_launches import THREADS_PER_BLOCK
from tapeless.passes.lower.in_block.allowed import LOOPS, fits_into_block, inner_blocks, is_shared
from tapeless.passes.lower.in_block.amounts import Amount
from tapeless.passes.lower.in_block.bounds import TYPICAL_LENGTH, Bounds
from tapeless.passes.lower.launches.grids.grid_nests import nest_of
from tapeless.passes.lower.launches.grids.side_by_side import joint_accesses
from tapeless.passes.lower.launches.kernels.failure import failed_site
from tapeless.passes.marks import EACH_BLOCK, LAUNCH, SIDE, THREADS

# Units of about 5 ns. An access waits for memory, and threads wait for each other.
UNITS = {
    "memref.load": 6,
    "memref.store": 4,
    "memref.atomic_rmw": 40,
    "arith.divf": 8,
    "math.sqrt": 8,
    "gpu.barrier": 6,
}
FREE = frozenset({"arith.constant", "arith.index_cast", "memref.cast", "memref.dim", "memref.alloc", "memref.dealloc"})
FUNCTION, WAITING, LAUNCHING = 16, 6, 400
INSTRUCTIONS = frozenset({"math.fma", "math.absf", "math.isnan", "math.isfinite", "math.floor", "math.ceil"})


@dataclass(frozen=True)
class Work:
    """Time in units: of one block, and of launches on the whole GPU."""

    units: Amount
    by_launches: Amount


def work_of_block(bounds: Bounds, block: ir.Block) -> Work:
    """The cost of the operations of a block of the host; launches that follow each other and may be joined are one."""
    parts: list[Work] = []
    is_joined = False
    for op in [view.operation for view in block.operations]:
        part = _of_host(bounds, op)
        if LAUNCH in op.attributes:
            may_join = joint_accesses(op) is not None
            starting = 0 if may_join and is_joined else LAUNCHING
            part = Work(part.units, bounds.sum([part.by_launches, starting]))
            is_joined = may_join
        parts.append(part)
    return Work(bounds.sum(part.units for part in parts), bounds.sum(part.by_launches for part in parts))


def work_of_thread(bounds: Bounds, block: ir.Block) -> Amount:
    """The cost of the operations of a block for a thread that does all of them itself."""
    return bounds.sum(_inside(bounds, view.operation) for view in block.operations)


def work_of_column(bounds: Bounds, block: ir.Block) -> Amount:
    """The cost of a block of the host for a thread that has one iteration of each launch in it."""
    parts: list[Amount] = []
    for op in [view.operation for view in block.operations]:
        if not op.regions or failed_site(op) is not None:
            parts.append(_units(op))
            continue
        inner = bounds.sum(work_of_column(bounds, each) for each in inner_blocks(op))
        is_loop = op.name in LOOPS and LAUNCH not in op.attributes
        parts.append(bounds.product(inner, _length(bounds, op)) if is_loop else inner)
    return bounds.sum(parts)


def copying(bounds: Bounds, elements: Amount) -> Amount:
    """The cost of a copy of so many elements."""
    per_round = UNITS["memref.load"] + UNITS["memref.store"]
    return bounds.sum([bounds.product(bounds.rounds(elements, THREADS_PER_BLOCK), per_round), WAITING])


def _of_host(bounds: Bounds, op: ir.Operation) -> Work:
    """The cost of an operation of the host, but for starting it if it is a launch."""
    if LAUNCH in op.attributes:
        is_block = ir.StringAttr(op.attributes[LAUNCH]).value == EACH_BLOCK
        rounds, one = _of_blocks(bounds, op) if is_block else _of_threads(bounds, op)
        return Work(bounds.sum([bounds.product(rounds, one), WAITING]), one)
    if failed_site(op) is not None:
        return Work(1, 0)
    if op.name == "memref.copy":
        return Work(copying(bounds, elements_of(bounds, op.operands[0])), LAUNCHING)
    if not op.regions:
        waiting = 2 * WAITING if op.name == "memref.store" else 0
        return Work(_units(op) + waiting, _units(op))
    if op.name in LOOPS and not is_shared(op):
        # A thread of its own does it, wherever it is.
        one = _inside(bounds, op)
        return Work(bounds.sum([one, 2 * WAITING]), bounds.sum([one, LAUNCHING]))
    inner = [work_of_block(bounds, block) for block in inner_blocks(op)]
    if len(inner) == 1 and SIDE in op.attributes:
        return inner[0]
    if op.name not in LOOPS:
        first, second = inner[0], inner[1] if len(inner) > 1 else Work(0, 0)
        condition = op.operands[0]
        return Work(
            bounds.chosen(condition, first.units, second.units),
            bounds.chosen(condition, first.by_launches, second.by_launches),
        )
    total = Work(bounds.sum(part.units for part in inner), bounds.sum(part.by_launches for part in inner))
    length = _length(bounds, op)
    in_block, by_launches = bounds.product(total.units, length), bounds.product(total.by_launches, length)
    if op.name == "scf.for" and fits_into_block(op):
        by_launches = bounds.smallest([by_launches, bounds.sum([in_block, LAUNCHING])])
    return Work(in_block, by_launches)


def elements_of(bounds: Bounds, array: ir.Value) -> Amount:
    """How many elements an array has, about, where nobody knows it."""
    total: Amount = 1
    for axis in range(ir.MemRefType(array.type).rank):
        size = bounds.size(array, axis)
        total = bounds.product(total, TYPICAL_LENGTH if size is None else size)
    return total


def _of_threads(bounds: Bounds, loop: ir.Operation) -> tuple[Amount, Amount]:
    """How often the threads of a block take iterations of a launch, and the cost of an iteration."""
    nest = nest_of(loop)
    total: Amount = 1
    for each in nest:
        total = bounds.product(total, _length(bounds, each))
    one = bounds.sum(
        _inside(bounds, view.operation)
        for each in nest
        for view in each.regions[0].blocks[0].operations
        if view.operation not in nest
    )
    return bounds.rounds(total, THREADS_PER_BLOCK), one


def _of_blocks(bounds: Bounds, loop: ir.Operation) -> tuple[Amount, Amount]:
    """How many blocks a launch has, and the cost of one."""
    one = bounds.sum(_inside(bounds, view.operation) for view in loop.regions[0].blocks[0].operations)
    return _length(bounds, loop), one


def _inside(bounds: Bounds, op: ir.Operation) -> Amount:
    """The cost of an operation for a thread."""
    if not op.regions:
        return _units(op)
    parts = [bounds.sum(_inside(bounds, view.operation) for view in block.operations) for block in inner_blocks(op)]
    inner = bounds.largest(parts)
    if THREADS in op.attributes:
        return bounds.sum([inner, WAITING])
    return bounds.product(inner, _length(bounds, op)) if op.name in LOOPS else inner


def _length(bounds: Bounds, loop: ir.Operation) -> Amount:
    known = bounds.trips(loop) if loop.name == "scf.for" else None
    return TYPICAL_LENGTH if known is None else known


def _units(op: ir.Operation) -> int:
    if op.name in FREE:
        return 0
    if op.name == "gpu.barrier":
        return WAITING
    is_function = op.name.startswith(("math.", "func.call", "soac.fn")) and op.name not in INSTRUCTIONS
    return UNITS.get(op.name, FUNCTION if is_function else 1)
