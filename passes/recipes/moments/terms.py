"""Rank-1 factorisation of addends: sums of numbers of the destination row, scaled by numbers of the iteration.

Only sums in which both meet are taken apart, and products of such a sum with a number of one kind. That leaves results
as good as the table's own numbers are: `a + t * (b - a)` may be taken apart, with `a` and `b` of the table. A square of
a difference, or `a - t`, may not: what is left of it after cancellation would be lost.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.ir.array_loops import Loop
from tapeless.passes.ir.build import is_array
from tapeless.passes.ir.constants import constant_of
from tapeless.passes.ir.scopes import is_defined_outside
from tapeless.passes.recipes.moments.keys import Keyed
from tapeless.passes.soac.sums.replay import SCALAR_DIALECTS, VIEWS

Factors = tuple[ir.Value, ...]
# Numbers of the row and of the iteration whose product, times a constant, is added.
Terms = dict[tuple[Factors, Factors], float]
FREE = "contract"


class CannotSeparate(Exception):
    """Raised when an addend is no such sum."""


@dataclass
class Separation:
    """Takes the values of one accumulation apart."""

    keyed: Keyed
    _is_of_row: dict[ir.Value, bool] = field(default_factory=dict)
    _order: dict[ir.Value, int] = field(default_factory=dict)

    def terms(self, value: ir.Value) -> Terms:
        """A value in the inner map as such a sum."""
        number = constant_of(value)
        if isinstance(number, ir.FloatAttr):
            return {((), ()): number.value}
        if is_defined_outside(value, self.keyed.accumulation.operation):
            return self._alone(value, is_of_row=True)
        if self._is_of_iteration(value):
            return self._alone(value, is_of_row=False)
        if self.is_of_row(value):
            return self._alone(value, is_of_row=True)
        return self._of_operation(value)

    def is_of_row(self, value: ir.Value) -> bool:
        """Whether a value depends on keys, and on the index of an inner map, only."""
        if value not in self._is_of_row:
            self._is_of_row[value] = self._depends_on_row(value)
        return self._is_of_row[value]

    def _depends_on_row(self, value: ir.Value) -> bool:
        if is_defined_outside(value, self.keyed.accumulation.operation) or self._is_key(value):
            return True
        if isinstance(value, ir.BlockArgument):
            loop = value.owner.owner.opview
            if self._is_of_iteration(value) or loop.operation.name != "soac.map":
                return False
            if value == value.owner.arguments[0]:
                return True
            given = dict(zip(Loop.seen_as(loop).elements, Loop.seen_as(loop).inputs, strict=False))
            return value in given and self.is_of_row(given[value])
        op = value.owner.operation
        if len(op.regions):
            return False
        if op.name == "tensor.extract" or op.name in VIEWS:
            return all(self.is_of_row(operand) for operand in op.operands)
        if op.name.split(".")[0] not in SCALAR_DIALECTS or any(is_array(operand) for operand in op.operands):
            return False
        return all(self.is_of_row(operand) for operand in op.operands)

    def _is_key(self, value: ir.Value) -> bool:
        return any(value == key.root for key in self.keyed.keys)

    def _is_of_iteration(self, value: ir.Value) -> bool:
        """Whether a value is the same for all elements of a row."""
        return all(is_defined_outside(value, row.operation) for row in self.keyed.rows)

    def _alone(self, value: ir.Value, *, is_of_row: bool) -> Terms:
        self._order.setdefault(value, len(self._order))
        return {((value,), ()) if is_of_row else ((), (value,)): 1.0}

    def _of_operation(self, value: ir.Value) -> Terms:
        if isinstance(value, ir.BlockArgument):
            raise CannotSeparate
        op = value.owner.operation
        if "fastmath" not in op.attributes or FREE not in str(op.attributes["fastmath"]):
            raise CannotSeparate
        if op.name not in SIGNS and op.name != "arith.mulf":
            raise CannotSeparate
        parts = [self.terms(operand) for operand in op.operands]
        return self._sum(parts, SIGNS[op.name]) if op.name in SIGNS else self._product(*parts)

    def _sum(self, parts: Sequence[Terms], signs: Sequence[float]) -> Terms:
        total: Terms = {}
        for terms, sign in zip(parts, signs, strict=True):
            for key, number in terms.items():
                total[key] = total.get(key, 0.0) + sign * number
        if len({bool(of_row) for of_row, _ in total}) > 1:
            raise CannotSeparate
        return {key: number for key, number in total.items() if number != 0.0} or total

    def _product(self, left: Terms, right: Terms) -> Terms:
        if len(left) > 1 and len(right) > 1:
            raise CannotSeparate
        return {
            (self._sorted(a + c), self._sorted(b + d)): first * second
            for (a, b), first in left.items()
            for (c, d), second in right.items()
        }

    def _sorted(self, factors: Factors) -> Factors:
        return tuple(sorted(factors, key=lambda value: self._order[value]))


# The signs with which the operands of sums count.
SIGNS: dict[str, tuple[float, ...]] = {
    "arith.addf": (1.0, 1.0),
    "arith.subf": (1.0, -1.0),
    "arith.negf": (-1.0,),
}
