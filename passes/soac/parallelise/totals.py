"""Numbers that a loop only combines with others: `total = total + term` on every way through the body."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.dialects.regions import terminator
from tapeless.passes.ir.build import flags, number
from tapeless.passes.ir.constants import constant_of


@dataclass(frozen=True)
class Combining:
    """An associative operation, with the operations that combine by it and the operands that may hold the total.

    Of equal operands the first has the derivative of a maximum, so a total that is the second one would have that of
    the last index, where a reduction has that of the first.
    """

    name: str
    neutral: float
    steps: dict[str, tuple[int, ...]]

    def is_neutral(self, value: ir.Value) -> bool:
        """Whether combining a value with another one gives the other; zeros of both signs count."""
        known = constant_of(value)
        return isinstance(known, ir.FloatAttr | ir.IntegerAttr) and known.value == self.neutral

    def combine(self, left: ir.Value, right: ir.Value) -> ir.Value:
        """Both values combined."""
        floats = {"fastmath": flags()} if self.name.endswith("f") else {}
        return ir.Operation.create(self.name, [left.type], [left, right], attributes=floats).results[0]

    def begin(self, argument: ir.Value) -> None:
        """Starts the body from the neutral element, and drops the combination with it."""
        for use in list(argument.uses):
            op = use.owner
            if op.operation.name == self.name:
                op.operation.results[0].replace_all_uses_with(op.operation.operands[1 - use.operand_number])
                op.operation.erase()
        argument.replace_all_uses_with(number(argument.type, self.neutral))


INFINITY = float("inf")
COMBINING = (
    Combining("arith.addf", -0.0, {"arith.addf": (0, 1), "arith.subf": (0,)}),
    Combining("arith.addi", 0, {"arith.addi": (0, 1), "arith.subi": (0,)}),
    Combining("arith.mulf", 1.0, {"arith.mulf": (0, 1)}),
    Combining("arith.maximumf", -INFINITY, {"arith.maximumf": (0,)}),
    Combining("arith.minimumf", INFINITY, {"arith.minimumf": (0,)}),
)
# What rounds its results, so that the order counts.
ROUNDED = ("arith.addf", "arith.subf", "arith.mulf")
Use = tuple[ir.Value | ir.Block, int]


@dataclass
class Chain:
    """The values that a running total takes within an iteration, and the uses by which it goes on."""

    by: Combining
    values: set[ir.Value] = field(default_factory=set)
    uses: set[Use] = field(default_factory=set)

    def reaches(self, value: ir.Value, start: ir.Value) -> bool:
        """Whether a value is the start, or such a value combined with something else."""
        if value == start:
            return True
        if isinstance(value, ir.BlockArgument):
            return False
        op = value.owner
        name = op.operation.name
        if name in self.by.steps:
            return self._combines(op, start)
        if name == "arith.index_cast" and all(map(_has_64_bits, (value, op.operands[0]))):
            return self._goes_on(op, 0, start)
        number = ir.OpResult(value).result_number
        if name == "scf.if" and len(op.regions[1].blocks):
            return self._is_chosen(op, number, start)
        return name == "scf.for" and self._is_repeated(op, number, start)

    def _combines(self, op: ir.OpView, start: ir.Value) -> bool:
        if not may_be_reordered(op):
            return False
        found = [k for k in self.by.steps[op.operation.name] if self._goes_on(op, k, start)]
        return len(found) == 1

    def _goes_on(self, op: ir.OpView, operand: int, start: ir.Value) -> bool:
        value = op.operands[operand]
        if not self.reaches(value, start):
            return False
        self.values.add(value)
        self.uses.add(_key(op, operand))
        return True

    def _is_chosen(self, op: ir.OpView, number: int, start: ir.Value) -> bool:
        return all([self._goes_on(terminator(region), number, start) for region in op.regions])

    def _is_repeated(self, op: ir.OpView, number: int, start: ir.Value) -> bool:
        inner = op.regions[0].blocks[0].arguments[1 + number]
        if not self._goes_on(op, 3 + number, start) or not self._goes_on(terminator(op.regions[0]), number, inner):
            return False
        self.values.add(inner)
        return True

    def is_all(self) -> bool:
        """Whether the running total is used for nothing else."""
        return all(_key(use.owner, use.operand_number) in self.uses for value in self.values for use in value.uses)


def may_be_reordered(op: ir.OpView) -> bool:
    """Whether roundings may change: not in procedures, which run back, nor where a program asks for no flags at all."""
    return op.operation.name not in ROUNDED or "contract" in str(op.operation.attributes["fastmath"])


def _has_64_bits(value: ir.Value) -> bool:
    return isinstance(value.type, ir.IndexType) or value.type.width == 64


def _key(op: ir.OpView, operand: int) -> Use:
    return (op.operation.results[0] if len(op.operation.results) else op.operation.block), operand


def combining(carried: ir.Value, yielded: ir.OpView, number: int) -> Combining | None:
    """The operation by which an iteration combines a carried value with others, if it does nothing else with it."""
    if not isinstance(carried.type, ir.F64Type | ir.F32Type | ir.IntegerType | ir.IndexType):
        return None
    for by in COMBINING:
        chain = Chain(by, {carried})
        is_kept = yielded.operands[number] == carried
        if not is_kept and chain._goes_on(yielded, number, carried) and chain.is_all():
            return by
    return None


def combines_in_place(accesses: Sequence[ir.OpView]) -> bool:
    """Whether an element is only read, and overwritten with its combination."""
    if sorted(op.operation.name for op in accesses) != ["tensor.extract", "tensor.insert"]:
        return False
    read, write = sorted(accesses, key=lambda op: op.operation.name)
    for by in COMBINING:
        chain = Chain(by, {read.results[0]})
        if write.operands[0] != read.results[0] and chain._goes_on(write, 0, read.results[0]) and chain.is_all():
            return True
    return False
