"""The pass `lower-loops-in-block`: for GPUs, loops of the host around small launches, by the threads of one block."""

from __future__ import annotations

from functools import partial
from typing import ClassVar

from tapeless._mlir import arith, ir, memref, scf
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.ir.build import index
from tapeless.passes.lower.grid.block_launches import THREADS_PER_BLOCK
from tapeless.passes.lower.in_block.allowed import (
    CONTROL,
    Slot,
    fits_into_block,
    handed_on,
    inner_blocks,
    launches_beside_loops,
    number_of_operations,
    of_host,
    parent_of,
    shared_slots,
    writes_alone,
)
from tapeless.passes.lower.in_block.amounts import Amount
from tapeless.passes.lower.in_block.bounds import Bounds
from tapeless.passes.lower.in_block.interchange import interchange
from tapeless.passes.lower.in_block.memory import Room, allocated, free, made
from tapeless.passes.lower.in_block.sides import one_side_each
from tapeless.passes.lower.in_block.work import copying, elements_of, work_of_block
from tapeless.passes.lower.in_block.writing import Thread
from tapeless.passes.lower.launches.plan.values import is_memory
from tapeless.passes.marks import EACH_BLOCK, LAUNCH, MEETING, RESULT, THREADS


@dataclass(frozen=True)
class LoopsInBlock:
    """Adds a variant of sequential loops with small launches that is one launch: of one block, or of independent
    threads.

    ```mlir
    scf.for %t = ... {                             scf.if %is_little {
      scf.for %i = ... {tapeless.launch}             scf.for %b = 0 to 1 { scf.for %thread = 0 to 256 {
      scf.for %j = ... {tapeless.launch}               scf.for %t = ... {
    }                                                    scf.for %i = %thread to ... step 256
                                                         gpu.barrier
                                                         ...
                                                     } {tapeless.threads} } {tapeless.launch = "each block"}
                                                   } else { the loop }
    ```
    The costs of `work.py` decide, when the sizes are known: those of one block, and those of launches, each of which
    takes time to start. Loops of more than `most_operations` operations stay as they are, since they would be compiled
    twice. Where the launches of a loop have the same independent iterations, each of which needs what the same
    iteration has left alone, the threads of one launch go through the loop instead, and none waits. Where a loop that
    stays with the host has launches beside its inner loops, those may be in a block: a panel of a factorisation, but
    not what it changes behind it.
    """

    name: ClassVar[str] = "lower-loops-in-block"
    after: ClassVar[dict[str, str]] = {
        "lower-loops": "it looks at the launches that are made there",
    }
    most_operations: int = 9000

    def run(self, module: ir.Module) -> None:
        """Looks at the loops of functions, outer ones first."""
        module.context.dialects["gpu"]
        with module.context:
            for function in [op.operation for op in module.body.operations if op.operation.name == "func.func"]:
                self._visit(function)

    def _visit(self, op: ir.Operation) -> None:
        for inner in [view.operation for block in inner_blocks(op) for view in block.operations]:
            if inner.name not in CONTROL or LAUNCH in inner.attributes:
                continue
            if not (inner.name == "scf.for" and self._offer(inner)) or launches_beside_loops(inner):
                self._visit(inner)

    def _offer(self, loop: ir.Operation) -> bool:
        """Writes a variant, if it may be worth it; says whether there is one."""
        if interchange(loop):
            return True
        with one_side_each(loop, self.most_operations):
            return self._offer_sides(loop)

    def _offer_sides(self, loop: ir.Operation) -> bool:
        if not fits_into_block(loop) or number_of_operations(loop) > self.most_operations:
            return False
        bounds = Bounds(loop, before=loop)
        if not all(bounds.is_of_sizes(bound) for bound in list(loop.operands)[:3]):
            return False
        exchanged = _exchanged(loop)
        rooms = [Room.of(bounds, op) for op in of_host(loop) if op.name in ("memref.alloc", "memref.alloca")]
        is_little = None
        if exchanged is not None and all(room is not None for room in rooms):
            is_little = self._is_little(bounds, loop, exchanged)
        if is_little is None:
            bounds.forget()
            return False
        Variant(loop, bounds, exchanged or [], [room for room in rooms if room is not None]).write(is_little)
        return True

    def _is_little(self, bounds: Bounds, loop: ir.Operation, exchanged: list[int]) -> ir.Value | None:
        """Whether a block is done before the launches of an iteration would be, and with its copies, of all."""
        body = work_of_block(bounds, loop.regions[0].blocks[0])
        arrays = [loop.operands[3 + number] for number in exchanged]
        copied = bounds.sum(bounds.product(copying(bounds, elements_of(bounds, array)), 2) for array in arrays)
        trips = bounds.trips(loop)
        in_all = bounds.product(body.by_launches, 1 if trips is None else trips)
        pairs: list[tuple[Amount, Amount]] = [(body.units, body.by_launches), (copied, in_all)]
        if any(isinstance(left, int) and isinstance(right, int) and left > right for left, right in pairs):
            return None
        with bounds.at, loop.location:
            tests = [
                arith.cmpi(arith.CmpIPredicate.sle, bounds.value(left), bounds.value(right)) for left, right in pairs
            ]
            return arith.andi(*tests)


@dataclass(frozen=True)
class Variant:
    """A loop, its facts, the arrays that it hands on in another order, and those that it makes."""

    loop: ir.Operation
    bounds: Bounds
    exchanged: list[int]
    rooms: list[Room]

    def write(self, condition: ir.Value) -> None:
        """Puts a choice between one launch and the loop in the place of the loop."""
        loop = self.loop
        with loop.location, ir.InsertionPoint(loop):
            branch = scf.IfOp(condition, [result.type for result in loop.results], has_else=True)
        self.bounds.before = branch.operation
        with loop.location, ir.InsertionPoint(branch.then_block):
            given = self._launch()
            scf.YieldOp(given)
        for old, new in zip(loop.results, branch.results, strict=True):
            old.replace_all_uses_with(new)
        with loop.location, ir.InsertionPoint(branch.else_block):
            end = scf.YieldOp(loop.results)
        loop.move_before(end.operation)

    def _launch(self) -> list[ir.Value]:
        """Memory for all that the loop needs, one launch, and the results of the loop."""
        starts = list(self.loop.operands)[3:]
        results = [_number(start.type) for start in starts if not is_memory(start.type)]
        memory = [room.allocate(self.bounds) for room in self.rooms]
        rooms = {room.op.results[0]: partial(room.view, each) for room, each in zip(self.rooms, memory, strict=True)}
        alone = [op for op in of_host(self.loop) if writes_alone(op)]
        cells = {result: allocated(_one(result.type), []) for op in alone for result in op.results}
        copies = [self._room_like(starts[number]) for number in self.exchanged]
        blocks = scf.ForOp(index(0), index(1), index(1))
        blocks.operation.attributes[LAUNCH] = ir.StringAttr.get(EACH_BLOCK)
        blocks.operation.attributes[MEETING] = ir.UnitAttr.get()
        with ir.InsertionPoint(blocks.body):
            shared = self._shared_memory()
            threads = scf.ForOp(index(0), index(THREADS_PER_BLOCK), index(1))
            threads.operation.attributes[THREADS] = ir.UnitAttr.get()
            with ir.InsertionPoint(threads.body):
                thread = Thread(threads.induction_variable, rooms, cells, shared)
                self._run(thread, starts, copies, results)
                scf.YieldOp([])
            scf.YieldOp([])
        for each in [*memory, *cells.values(), *copies]:
            free(each)
        left = iter(results)
        return [start if is_memory(start.type) else memref.load(next(left), [index(0)]) for start in starts]

    def _run(self, thread: Thread, starts: list[ir.Value], copies: list[ir.Value], results: list[ir.Value]) -> None:
        """The loop; then arrays that it has exchanged go back to where they began, and numbers to memory."""
        loop = self.loop
        thread.loop(loop)
        ends = [thread.value(loop.results[number]) for number in self.exchanged]
        for source, target in [*zip(ends, copies, strict=True)]:
            thread.copy(source, target)
        for number, source in zip(self.exchanged, copies, strict=True):
            thread.copy(source, starts[number])
        numbers = [result for result in loop.results if not is_memory(result.type)]
        if numbers:
            thread.finish(numbers, results)

    def _room_like(self, array: ir.Value) -> ir.Value:
        type_ = ir.MemRefType(array.type)
        axes = [axis for axis in range(type_.rank) if type_.is_dynamic_dim(axis)]
        return allocated(type_, [memref.dim(array, index(axis)) for axis in axes])

    def _shared_memory(self) -> dict[Slot, ir.Value]:
        """Memory that the threads of the block share: each launch needs it for itself, while it runs."""
        launches = [op for op in of_host(self.loop) if LAUNCH in op.attributes]
        slots = dict.fromkeys(slot for launch in launches for slot, _ in shared_slots(launch))
        return {slot: made("memref.alloca", ir.MemRefType(slot[0])) for slot in slots}


def _exchanged(loop: ir.Operation) -> list[int] | None:
    """The numbers of carried arrays that iterations hand on in another order and that are used under the loop's names;
    nothing if others look at them.

    Arrays that change places with no used one are where a loop of the host leaves them, and known there by other names.
    """
    sources = handed_on(loop)
    if sources is None:
        return None
    used = {number for number, result in enumerate(loop.results) if any(True for _ in result.uses)}
    exchanged = [number for number in range(len(sources)) if _is_moved(number, sources, used)]
    starts = [loop.operands[3 + number] for number in exchanged]
    return exchanged if all(_is_given_away(start, loop) for start in starts) else None


def _is_moved(number: int, sources: list[int], used: set[int]) -> bool:
    """Whether an array changes places with others of which one is used behind the loop."""
    places, place = {number}, sources[number]
    while place not in places:
        places.add(place)
        place = sources[place]
    return len(places) > 1 and not used.isdisjoint(places)


def _is_given_away(array: ir.Value, loop: ir.Operation) -> bool:
    """Whether an array is made before a loop, and nobody looks at it under its name afterwards."""
    if isinstance(array, ir.BlockArgument) or array.owner.operation.name not in ("memref.alloc", "memref.alloca"):
        return False
    holders = [loop]
    while holders[-1].block != array.owner.operation.block:
        holders.append(parent_of(holders[-1]))
        if holders[-1].name != "scf.if":
            return False
    users = [use.owner.operation for use in array.uses]
    return all(user == loop or user.name == "memref.dealloc" or _is_before(user, holders) for user in users)


def _is_before(user: ir.Operation, holders: list[ir.Operation]) -> bool:
    """Whether an operation runs before a loop, or instead of it, and gives no other name to an array.

    `holders` are the loop and the branches around it.
    """
    if any(is_memory(result.type) for result in user.results):
        return False
    inside = user
    while not any(inside.block == holder.block for holder in holders):
        inside = parent_of(inside)
    (holder,) = [each for each in holders if each.block == inside.block]
    if inside == holder:
        return holder != holders[0]
    order = [view.operation for view in holder.block.operations]
    return order.index(inside) < order.index(holder)


def _one(element: ir.Type) -> ir.MemRefType:
    return ir.MemRefType.get([1], element)


def _number(element: ir.Type) -> ir.Value:
    """Memory for a number that the launch leaves."""
    memory = made("memref.alloca", _one(element))
    memory.owner.operation.attributes[RESULT] = ir.UnitAttr.get()
    return memory
