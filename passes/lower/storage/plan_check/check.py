"""The check itself: between the making of an array and a look at it, nothing may be written to where it lies.

For every read, the writes to the same memory that can come in between are found: those between both in program order,
and those of other iterations of loops that the array comes from outside of. Each must provably touch other elements.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Hashable

from tapeless._mlir import ir
from tapeless.passes.lower.storage.aliasing import StoragePlan
from tapeless.passes.lower.storage.plan_check.array_rules import other
from tapeless.passes.lower.storage.plan_check.events import (
    ARGUMENTS,
    END,
    Read,
    Recorder,
    Same,
    Taken,
    Write,
    end_of,
    time,
)
from tapeless.passes.lower.storage.plan_check.iterations import Rename, are_exclusive, renames
from tapeless.passes.lower.storage.plan_check.places import Spot, are_disjoint
from tapeless.passes.lower.storage.plan_check.rules import RULES
from tapeless.passes.lower.storage.plan_check.spots import Spots
from tapeless.passes.lower.storage.tree import Node

LOOPS = frozenset(
    {"scf.for", "scf.while", "soac.map", "soac.reduce", "soac.scan", "soac.fused", "soac.hist", "soac.fused_hist"}
)
SCALARS = ("arith.", "math.")


class PlanBroken(Exception):
    """The plan would let an operation see something else than the array it reads: a mistake of the compiler."""

    def __init__(self, node: Node, reason: str) -> None:
        super().__init__(f"'{node.name}' at {node.op.location} {reason}")
        self.location = node.op.location


def check_plan(plan: StoragePlan) -> None:
    """Raises `PlanBroken` for the first read that would not see what it should."""
    Checker(plan).run()


def release_time(last: Node) -> int:
    """When memory is given back that `last` is the last to use: what a lifted row lies in, after it was combined."""
    holder = last.parent
    if holder is not None and holder.name == "soac.fused" and last is holder.terminator:
        return end_of(holder)
    return end_of(last)


class Checker:
    """Follows what every piece of memory holds."""

    def __init__(self, plan: StoragePlan) -> None:
        self.plan = plan
        self.spots = Spots(plan)
        self.recorder = Recorder(plan, self.spots)
        self.writes: dict[Hashable, list[Write]] = defaultdict(list)
        self.reads: list[Read] = []
        self.taken: set[tuple[Node, Hashable, Spot]] = set()
        self.loops: dict[Node, tuple[Node, ...]] = {}
        self.unfinished = {
            node.results[0]: following
            for slabs in plan.slabs.values()
            for node, following in zip(slabs.chain, slabs.chain[1:], strict=False)
        }
        self.deaths: dict[Hashable, int] = {
            storage: release_time(node) for node, dying in plan.deaths.items() for storage in dying
        }

    def run(self) -> None:
        self.walk(self.plan.tree.root.regions[0], ())
        for writes in self.writes.values():
            writes.sort(key=lambda write: write.time)
        for read in self.reads:
            self.check_read(read)

    def walk(self, nodes: list[Node], loops: tuple[Node, ...]) -> None:
        """Collects the events of a block and of the blocks inside it."""
        for node in nodes:
            if node.name.startswith(SCALARS):
                continue
            self.loops[node] = loops
            for event in RULES.get(node.name, other)(self.recorder, node):
                if isinstance(event, Read):
                    self.reads.append(event)
                elif isinstance(event, Write):
                    self.note_write(event)
                elif isinstance(event, Taken):
                    self.note_taken(event)
                else:
                    self.check_same(event)
            inside = (*loops, node) if node.name in LOOPS else loops
            for inner in node.regions:
                self.walk(inner, inside)

    def note_write(self, write: Write) -> None:
        storage = self.spots.storages.of(write.value)
        if not storage.writable and storage.home is self.plan.tree.root:
            raise PlanBroken(write.node, "would write into an argument")
        self.writes[self.spots.memory(write.value)].append(write)

    def note_taken(self, event: Taken) -> None:
        place = (event.node, self.spots.memory(event.value), self.spots.spot(event.value))
        if place in self.taken:
            raise PlanBroken(event.node, "would hand the same memory on as two arrays")
        self.taken.add(place)

    def check_same(self, event: Same) -> None:
        if not self.recorder.lie_together(event.value, event.other):
            raise PlanBroken(event.node, "takes an array to be where another one is")

    def check_read(self, read: Read) -> None:
        source = self.spots.source(read.value)
        memory = self.spots.memory(read.value)
        if read.time > self.deaths.get(memory, read.time):
            raise PlanBroken(read.reader or read.node, "would read memory that was given back")
        if self.unfinished.get(source, read.node) is not read.node:
            raise PlanBroken(read.reader or read.node, "would read an array that is not complete")
        writes = self.writes.get(memory)
        if not writes:
            return
        made, scope = self.made(source)
        crossed = self.loops_around(read.node)[len(scope) :]
        last = max(read.time, end_of(crossed[0])) if crossed else read.time
        first = bisect_right(writes, made, key=lambda write: write.time)
        for write in writes[first:]:
            if write.time > last:
                break
            self.check_pair(read, write, crossed)

    def check_pair(self, read: Read, write: Write, crossed: tuple[Node, ...]) -> None:
        if write.time < read.time and not are_exclusive(write.node, read.node):
            self.check_apart(read, write, None)
        around = self.loops_around(write.node)
        for loop in crossed:
            if loop in around:
                for rename in renames(loop):
                    self.check_apart(read, write, rename)

    def check_apart(self, read: Read, write: Write, rename: Rename | None) -> None:
        """The write touches other elements than the read, or some that the one or the other leaves out."""
        seen, touched = read.spot(), write.spot()
        if are_disjoint(seen, touched, rename):
            return
        if rename is None and read.apart is not None and any(map(touched.lies_in, read.apart())):
            return
        if rename is None and write.apart is not None and any(map(seen.lies_in, write.apart())):
            return
        raise PlanBroken(
            read.reader or read.node, f"would read what '{write.node.name}' at {write.node.op.location} has overwritten"
        )

    def made(self, value: ir.Value) -> tuple[int, tuple[Node, ...]]:
        """When an array is complete, and the loops in each iteration of which it is made anew."""
        node = self.plan.tree.definition[value]
        if not isinstance(value, ir.BlockArgument):
            return end_of(node), self.loops_around(node)
        if node is self.plan.tree.root:
            return -1, ()
        inside = (*self.loops_around(node), node) if node.name in LOOPS else self.loops_around(node)
        if node.name == "scf.while" and value not in node.arguments(0):
            return time(node.regions[0][-1], END), inside
        return time(node, ARGUMENTS), inside

    def loops_around(self, node: Node) -> tuple[Node, ...]:
        found = self.loops.get(node)
        if found is None:
            parent = node.parent
            assert parent is not None
            around = self.loops_around(parent) if parent is not self.plan.tree.root else ()
            found = self.loops[node] = (*around, parent) if parent.name in LOOPS else around
        return found
