"""Ranges of integers: symbolic lower and upper bounds of loop indices and of arithmetic on them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.ir.sizes.expressions import Computed, Dim, Size
from tapeless.passes.ir.sizes.shapes import scalar_size
from tapeless.passes.ir.sizes.sizes import constant_int

WIDENING = frozenset({"arith.index_cast", "arith.extsi"})
DEPTH = 8


def keeps_value(name: str, result: ir.Type) -> bool:
    """Whether a cast keeps every index: to `index` or to 64 bits, never to fewer."""
    return name in WIDENING and (isinstance(result, ir.IndexType) or result.width >= 64)


@dataclass(frozen=True)
class Linear:
    """A size plus a constant; without a base, a constant."""

    base: Size | None
    offset: int

    def plus(self, amount: int) -> Linear:
        """This expression moved by a constant."""
        return replace(self, offset=self.offset + amount)


def linear(size: Size) -> Linear:
    """A size expression with its constant part taken off."""
    if isinstance(size, int):
        return Linear(None, size)
    if isinstance(size, Computed) and keeps_value(size.name, size.model.type):
        return linear(size.operands[0])
    if isinstance(size, Computed) and size.name in ("arith.addi", "arith.subi"):
        left, right = size.operands
        if isinstance(right, int):
            return linear(left).plus(right if size.name == "arith.addi" else -right)
        if isinstance(left, int) and size.name == "arith.addi":
            return linear(right).plus(left)
    return Linear(size, 0)


def is_at_most(left: Linear, right: Linear) -> bool:
    """Whether one expression is provably no greater than another; sizes of arrays are never negative."""
    if left.base is None:
        return (right.base is None or isinstance(right.base, Dim)) and left.offset <= right.offset
    return right.base is not None and left.base == right.base and left.offset <= right.offset


def is_not_above(left: ir.Value | int, right: ir.Value | int, depth: int = DEPTH) -> bool:
    """Whether a number is provably no greater than another; a minimum is as large as both, a maximum as small."""
    if depth and (parts := _operands_of(right, "arith.minsi")):
        return all(is_not_above(left, part, depth - 1) for part in parts)
    if depth and (parts := _operands_of(left, "arith.maxsi")):
        return all(is_not_above(part, right, depth - 1) for part in parts)
    return any(is_at_most(high, low) for high in _known(left, highs) for low in _known(right, lows))


def _operands_of(value: ir.Value | int, name: str) -> list[ir.Value]:
    if isinstance(value, int | ir.BlockArgument) or value.owner.operation.name != name:
        return []
    return list(value.owner.operands)


def _known(value: ir.Value | int, bounds: BoundsOf) -> list[Linear]:
    return [Linear(None, value)] if isinstance(value, int) else bounds(value)


def is_below(left: ir.Value, right: ir.Value) -> bool:
    """Whether an integer is provably less than another."""
    return any(is_at_most(high.plus(1), low) for high in highs(left) for low in lows(right))


def is_not_below(left: ir.Value, right: ir.Value) -> bool:
    """Whether an integer is provably greater than or equal to another."""
    return any(is_at_most(high, low) for high in highs(right) for low in lows(left))


def is_non_negative(value: ir.Value) -> bool:
    """Whether an integer is provably zero or more."""
    return any(is_at_most(Linear(None, 0), low) for low in lows(value))


def is_index_of(index: ir.Value | int, size: Size) -> bool:
    """Whether an index is provably in `[0, size)`."""
    if isinstance(index, int):
        return index >= 0 and is_at_most(Linear(None, index + 1), linear(size))
    return is_non_negative(index) and any(is_at_most(high.plus(1), linear(size)) for high in highs(index))


def lows(value: ir.Value, depth: int = DEPTH) -> list[Linear]:
    """Lower bounds of an integer."""
    return _bounds(value, lows, "arith.maxsi", _loop_lows, depth)


def highs(value: ir.Value, depth: int = DEPTH) -> list[Linear]:
    """Upper bounds (inclusive) of an integer."""
    return _bounds(value, highs, "arith.minsi", _loop_highs, depth)


BoundsOf = Callable[..., list[Linear]]


def _bounds(value: ir.Value, again: BoundsOf, either: str, of_loop: BoundsOf, depth: int) -> list[Linear]:
    if depth == 0:
        return []
    if isinstance(value, ir.BlockArgument):
        return [*of_loop(value, depth), Linear(value, 0)]
    op = value.owner
    if keeps_value(op.operation.name, value.type):
        return again(op.operands[0], depth - 1)
    if op.operation.name == either:
        return [bound for operand in op.operands for bound in again(operand, depth - 1)]
    if op.operation.name == "arith.addi" and (amount := constant_int(op.operands[1])) is not None:
        return [bound.plus(amount) for bound in again(op.operands[0], depth - 1)]
    if op.operation.name == "arith.subi" and (amount := constant_int(op.operands[1])) is not None:
        return [bound.plus(-amount) for bound in again(op.operands[0], depth - 1)]
    return [linear(scalar_size(value))]


def _loop_lows(argument: ir.BlockArgument, depth: int) -> list[Linear]:
    op = argument.owner.owner
    if argument.arg_number != 0:
        return []
    if op.operation.name == "scf.for":
        return lows(op.operands[0], depth - 1)
    return [Linear(None, 0)] if is_width_index(argument, op) else []


def _loop_highs(argument: ir.BlockArgument, depth: int) -> list[Linear]:
    op = argument.owner.owner
    if argument.arg_number != 0:
        return []
    if op.operation.name == "scf.for":
        return [high.plus(-1) for high in highs(op.operands[1], depth - 1)]
    return [linear(scalar_size(op.operands[0])).plus(-1)] if is_width_index(argument, op) else []


def is_width_index(argument: ir.BlockArgument, op: ir.OpView) -> bool:
    return op.operation.name in ("soac.map", "soac.fused") and argument.owner == op.regions[0].blocks[0]
