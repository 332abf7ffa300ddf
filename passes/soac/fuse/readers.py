"""Which loops of a block read an array element by element: those seen so far, kept up while loops are merged.

The uses of an array would tell as well, but they are as many as the program has statements, in all of its blocks.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import field
from typing import TypeAlias

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.ir.array_loops import Loop, is_loop, reads_elements
from tapeless.passes.ir.scopes import identity

Key: TypeAlias = ir.Value | ir.Block | None


@dataclass
class Readers:
    """Per array the loops that read its elements, in the order in which they were seen or made.

    Reductions that read nothing but indices are kept by their width, as if that was what they read.
    """

    loops: dict[ir.Value, dict[Key, ir.OpView]] = field(default_factory=dict)
    seen: set[Key] = field(default_factory=set)

    def enter(self, op: ir.OpView) -> None:
        """Takes note of an operation, if it is a loop."""
        if is_loop(op):
            key = identity(op)
            self.seen.add(key)
            for array in _read(Loop.seen_as(op)):
                self.loops.setdefault(array, {})[key] = op

    def leave(self, loop: Loop) -> None:
        """Forgets a loop, which is about to be merged into another, and its results."""
        key = identity(loop.op)
        self.seen.discard(key)
        for array in _read(loop):
            self.loops.get(array, {}).pop(key, None)
        for result in loop.op.results:
            self.loops.pop(result, None)

    def enter_users(self, op: ir.OpView) -> None:
        """Takes note of the loops that read the results of a merged one, which they knew by other names."""
        for result in op.results:
            for use in reversed(list(result.uses)):
                owner = use.owner
                if is_loop(owner) and identity(owner) in self.seen and reads_elements(owner, use.operand_number):
                    self.loops.setdefault(result, {})[identity(owner)] = owner

    def beside(self, consumer: Loop) -> Iterator[ir.OpView]:
        """The loops before this one that read one of its inputs, latest first."""
        here = consumer.op.operation
        for array in dict.fromkeys(_read(consumer)):
            for op in reversed(list(self.loops.get(array, {}).values())):
                if op.operation.is_before_in_block(here):
                    yield op


def _read(loop: Loop) -> Sequence[ir.Value]:
    return loop.inputs or ([loop.width] if loop.combines else [])
