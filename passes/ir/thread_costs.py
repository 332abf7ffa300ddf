"""The cost of host code: operations if one thread runs it, launches if the host does."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import TypeAlias

from tapeless._mlir import arith, ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.ir import build
from tapeless.passes.ir.costs import FREE
from tapeless.passes.ir.sizes.expressions import Computed, Dim, Size, Total
from tapeless.passes.ir.sizes.shapes import scalar_size, size_of
from tapeless.passes.ir.sizes.sizes import as_value, can_write, write

Amount: TypeAlias = ir.Value | int

# Amounts end here, so that their products are integers.
LARGEST = 1 << 30
# How often loops run of which nobody knows it before.
UNKNOWN_LENGTH = 16
OPERATORS = frozenset(
    {"soac.map", "soac.reduce", "soac.scan", "soac.fused", "soac.hist", "soac.fused_hist", "soac.scatter"}
)
# Operations that move whole arrays: those of which the number of elements tells how many are moved, the best first.
MOVES: dict[str, Callable[[ir.OpView], list[ir.Value]]] = {
    "tensor.splat": lambda op: [op.results[0]],
    "tensor.concat": lambda op: [op.results[0]],
    "tensor.insert_slice": lambda op: [op.operands[0], op.results[0]],
    "tensor.reshape": lambda op: [op.results[0]],
    "soac.transpose": lambda op: [op.results[0]],
    "soac.reverse": lambda op: [op.results[0]],
    "soac.widen": lambda op: [op.results[0]],
}
# Those of them that the host only looks at in another way.
TURNED = frozenset({"tensor.reshape", "soac.transpose", "soac.reverse"})
# Arithmetic that makes nothing larger than its first operand.
SMALLER = frozenset({"arith.subi", "arith.index_cast", "arith.divsi", "arith.ceildivsi", "arith.floordivsi"})
LOOPS = frozenset({"scf.for", "scf.while"})
VIEWS = frozenset({"tensor.extract_slice", "tensor.cast", "tensor.empty", "tensor.dim", "soac.with_acc", "scf.yield"})
# Operations of a thread for one of these; any other is one.
COSTS = {"arith.divf": 8, "tensor.extract": 2, "tensor.insert": 2, "soac.update": 4, "soac.assert": 1, "soac.fn": 16}
COST_OF_FUNCTION = 16
# Launches of operators: a map is one, others have parts to bring together.
LAUNCHES_OF_A_MAP, LAUNCHES_OF_OTHERS = 1, 2


class UnknownCost(Exception):
    """A size is not known before the loop."""


@dataclass(frozen=True)
class Cost:
    """Operations of a thread, and launches of the host."""

    work: Amount
    launches: Amount


@dataclass(frozen=True)
class Costs:
    """Asks for costs, as numbers that are computed at one place, before the loop that they are of."""

    at: ir.InsertionPoint

    def of_iteration(self, body: ir.Block) -> Amount:
        """The number of operations that a thread runs for an iteration."""
        return self.sum(self._in_thread(op) for op in body.operations)

    def of_block(self, block: ir.Block) -> Cost:
        """The cost of all operations of a block that the host runs."""
        costs = [self._of_host(op) for op in block.operations]
        return Cost(self.sum(cost.work for cost in costs), self.sum(cost.launches for cost in costs))

    def launches_of(self, block: ir.Block) -> Amount:
        """The number of launches of a block that the host runs."""
        return self.sum(self._launches(op) for op in block.operations)

    def elements(self, *arrays: ir.Value) -> Amount:
        """How many elements the first of some arrays has of which that is known, at most."""
        for array in arrays:
            with suppress(UnknownCost):
                total: Amount = 1
                for axis in range(array.type.rank):
                    total = self.product(total, self._bound(size_of(array, axis)))
                return total
        raise UnknownCost

    def length(self, loop: ir.OpView) -> Amount:
        """How many iterations a loop has at most."""
        if loop.operation.name != "scf.for":
            return UNKNOWN_LENGTH
        try:
            return self._bound(scalar_size(loop.operands[1]))
        except UnknownCost:
            return UNKNOWN_LENGTH

    def sum(self, amounts: Iterable[Amount]) -> Amount:
        """The sum of amounts."""
        known, others = 0, []
        for amount in amounts:
            if isinstance(amount, int):
                known += amount
            else:
                others.append(amount)
        if not others:
            return _within(known)
        if not known and len(others) == 1:
            return others[0]
        with self.at, self._location:
            for other in others[1:]:
                others[0] = arith.addi(others[0], other)
            return self._limited(arith.addi(others[0], build.index(known)))

    def product(self, left: Amount, right: Amount) -> Amount:
        """The product of two amounts."""
        if isinstance(left, int) and isinstance(right, int):
            return _within(left * right)
        with self.at, self._location:
            return self._limited(arith.muli(self.value(left), self.value(right)))

    def value(self, amount: Amount) -> ir.Value:
        """An amount as a value."""
        return build.index(amount) if isinstance(amount, int) else amount

    @property
    def _location(self) -> ir.Location:
        return self.at.ref_operation.location

    def _of_host(self, op: ir.OpView) -> Cost:
        return Cost(self._in_thread(op), self._launches(op))

    def _launches(self, op: ir.OpView) -> Amount:
        name = op.operation.name
        if name in OPERATORS:
            return LAUNCHES_OF_A_MAP if name == "soac.map" else LAUNCHES_OF_OTHERS
        if name in MOVES:
            return 0 if name in TURNED else 1
        inside = self.sum(self.launches_of(block) for region in op.regions for block in region.blocks)
        return self.product(inside, self.length(op)) if name in LOOPS else inside

    def _in_thread(self, op: ir.OpView) -> Amount:
        """The number of operations that a thread runs for one."""
        name = op.operation.name
        if name in MOVES:
            return self.product(self.elements(*MOVES[name](op)), 2)
        inside = self.sum(self._in_thread(each) for region in op.regions for block in region.blocks for each in block)
        if name in OPERATORS:
            return self.product(self.sum([inside, 2]), self._bound(scalar_size(op.operands[0])))
        if name in LOOPS:
            return self.product(inside, self.length(op))
        if op.regions:
            return inside
        return 0 if name in FREE or name in VIEWS else COSTS.get(name, COST_OF_FUNCTION if "math." in name else 1)

    def _bound(self, size: Size) -> Amount:
        """The upper bound of a size: itself, if it is known before the loop, else with indices as large as they get."""
        if can_write(size, self.at):
            return self._written(size)
        if isinstance(size, Total):
            return self.sum(self.product(self._bound(part), times) for part, times in size.parts if times > 0)
        if isinstance(size, Computed):
            return self._of_arithmetic(size)
        value = size.array if isinstance(size, Dim) else size
        if not isinstance(value, ir.BlockArgument) or value.owner.owner.operation.name != "scf.for":
            raise UnknownCost
        loop, number = value.owner.owner, value.arg_number
        if isinstance(size, Dim):
            # Loops seldom change the sizes of what they carry.
            return self._bound(size_of(loop.operands[2 + number], size.axis))
        return self._bound(scalar_size(loop.operands[2 + number if number else 1]))

    def _of_arithmetic(self, size: Computed) -> Amount:
        if size.name in ("arith.addi", "arith.maxsi"):
            return self.sum(self._bound(each) for each in size.operands)
        if size.name == "arith.muli":
            return self.product(*(self._bound(each) for each in size.operands))
        if size.name in SMALLER:
            return self._bound(size.operands[0])
        if size.name == "arith.minsi":
            for operand in size.operands:
                with suppress(UnknownCost):
                    return self._bound(operand)
        raise UnknownCost

    def _written(self, size: Size) -> Amount:
        if not can_write(size, self.at):
            raise UnknownCost
        with self.at, self._location:
            found = write(size, self.at)
            if isinstance(found, int):
                return min(found, LARGEST)
            return self._limited(arith.maxsi(as_value(found, self.at), build.index(0)))

    def _limited(self, value: ir.Value) -> ir.Value:
        return arith.minsi(value, build.index(LARGEST))


def _within(amount: int) -> int:
    """An amount that is not too large for an integer; loops whose bounds are in the other order run never."""
    return max(0, min(amount, LARGEST))
