"""Which scalars of the host function the host knows, which kernels compute, and which are computed again where needed.

The host computes with integers only. Whatever comes from memory of the device, or depends on such, stays there. Values
that loops and branches hand on are known if all that they are handed are; that is found by taking it for granted first.
Integers of the device that bound a loop of the host beside them, or are sizes of memory there, are read once they are
computed, so that what depends on them is known, too.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from typing import NamedTuple

from tapeless._mlir import ir
from tapeless.passes.lower.launches.plan.integers import is_expression
from tapeless.passes.lower.launches.plan.values import is_integer, is_memory
from tapeless.passes.marks import LAUNCH

CONTROL = frozenset({"scf.for", "scf.if", "scf.while"})
# What only the host can do.
OF_THE_HOST = frozenset({"memref.alloc", "memref.dealloc", "memref.copy"})
REPEATED = ("arith.", "math.", "llvm.intr.")


class Where(Enum):
    """Where a scalar is."""

    HOST = "host"
    DEVICE = "device"
    AGAIN = "computed again"


def needs_host(op: ir.Operation) -> bool:
    """Whether an operation cannot run in one thread of a kernel: arrays that it hands on may not leave it."""
    return any(is_memory(result.type) for result in op.results) or holds_work_of_host(op)


def holds_work_of_host(op: ir.Operation) -> bool:
    """Whether an operation is, or has inside, work that only the host can do."""
    if LAUNCH in op.attributes or op.name in OF_THE_HOST:
        return True
    inner = (child.operation for region in op.regions for block in region.blocks for child in block.operations)
    return any(holds_work_of_host(child) for child in inner)


def is_control(op: ir.Operation) -> bool:
    """Whether an operation is a loop or branch that the host runs."""
    return op.name in CONTROL and LAUNCH not in op.attributes and needs_host(op)


class Kind(NamedTuple):
    """Facts about an operation that hold in every round: the place of its results, or the values that decide it."""

    where: Where | None
    operands: tuple[ir.Value, ...] = ()
    is_expression: bool = False


def kind_of(op: ir.Operation) -> Kind:
    """The kind of an operation that is no loop or branch of the host."""
    name = op.name
    if name in ("memref.dim", "arith.constant") and is_integer(op.results[0].type):
        return Kind(Where.HOST)
    if not name.startswith(REPEATED) or op.regions:
        return Kind(Where.DEVICE)
    operands = tuple(op.operands)
    if any(is_memory(value.type) for value in operands):
        return Kind(Where.DEVICE)
    return Kind(None, operands, is_expression(op))


class Placement:
    """Where every scalar of a function is."""

    def __init__(self, function: ir.Operation) -> None:
        self.where: dict[ir.Value, Where] = {}
        self.read: dict[ir.Value, Where] = {}
        """Numbers that the host reads where they are computed, and where that is."""
        self._moved: set[ir.Value] = set()
        self._kinds: dict[ir.Operation, Kind] = {}
        block = function.regions[0].blocks[0]
        before = -1
        while before != len(self._moved):
            before = len(self._moved)
            self.where = {argument: Where.HOST for argument in block.arguments}
            self.read = {}
            self._visit(block)

    def of(self, value: ir.Value) -> Where:
        """Where a scalar is."""
        return self.where[value]

    def computed(self, value: ir.Value) -> Where:
        """Where a scalar is computed, though it may be read then."""
        return self.read.get(value, self.where[value])

    def all_known(self, values: Sequence[ir.Value]) -> bool:
        """Whether the host knows all of these, which are of its own blocks or of others."""
        return all(is_memory(value.type) or self.where.get(value) is Where.HOST for value in values)

    def _visit(self, block: ir.Block) -> None:
        for view in block.operations:
            op = view.operation
            if is_control(op):
                VISITS[op.name](self, op)
            else:
                self._place(op, self._plain(op))

    def _place(self, op: ir.Operation, where: Where) -> None:
        for result in op.results:
            self.where[result] = where
            if where is not Where.HOST and is_integer(result.type) and _is_needed_beside(result, op):
                self.where[result], self.read[result] = Where.HOST, where

    def _plain(self, op: ir.Operation) -> Where:
        kind = self._kinds.get(op)
        if kind is None:
            kind = self._kinds[op] = kind_of(op)
        if kind.where is not None:
            return kind.where
        places = {self.of(value) for value in kind.operands}
        if Where.DEVICE in places:
            return Where.DEVICE
        return Where.HOST if Where.AGAIN not in places and kind.is_expression else Where.AGAIN

    def _hand_on(self, targets: Sequence[ir.Value], *sources: Sequence[ir.Value]) -> None:
        """Values that are handed others of the same number in every one of `sources`."""
        for number, target in enumerate(targets):
            if is_memory(target.type):
                continue
            is_known = is_integer(target.type) and all(
                self.where.get(values[number], Where.HOST) is Where.HOST for values in sources
            )
            if not is_known:
                self._moved.add(target)
            self.where[target] = Where.DEVICE if target in self._moved else Where.HOST

    def _for(self, op: ir.Operation) -> None:
        block = op.regions[0].blocks[0]
        index, *carried = block.arguments
        yielded = list(terminator(block).operands)
        self.where[index] = Where.HOST
        self._hand_on(carried, list(op.operands)[3:], yielded)
        self._visit(block)
        self._hand_on(carried, list(op.operands)[3:], yielded)
        self._hand_on(list(op.results), carried)

    def _if(self, op: ir.Operation) -> None:
        blocks = [region.blocks[0] for region in op.regions if len(region.blocks)]
        for block in blocks:
            self._visit(block)
        self._hand_on(list(op.results), *(list(terminator(block).operands) for block in blocks))

    def _while(self, op: ir.Operation) -> None:
        before, after = (region.blocks[0] for region in op.regions)
        passed = list(terminator(before).operands)[1:]
        yielded = list(terminator(after).operands)
        self._hand_on(list(before.arguments), list(op.operands), yielded)
        self._visit(before)
        self._hand_on(list(after.arguments), passed)
        self._visit(after)
        self._hand_on(list(before.arguments), list(op.operands), yielded)
        self._hand_on(list(op.results), passed)


def _is_needed_beside(value: ir.Value, op: ir.Operation) -> bool:
    """Whether the host needs a number in the block in which it is computed: as a bound of a loop, or a size."""
    for use in value.uses:
        user = use.owner.operation
        is_bound = user.name == "scf.for" and use.operand_number < 3 and is_control(user)
        if (is_bound or user.name == "memref.alloc") and user.block == op.block:
            return True
    return False


def terminator(block: ir.Block) -> ir.Operation:
    """The last operation of a block."""
    return block.operations[len(block.operations) - 1].operation


VISITS = {"scf.for": Placement._for, "scf.if": Placement._if, "scf.while": Placement._while}
