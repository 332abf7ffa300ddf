"""Looks at memory and writes to it, in the order in which the emitted code does them.

Times are numbers: eight per operation, in program order. The events of a body lie between those of its operation.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeAlias

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.lower.storage.aliasing import StoragePlan
from tapeless.passes.lower.storage.plan_check.iterations import iteration
from tapeless.passes.lower.storage.plan_check.places import Spot
from tapeless.passes.lower.storage.plan_check.spots import Spots
from tapeless.passes.lower.storage.tree import Node

PHASES = 8
READ, WRITE, ARGUMENTS, READ_LATER, WRITE_LATER, END = 0, 1, 3, 4, 5, 7


@dataclass(frozen=True)
class Read:
    """An operation looks at an array, or at a part of it (`spot`), but for what is to be overwritten.

    `node` lies where that happens; `reader` is the operation to blame, if it is another one.
    """

    time: int
    node: Node
    value: ir.Value
    spot: Callable[[], Spot]
    apart: Callable[[], list[Spot]] | None = None
    reader: Node | None = None


@dataclass(frozen=True)
class Write:
    """An operation overwrites a part of the memory of `value`, but for some parts of that."""

    time: int
    node: Node
    value: ir.Value
    spot: Callable[[], Spot]
    apart: Callable[[], list[Spot]] | None = None


@dataclass(frozen=True)
class Same:
    """The emitted code takes for granted that two arrays lie in the same place."""

    time: int
    node: Node
    value: ir.Value
    other: ir.Value


@dataclass(frozen=True)
class Taken:
    """The next iteration of the loop that `node` ends has the place of an array for one of those that it carries."""

    node: Node
    value: ir.Value


Event: TypeAlias = Read | Write | Same | Taken
Events: TypeAlias = Iterator[Event]


def time(node: Node, phase: int) -> int:
    return PHASES * node.position + phase


def end_of(node: Node) -> int:
    """When an operation with all that is inside has run."""
    return PHASES * node.end + END


def begin_of(first: Node) -> int:
    """When an iteration whose first operation is this one begins."""
    return PHASES * first.position - 2


class Recorder:
    """Makes events; reads and writes of whole arrays are made most often."""

    def __init__(self, plan: StoragePlan, spots: Spots) -> None:
        self.plan = plan
        self.spots = spots

    def read(self, node: Node, value: ir.Value, phase: int = READ) -> Read:
        return Read(time(node, phase), node, value, lambda: self.spots.spot(value))

    def write(self, node: Node, value: ir.Value, phase: int = WRITE) -> Write:
        return Write(time(node, phase), node, value, lambda: self.spots.spot(value))

    def element(self, node: Node, array: ir.Value) -> Read:
        """The scalar that an iteration loads when it begins."""
        first = node.regions[0][0]
        return Read(begin_of(first), first, array, lambda: self.spots.spot(array).at(iteration(node)), reader=node)

    def moved(self, node: Node, source: ir.Value, target: ir.Value, read: int = READ, write: int = WRITE) -> Events:
        """A copy, or nothing but a look when the source lies there already."""
        yield self.read(node, source, read)
        if not self.lie_together(source, target):
            yield self.write(node, target, write)

    def lie_together(self, left: ir.Value, right: ir.Value) -> bool:
        return self.spots.memory(left) == self.spots.memory(right) and self.spots.spot(left) == self.spots.spot(right)

    def into_row(self, node: Node, value: ir.Value, target: ir.Value, end: Node) -> Events:
        """What an iteration yields goes to a row of the result."""

        def row() -> Spot:
            return self.spots.spot(target).at(iteration(node))

        if self.spots.is_array(value):
            yield Read(time(end, READ_LATER), end, value, lambda: self.spots.spot(value))
            if self.spots.memory(value) == self.spots.memory(target) and self.spots.spot(value) == row():
                return
        yield Write(time(end, WRITE_LATER), end, target, row)

    def rows(self, node: Node, arrays: list[ir.Value], arguments: list[ir.Value]) -> Events:
        """Scalars are loaded when an iteration begins; rows are looked at by what uses them."""
        for array, argument in zip(arrays, arguments, strict=True):
            if not self.spots.is_array(argument):
                yield self.element(node, array)


Rule: TypeAlias = Callable[[Recorder, Node], Events]
