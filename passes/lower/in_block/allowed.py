"""The loops of the host that one block can run: their operations and carried values."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from tapeless._mlir import ir
from tapeless.passes.ir.machine import SHARED_WITHOUT_ASKING
from tapeless.passes.ir.search import ops_named
from tapeless.passes.ir.sizes.sizes import constant_int
from tapeless.passes.lower.grid.block_launches import THREADS_PER_BLOCK
from tapeless.passes.lower.launches.host.placement import terminator
from tapeless.passes.lower.launches.kernels.failure import callee, failed_site
from tapeless.passes.lower.launches.kernels.kernel import WORKGROUP
from tapeless.passes.lower.launches.plan.values import is_integer, is_memory
from tapeless.passes.lower.math.library import PREFIX
from tapeless.passes.marks import LAUNCH, SIDE, THREADS

LOOPS = frozenset({"scf.for", "scf.while"})
CONTROL = LOOPS | {"scf.if"}
COMPUTING = ("arith.", "math.", "llvm.intr.", "soac.fn")
HANDLED = frozenset(
    {
        "memref.alloc",
        "memref.alloca",
        "memref.cast",
        "memref.copy",
        "memref.dealloc",
        "memref.dim",
        "memref.load",
        "memref.reinterpret_cast",
        "memref.store",
        "scf.condition",
        "scf.yield",
    }
)
RENAMING = frozenset({"memref.cast", "memref.reinterpret_cast", "arith.select"})
SHARED = frozenset({"memref.alloc", "memref.alloca", "memref.copy"})
Slot: TypeAlias = tuple[ir.Type, int]
# Memory that the threads of a block share for the arrays of a loop, in bytes.
MOST_SHARED = SHARED_WITHOUT_ASKING - (8 << 10)


def parent_of(op: ir.Operation) -> ir.Operation:
    """The operation around another one."""
    return op.block.owner.operation


def inner_blocks(op: ir.Operation) -> Iterator[ir.Block]:
    """The blocks of an operation; of a choice between two ways that has one side, the block of that."""
    side = op.attributes.get(SIDE, None)
    for number, region in enumerate(op.regions):
        if side is None or ir.IntegerAttr(side).value == number:
            yield from region.blocks


def of_host(loop: ir.Operation) -> Iterator[ir.Operation]:
    """The operations of the host in a loop: those outside of launches and of branches of failed checks."""
    for block in inner_blocks(loop):
        for view in block.operations:
            op = view.operation
            yield op
            if LAUNCH not in op.attributes and failed_site(op) is None:
                yield from of_host(op)


def launches_beside_loops(loop: ir.Operation) -> bool:
    """Whether a loop launches something in itself, and something in its inner loops."""
    inside = list(of_host(loop))
    counted = [op for op in inside if op.name == "scf.for" and LAUNCH not in op.attributes]
    launches = {op for op in inside if LAUNCH in op.attributes}
    inner = {op for each in counted for op in of_host(each) if LAUNCH in op.attributes}
    return bool(inner) and inner != launches


def number_of_operations(loop: ir.Operation) -> int:
    """How many operations are in a loop, with itself."""
    inner = (view.operation for block in inner_blocks(loop) for view in block.operations)
    return 1 + sum(number_of_operations(op) for op in inner)


def fits_into_block(loop: ir.Operation) -> bool:
    """Whether the threads of a block can do all that is in a loop, which leaves no integers for the host to read."""
    if not all(stays_on_device(result) for result in loop.results if is_integer(result.type)):
        return False
    inside = list(of_host(loop))
    launches = [op for op in inside if LAUNCH in op.attributes]
    if not launches or not all(_is_handled(op) for op in inside):
        return False
    shared = {slot for launch in launches for slot, _ in shared_slots(launch)}
    if not all(can_share(op) for op in launches) or sum(_bytes(type_) for type_, _ in shared) > MOST_SHARED:
        return False
    made = [op for op in inside if op.name in ("memref.alloc", "memref.alloca")]
    kept = [_names_of(op, loop) for op in made]
    if any(names is None for names in kept):
        return False
    own = {name for names in kept for name in names or ()}
    return all(op.operands[0] in own for op in inside if op.name == "memref.dealloc")


def stays_on_device(integer: ir.Value) -> bool:
    """Whether numbers are computed of an integer, such as a sign, and nothing that the host has to know."""
    seen: set[ir.Value] = set()
    waiting = [integer]
    while waiting:
        value = waiting.pop()
        if value in seen:
            continue
        seen.add(value)
        for use in value.uses:
            user, number = use.owner.operation, use.operand_number
            if user.name == "scf.yield" and parent_of(user).name in ("scf.for", "scf.if"):
                holder = parent_of(user)
                waiting += [holder.results[number], *(_carried(holder, number) if holder.name == "scf.for" else [])]
            elif user.name == "scf.for" and number >= 3 and LAUNCH not in user.attributes:
                waiting += [user.results[number - 3], *_carried(user, number - 3)]
            elif user.name.startswith("arith."):
                waiting += [result for result in user.results if is_integer(result.type)]
            else:
                return False
    return True


def _carried(loop: ir.Operation, number: int) -> list[ir.Value]:
    return [loop.regions[0].blocks[0].arguments[1 + number]]


def shared_slots(launch: ir.Operation) -> list[tuple[Slot, ir.Operation]]:
    """The memory of blocks that a launch needs, each by its type and how many of that type there are before it."""
    found: list[tuple[Slot, ir.Operation]] = []
    for view in ops_named(launch.opview, "memref.alloca"):
        type_ = view.operation.results[0].type
        if WORKGROUP in str(type_):
            found.append(((type_, sum(slot[0] == type_ for slot, _ in found)), view.operation))
    return found


def is_shared(op: ir.Operation) -> bool:
    """Whether threads have to share the work of a loop or branch: launches, copies, or arrays that
    it makes or gives.
    """
    if op.name not in CONTROL or failed_site(op) is not None:
        return False
    return any(is_memory(result.type) for result in op.results) or any(
        LAUNCH in each.attributes or each.name in SHARED for each in of_host(op)
    )


def writes_alone(op: ir.Operation) -> bool:
    """Whether a loop or branch reads and writes elements one after the other, which the first thread does."""
    if op.name not in CONTROL or is_shared(op) or failed_site(op) is not None:
        return False
    return any(each.name == "memref.store" for each in of_host(op))


def handed_on(loop: ir.Operation) -> list[int] | None:
    """For each result of a counted loop the number of the carried value that it is handed; none for other arrays."""
    block = loop.regions[0].blocks[0]
    carried = list(block.arguments)[1:]
    ends = list(terminator(block).operands)
    sources = []
    for number, end in enumerate(ends):
        if not is_memory(end.type):
            sources.append(number)
        elif end in carried:
            sources.append(carried.index(end))
        else:
            return None
    arrays = [source for source, end in zip(sources, ends, strict=True) if is_memory(end.type)]
    return sources if len(set(arrays)) == len(arrays) else None


def _is_handled(op: ir.Operation) -> bool:
    if LAUNCH in op.attributes or op.name in CONTROL or op.name in HANDLED or op.name.startswith(COMPUTING):
        return True
    return op.name == "func.call" and callee(op).startswith(PREFIX)


def can_share(launch: ir.Operation) -> bool:
    """Whether the threads of a block of the usual size can run a launch, in memory of fixed size."""
    if any(len(view.operation.operands) for view in ops_named(launch.opview, "memref.alloca")):
        return False
    if ops_named(launch.opview, "memref.alloc"):
        return False
    for view in ops_named(launch.opview, "scf.for"):
        if THREADS in view.operation.attributes:
            length = constant_int(view.operation.operands[1])
            has_barriers = bool(ops_named(view, "gpu.barrier"))
            if length is None or length > THREADS_PER_BLOCK or (has_barriers and length < THREADS_PER_BLOCK):
                return False
    return True


def _bytes(type_: ir.Type) -> int:
    memref = ir.MemRefType(type_)
    count = 1
    for size in memref.shape:
        count *= size
    return count * 8


def _names_of(op: ir.Operation, outermost: ir.Operation) -> set[ir.Value] | None:
    """All names of an array that a loop makes; nothing if an iteration hands it on to the next one."""
    names: set[ir.Value] = set()
    waiting = [op.results[0]]
    around = list(_holders(op, outermost))
    while waiting:
        name = waiting.pop()
        if name in names:
            continue
        names.add(name)
        for use in name.uses:
            user = use.owner.operation
            if user.name in RENAMING:
                waiting += [result for result in user.results if is_memory(result.type)]
            elif user.name == "scf.for" and LAUNCH not in user.attributes and use.operand_number >= 3:
                number = use.operand_number - 3
                waiting += [user.regions[0].blocks[0].arguments[number + 1], user.results[number]]
            elif user.name in ("scf.while", "scf.condition"):
                return None
            elif user.name == "scf.yield":
                holder = parent_of(user)
                if holder.name != "scf.if" and (holder in around or holder.name != "scf.for"):
                    return None
                waiting.append(holder.results[use.operand_number])
                if holder.name == "scf.for":
                    waiting.append(holder.regions[0].blocks[0].arguments[use.operand_number + 1])
    return names


def _holders(op: ir.Operation, outermost: ir.Operation) -> Iterator[ir.Operation]:
    """The loops around an operation, up to the outermost."""
    while op != outermost:
        op = parent_of(op)
        if op.name in LOOPS:
            yield op
