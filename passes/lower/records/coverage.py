"""Whether an iteration writes all elements of a record, found by following its loops of fixed length."""

from __future__ import annotations

import enum
import itertools
from collections.abc import Sequence
from dataclasses import field

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.ir.search import ops_named
from tapeless.passes.ir.sizes.sizes import constant_int

# Iterations that are followed one by one, a bound of compile time: a guess that fits the programs.
MOST_VISITS = 4096
ARITHMETIC = {
    "arith.addi": lambda a, b: a + b,
    "arith.subi": lambda a, b: a - b,
    "arith.muli": lambda a, b: a * b,
}


class Coverage(enum.Enum):
    """What an iteration does with a record: may leave elements alone, may read some before writing them, or neither."""

    PARTIAL = enum.auto()
    AFTER_READING = enum.auto()
    WHOLE = enum.auto()


def coverage_of(loop: ir.Operation, memory: ir.Value, shape: Sequence[int]) -> Coverage:
    """How an iteration of a loop writes a row of this shape."""
    visit = _Visit(memory, _holders(loop, memory), set(itertools.product(*map(range, shape))))
    try:
        written = visit.block(loop.regions[0].blocks[0], {}, frozenset())
    except _TooMany:
        return Coverage.PARTIAL
    if written != visit.elements:
        return Coverage.PARTIAL
    return Coverage.AFTER_READING if visit.reads_old else Coverage.WHOLE


class _TooMany(Exception):
    """Following all iterations would take too long."""


Element = tuple[int, ...]
Written = frozenset[Element]
Known = dict[ir.Value, int]


@dataclass
class _Visit:
    """One walk in the order of execution; `holders` are the operations with accesses to the record in them."""

    memory: ir.Value
    holders: list[ir.Operation]
    elements: set[Element]
    reads_old: bool = False
    _visits: int = field(default=0)

    def block(self, block: ir.Block, known: Known, written: Written) -> Written:
        """What has been written after a block, if `written` was before it."""
        for view in block.operations:
            op = view.operation
            if op in self.holders:
                self._visits += 1
                if self._visits > MOST_VISITS:
                    raise _TooMany
                written = self._operation(op, known, written)
        return written

    def _operation(self, op: ir.Operation, known: Known, written: Written) -> Written:
        if op.name == "memref.store":
            element = self._element(list(op.operands)[3:], known)
            return written if element is None else written | {element}
        if op.name == "memref.load":
            element = self._element(list(op.operands)[2:], known)
            self.reads_old |= written != self.elements if element is None else element not in written
            return written
        if op.name == "scf.for":
            return self._loop(op, known, written)
        after = [self.block(block, known, written) for region in op.regions for block in region.blocks]
        is_whole_choice = op.name == "scf.if" and len(after) == 2
        return after[0] & after[1] if is_whole_choice else written

    def _loop(self, op: ir.Operation, known: Known, written: Written) -> Written:
        low, high, step = (constant_int(bound) for bound in list(op.operands)[:3])
        body = op.regions[0].blocks[0]
        if low is None or high is None or step is None:
            self.block(body, known, written)
            return written
        for number in range(low, high, step):
            written = self.block(body, known | {body.arguments[0]: number}, written)
        return written

    def _element(self, indices: Sequence[ir.Value], known: Known) -> Element | None:
        found = [number for index in indices if (number := _number(index, known)) is not None]
        return tuple(found) if len(found) == len(indices) else None


def _number(value: ir.Value, known: Known) -> int | None:
    """An index that follows from constants and the numbers of iterations."""
    if value in known:
        return known[value]
    constant = constant_int(value)
    if constant is not None or isinstance(value.owner, ir.Block):
        return constant
    op = value.owner.operation
    if op.name not in ARITHMETIC:
        return None
    operands = [_number(operand, known) for operand in op.operands]
    return None if None in operands else ARITHMETIC[op.name](*operands)


def _holders(loop: ir.Operation, memory: ir.Value) -> list[ir.Operation]:
    """The accesses to an array in a loop, and what they are in."""
    found: list[ir.Operation] = []
    for view in ops_named(loop.opview, "memref.load", "memref.store"):
        op = view.operation
        if op.operands[op.name == "memref.store"] == memory:
            while op != loop and op not in found:
                found.append(op)
                op = op.parent.operation
    return found
