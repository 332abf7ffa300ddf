"""The body of a structured operation: which operands it reads, and whether its results are combined by operators."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.imports.linalg.rebuild import FASTMATH
from tapeless.passes.ir.build import flags, number

# Operators that may be applied in any order, each with the number that changes nothing.
NEUTRAL: dict[str, float] = {
    "arith.addf": 0,
    "arith.addi": 0,
    "arith.mulf": 1,
    "arith.muli": 1,
    "arith.maximumf": -math.inf,
    "arith.minimumf": math.inf,
    "arith.maxnumf": -math.inf,
    "arith.minnumf": math.inf,
    "arith.maxsi": -math.inf,
    "arith.minsi": math.inf,
    "arith.andi": -1,
    "arith.ori": 0,
    "arith.xori": 0,
}


class Operator(NamedTuple):
    """An operator that is known, by its operation."""

    name: str
    type: ir.Type

    def combined(self, left: ir.Value, right: ir.Value) -> ir.Value:
        """Two numbers combined."""
        attributes = {FASTMATH: flags()} if self.name.endswith("f") else {}
        return ir.Operation.create(self.name, [self.type], [left, right], attributes).result

    def neutral(self) -> ir.Value:
        """The number that changes nothing."""
        return number(self.type, self._number())

    def _number(self) -> float:
        value = NEUTRAL[self.name]
        if not isinstance(self.type, ir.IntegerType):
            return value
        if self.name == "arith.muli" and self.type.width == 1:
            return -1
        if math.isinf(value):
            largest = 2 ** (self.type.width - 1) - 1
            return largest if value > 0 else -largest - 1
        return value

    def is_neutral(self, value: ir.Value) -> bool:
        """Whether a number is known to change nothing."""
        if isinstance(value, ir.BlockArgument) or value.owner.operation.name != "arith.constant":
            return False
        attribute = value.owner.operation.attributes["value"]
        return isinstance(attribute, (ir.FloatAttr, ir.IntegerAttr)) and attribute.value == self._number()


class Combination(NamedTuple):
    """A result whose old value is combined with `term`; `made` is the old value of that."""

    operator: Operator
    term: ir.Value
    made: ir.Value


@dataclass(frozen=True)
class Body:
    """The block of a structured operation with its arguments."""

    block: ir.Block
    inputs: tuple[ir.BlockArgument, ...]
    outs: tuple[ir.BlockArgument, ...]
    yielded: tuple[ir.Value, ...]

    @staticmethod
    def of(op: ir.Operation) -> Body:
        """The body of an operation."""
        block = op.regions[0].blocks[0]
        arguments = list(block.arguments)
        results = len(list(block.operations[len(block.operations) - 1].operands))
        last = block.operations[len(block.operations) - 1].operation
        count = len(arguments) - results
        return Body(block, tuple(arguments[:count]), tuple(arguments[count:]), tuple(last.operands))

    def combinations(self) -> list[Combination] | None:
        """How all results are combined by operators that are known; None if one is made otherwise."""
        found = [_combination(out, value) for out, value in zip(self.outs, self.yielded, strict=True)]
        known = [each for each in found if each is not None]
        return known if len(known) == len(found) else None

    def operations(self) -> list[ir.Operation]:
        """Its operations but the last."""
        found = [each.operation for each in self.block.operations]
        return found[:-1]


def is_read(value: ir.Value) -> bool:
    """Whether anything reads a value."""
    return next(iter(value.uses), None) is not None


def _combination(out: ir.BlockArgument, value: ir.Value) -> Combination | None:
    if isinstance(value, ir.BlockArgument) or value.owner.operation.name not in NEUTRAL:
        return None
    op = value.owner.operation
    operands: Sequence[ir.Value] = list(op.operands)
    if len(list(out.uses)) != 1 or len(list(value.uses)) != 1 or out not in operands or op.block != out.owner:
        return None
    term = operands[1] if operands[0] == out else operands[0]
    return Combination(Operator(op.name, value.type), term, value)
