"""Amounts of work, memory and iterations: integers, or values that are written down before a loop."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import field
from typing import TypeAlias

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.ir.sizes.sizes import FOLDS

Amount: TypeAlias = ir.Value | int

# Amounts of work end here, so that their products are integers.
LARGEST = 1 << 30


@dataclass
class Amounts:
    """Arithmetic of amounts, whose code stands `before` a loop, or the variant around it.

    Each operation on the same values, and each number, is written once, however often it is asked for.
    """

    loop: ir.Operation
    before: ir.Operation
    written: list[ir.Operation] = field(default_factory=list, kw_only=True)
    _once: dict[tuple[object, ...], ir.Value] = field(default_factory=dict, kw_only=True)

    @property
    def at(self) -> ir.InsertionPoint:
        return ir.InsertionPoint(self.before)

    def sum(self, amounts: Iterable[Amount]) -> Amount:
        """The sum of amounts of work: numbers first, and the limit once, since plans hold all that is written."""
        given = list(amounts)
        number = sum(each for each in given if isinstance(each, int))
        values: list[Amount] = [each for each in given if not isinstance(each, int)]
        if not values:
            return min(number, LARGEST)
        total = self._chain("arith.addi", [*values, number] if number else values) or 0
        return total if len(values) == 1 and not number else self._binary("arith.minsi", total, LARGEST)

    def largest(self, amounts: list[Amount]) -> Amount:
        """The largest of amounts."""
        return self._chain("arith.maxsi", amounts) or 0

    def smallest(self, amounts: list[Amount]) -> Amount:
        """The smallest of amounts."""
        return self._chain("arith.minsi", amounts) or 0

    def product(self, left: Amount, right: Amount) -> Amount:
        """The product of amounts of work."""
        if 1 in (left, right):
            return right if left == 1 else left
        return self._limited("arith.muli", left, right)

    def bytes(self, each: Amount, count: Amount) -> Amount:
        """The bytes of so many parts, none if the number is negative."""
        return self._binary("arith.muli", each, self._binary("arith.maxsi", count, 0))

    def rounds(self, amount: Amount, size: int) -> Amount:
        """How many times so many it takes."""
        return amount if size == 1 else self._binary("arith.ceildivsi", amount, size)

    def value(self, amount: Amount) -> ir.Value:
        """An amount as a value before the loop."""
        return self._write("arith.constant", [], amount) if isinstance(amount, int) else amount

    def forget(self) -> None:
        """Takes back unused code."""
        for op in reversed(self.written):
            if not any(True for result in op.results for _ in result.uses):
                op.erase()
        self.written.clear()
        self._once.clear()

    def _write(self, name: str, operands: list[ir.Value], constant: int | None = None) -> ir.Value:
        key = (name, *operands, constant)
        if key not in self._once:
            type_ = ir.IndexType.get(self.loop.context)
            attributes = {} if constant is None else {"value": ir.IntegerAttr.get(type_, constant)}
            with self.at, self.loop.location:
                self.written.append(ir.Operation.create(name, [type_], operands, attributes))
            self._once[key] = self.written[-1].results[0]
        return self._once[key]

    def _chain(self, name: str, amounts: list[Amount]) -> Amount | None:
        if not amounts:
            return None
        total = amounts[0]
        for other in amounts[1:]:
            total = self._binary(name, total, other)
        return total

    def _limited(self, name: str, left: Amount, right: Amount) -> Amount:
        return self._binary("arith.minsi", self._binary(name, left, right), LARGEST)

    def _binary(self, name: str, left: Amount, right: Amount) -> Amount:
        if isinstance(left, int) and isinstance(right, int):
            return KNOWN[name](left, right)
        return self._write(name, [self.value(left), self.value(right)])


KNOWN: dict[str, Callable[[int, int], int]] = {
    **FOLDS,
    "arith.divsi": lambda left, right: left // right,
    "arith.ceildivsi": lambda left, right: -(-left // right),
}
