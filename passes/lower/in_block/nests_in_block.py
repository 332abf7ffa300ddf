"""The pass `lower-nests-in-block`: for GPUs, iterations of a launch with loops inside, by a block of threads each."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import reduce
from typing import ClassVar

from tapeless._mlir import arith, ir, scf
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.ir.build import index
from tapeless.passes.ir.machine import SCRATCH_OF_BLOCKS
from tapeless.passes.ir.rebuild import copy_op
from tapeless.passes.lower.grid.block_launches import THREADS_PER_BLOCK, WORKGROUP
from tapeless.passes.lower.in_block.allowed import (
    fits_into_block,
    number_of_operations,
    of_host,
    writes_alone,
)
from tapeless.passes.lower.in_block.amounts import Amount
from tapeless.passes.lower.in_block.bounded_arrays import bound_arrays
from tapeless.passes.lower.in_block.bounds import Bounds, Typical
from tapeless.passes.lower.in_block.memory import Room, free, made, memory_of_blocks
from tapeless.passes.lower.in_block.sharing import Arrays, shared_loops
from tapeless.passes.lower.in_block.work import work_of_block, work_of_thread
from tapeless.passes.lower.in_block.writing import Thread, counted, places_of, product_of
from tapeless.passes.lower.launches.grids.grid_nests import launches_in, nest_of
from tapeless.passes.marks import EACH_BLOCK, EACH_THREAD, LAUNCH, PARALLEL, THREADS


@dataclass(frozen=True)
class NestsInBlock:
    """Gives launches whose threads run through loops that could be shared a variant with a block for each thread.

    ```mlir
    scf.for %i = ... {                             scf.if %are_few {
      scf.for %t = ... {                             scf.for %i = ... { scf.for %thread = 0 to 256 {
        scf.for %j = ... {tapeless.parallel}           scf.for %t = ... {
        scf.for %k = ... {tapeless.parallel}             scf.for %j = %thread to ... step 256
      }                                                  gpu.barrier
    } {tapeless.launch = "each thread"}                  ...
                                                     } {tapeless.threads} } {tapeless.launch = "each block"}
                                                   } else { the launch }
    ```
    A GPU that has a thread for each iteration of the launch is busy from many thousands of them on: up to
    `most_blocks` iterations are blocks, if a block is done in `least_gain` times less time than a thread, by the units
    of `work.py`. Launches of more than `most_operations` operations stay as they are, since they would be compiled
    twice.
    """

    name: ClassVar[str] = "lower-nests-in-block"
    most_blocks: int = 4096
    least_gain: int = 2
    most_operations: int = 1500

    def run(self, module: ir.Module) -> None:
        """Looks at the launches of functions."""
        module.context.dialects["gpu"]
        with module.context:
            for function in [op.operation for op in module.body.operations if op.operation.name == "func.func"]:
                for launch in launches_in(function):
                    if ir.StringAttr(launch.attributes[LAUNCH]).value == EACH_THREAD:
                        self._offer(launch)
                bound_arrays(function)

    def _offer(self, launch: ir.Operation) -> None:
        """Writes the variant, if it may be worth it."""
        if len(launch.results) or number_of_operations(launch) > self.most_operations:
            return
        nest = nest_of(launch)
        shared = list(shared_loops(nest[-1].regions[0].blocks[0], Arrays()))
        if not shared:
            return
        with _as_host_loop(launch, shared):
            if not fits_into_block(launch):
                return
            bounds = Bounds(launch, before=launch)
            made_inside = [op for op in of_host(launch) if op.name in ("memref.alloc", "memref.alloca")]
            rooms = [room for op in made_inside if (room := Room.of(bounds, op)) is not None]
            condition = len(rooms) == len(made_inside) and self._are_few(bounds, nest, rooms)
            if condition is False:
                bounds.forget()
                return
            variant = Variant(nest, bounds, rooms)
            if condition is not True:
                variant.choose(condition)
                return
            with launch.location, ir.InsertionPoint(launch):
                variant.launch_blocks()
        launch.erase()

    def _are_few(self, bounds: Bounds, nest: list[ir.Operation], rooms: list[Room]) -> ir.Value | bool:
        """Whether there are few iterations, whose blocks are done so much sooner, in memory that there is.

        A value where sizes decide.
        """
        count: Amount = 1
        for loop in nest:
            trips = bounds.trips(loop)
            if trips is None or not all(bounds.is_of_sizes(bound) for bound in list(loop.operands)[:3]):
                return False
            count = bounds.product(count, trips)
        # A launch of one iteration is there for little work, of which either takes little time: one of both will do.
        costs = Typical(nest[0], before=nest[0]) if count == 1 else bounds
        block = nest[-1].regions[0].blocks[0]
        by_block = costs.product(work_of_block(costs, block).units, self.least_gain)
        pairs: list[tuple[Amount, Amount]] = [(count, self.most_blocks), (by_block, work_of_thread(costs, block))]
        if count != 1:
            pairs.append((bounds.product(bounds.sum(room.bytes(bounds) for room in rooms), count), SCRATCH_OF_BLOCKS))
        known = [left <= right for left, right in pairs if isinstance(left, int) and isinstance(right, int)]
        if len(known) == len(pairs) or not all(known):
            return all(known)
        with bounds.at, nest[0].location:
            tests = [
                arith.cmpi(arith.CmpIPredicate.sle, bounds.value(left), bounds.value(right))
                for left, right in pairs
                if not (isinstance(left, int) and isinstance(right, int))
            ]
            return reduce(arith.andi, tests)


@dataclass(frozen=True)
class Variant:
    """A launch with the nest of loops that are its iterations, what is known of it, and the arrays that it makes."""

    nest: list[ir.Operation]
    bounds: Bounds
    rooms: list[Room]

    def choose(self, condition: ir.Value) -> None:
        """Puts a choice between blocks and threads in the place of the launch."""
        launch = self.nest[0]
        with launch.location, ir.InsertionPoint(launch):
            branch = scf.IfOp(condition, has_else=True)
        self.bounds.before = branch.operation
        with launch.location, ir.InsertionPoint(branch.then_block):
            self.launch_blocks()
            scf.YieldOp([])
        with launch.location, ir.InsertionPoint(branch.else_block):
            end = scf.YieldOp([])
        launch.move_before(end.operation)

    def launch_blocks(self) -> None:
        """Memory for all blocks, and their launch, here."""
        bounds = [list(loop.operands)[:3] for loop in self.nest]
        counts = [counted(*each) for each in bounds]
        count = product_of(counts)
        memory = [memory_of_blocks(room, self.bounds, count) for room in self.rooms]
        blocks = scf.ForOp(index(0), count, index(1))
        blocks.operation.attributes[LAUNCH] = ir.StringAttr.get(EACH_BLOCK)
        with ir.InsertionPoint(blocks.body):
            number = blocks.induction_variable
            alone = [op for op in of_host(self.nest[0]) if writes_alone(op)]
            cells = {result: _cell(result.type) for op in alone for result in op.results}
            threads = scf.ForOp(index(0), index(THREADS_PER_BLOCK), index(1))
            threads.operation.attributes[THREADS] = ir.UnitAttr.get()
            with ir.InsertionPoint(threads.body):
                rooms = {each.room.op.results[0]: each.of_block(number) for each in memory}
                thread = Thread(threads.induction_variable, rooms, cells, {})
                for loop, place, (low, _, step) in zip(self.nest, places_of(number, counts), bounds, strict=True):
                    block = loop.regions[0].blocks[0]
                    thread.values[block.arguments[0]] = arith.addi(low, arith.muli(place, step))
                    if loop is not self.nest[-1]:
                        for view in list(block.operations)[:-2]:
                            copy_op(view, thread.values)
                thread.run(self.nest[-1].regions[0].blocks[0])
                scf.YieldOp([])
            scf.YieldOp([])
        for each in memory:
            free(each.memory)


@contextmanager
def _as_host_loop(launch: ir.Operation, shared: list[list[ir.Operation]]) -> Iterator[None]:
    """Takes a launch as a loop of the host, and the nests that threads share as its launches."""
    kind = launch.attributes[LAUNCH]
    del launch.attributes[LAUNCH]
    independent = [loop for nest in shared for loop in nest if PARALLEL not in loop.attributes]
    for loop in independent:
        loop.attributes[PARALLEL] = ir.UnitAttr.get()
    for nest in shared:
        nest[0].attributes[LAUNCH] = ir.StringAttr.get(EACH_THREAD)
    try:
        yield
    finally:
        launch.attributes[LAUNCH] = kind
        for nest in shared:
            del nest[0].attributes[LAUNCH]
        for loop in independent:
            del loop.attributes[PARALLEL]


def _cell(element: ir.Type) -> ir.Value:
    """A number that the threads of a block share."""
    space = ir.Attribute.parse(WORKGROUP)
    return made("memref.alloca", ir.MemRefType.get([1], element, memory_space=space))
