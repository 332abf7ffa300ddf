"""Launches that wait for each other for nothing, as one: every block of threads belongs to one of them.

Steps on arrays with borders are a large launch and many small ones, each of which takes as long as a launch takes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import field

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.lower.launches.grids.accesses import Access, accesses_of
from tapeless.passes.lower.launches.grids.grid_nests import nest_of
from tapeless.passes.marks import EACH_THREAD, LAUNCH

# Launches that run as one: a guess that fits the programs.
MOST_LAUNCHES = 128
# Heavier bodies need registers that the threads of lighter ones would have to have, too.
MOST_OPERATIONS = 24
# What can be done between two launches before the first of them.
PASSED = ("arith.", "memref.alloc", "memref.dim", "memref.cast", "memref.reinterpret_cast", "memref.get_global")
FREED = "memref.dealloc"


@dataclass
class Group:
    """Launches that do not meet."""

    loops: list[ir.Operation] = field(default_factory=list)
    accesses: list[Access] = field(default_factory=list)

    def meets(self, accesses: Sequence[Access]) -> bool:
        """Whether another launch has to be after these."""
        return any(mine.meets(theirs) for mine in self.accesses for theirs in accesses)


class Waiting:
    """Launches that have not been made yet, since more may join them, in groups after each other."""

    def __init__(self, run: Callable[[Sequence[ir.Operation]], None], visit: Callable[[ir.Operation], None]) -> None:
        self._run, self._visit = run, visit
        self._groups: list[Group] = []
        self._freed: list[ir.Operation] = []

    def take(self, op: ir.Operation) -> None:
        """The next operation of the host: it joins those that wait, or is visited, perhaps after them."""
        accesses = joint_accesses(op)
        if accesses is not None:
            group = self._group_for(accesses)
            group.loops.append(op)
            group.accesses.extend(accesses)
        elif self._groups and op.name == FREED:
            self._freed.append(op)
        else:
            if not op.name.startswith(PASSED):
                self.finish()
            self._visit(op)

    def _group_for(self, accesses: Sequence[Access]) -> Group:
        """The first group behind all that the launch has to wait for."""
        first = len(self._groups)
        while first and not self._groups[first - 1].meets(accesses):
            first -= 1
        for group in self._groups[first:]:
            if len(group.loops) < MOST_LAUNCHES:
                return group
        self._groups.append(Group())
        return self._groups[-1]

    def finish(self) -> None:
        """Makes the launches that wait, and frees the memory that they were the last to need."""
        groups, freed = self._groups, self._freed
        self._groups, self._freed = [], []
        for group in groups:
            self._run(group.loops)
        for op in freed:
            self._visit(op)


def joint_accesses(op: ir.Operation) -> list[Access] | None:
    """The reads and writes of a launch, if it is one that can run beside others: a nest of loops
    around a light body.
    """
    if LAUNCH not in op.attributes or ir.StringAttr(op.attributes[LAUNCH]).value != EACH_THREAD:
        return None
    nest = nest_of(op)
    body = [view.operation for view in nest[-1].regions[0].blocks[0].operations]
    if len(nest) < 2 or len(body) > MOST_OPERATIONS or any(len(inner.regions) for inner in body):
        return None
    if any(not inner.name.startswith(("arith.", "math.", "memref.", "scf.yield")) for inner in body):
        return None
    return accesses_of(op)
