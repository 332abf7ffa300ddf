"""What code on the index of a loop gives for all indices but the first and last few.

```
left = u[max(i - 1, 0)]         i - 1 from 1 on
right = u[(i + 1) % n]          i + 1 before n - 1
if i > 0 and i < n - 1:         holds between the two
```
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field

from tapeless._mlir import arith, ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.ir.scopes import is_defined_outside
from tapeless.passes.ir.sizes.expressions import Size
from tapeless.passes.ir.sizes.shapes import scalar_size
from tapeless.passes.ir.sizes.sizes import constant_int
from tapeless.passes.ir.sizes.terms import ONE, terms_of

# How many iterations a border has at most.
WIDEST = 8
# Integers of fewer bits may not hold an index.
WIDTH = 64

PREDICATE = arith.CmpIPredicate
SLT, SLE, SGT, SGE = (each.value for each in (PREDICATE.slt, PREDICATE.sle, PREDICATE.sgt, PREDICATE.sge))
EQ, NE = PREDICATE.eq.value, PREDICATE.ne.value
TURNED = {SLT: SGT, SLE: SGE, SGT: SLT, SGE: SLE, EQ: EQ, NE: NE}


@dataclass(frozen=True)
class Bound:
    """A number, or how far something is from the number of iterations."""

    offset: int
    from_end: bool


@dataclass
class Interior:
    """The iterations from `first` on and up to `last` before the end, and what values are in all of these.

    `shifted` has values that are the index and a number, `known` has conditions that always or never hold there, and
    `settled` the operations whose results are others at the borders, each with what it gives.
    """

    loop: ir.Operation
    index: ir.Value
    width: Size
    first: int = 0
    last: int = 0
    shifted: dict[ir.Value, int] = field(default_factory=dict)
    known: dict[ir.Value, bool] = field(default_factory=dict)
    settled: dict[ir.Operation, ir.Value | bool] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.shifted[self.index] = 0

    def take(self, op: ir.Operation) -> None:
        """Takes note of what an operation gives, after all that it reads."""
        rule = RULES.get(op.name)
        if rule is not None and any(each in self.shifted or each in self.known for each in op.operands):
            rule(self, op)

    def bound(self, value: ir.Value) -> Bound | None:
        """A value from outside of the loop as a number, or as its number of iterations and a number."""
        if not is_defined_outside(value, self.loop):
            return None
        if (number := constant_int(value)) is not None:
            if isinstance(self.width, int) and abs(number - self.width) < abs(number):
                return Bound(number - self.width, from_end=True)
            return Bound(number, from_end=False)
        difference = dict(terms_of(scalar_size(_as_index(value))))
        for what, times in terms_of(self.width):
            difference[what] = difference.get(what, 0) - times
        offset = difference.pop(ONE, 0)
        return None if any(difference.values()) else Bound(offset, from_end=True)

    def is_below(self, shift: int, bound: Bound) -> bool | None:
        """Whether the index and a number is below a bound in all iterations but few; nothing if neither is known.

        Makes the borders as wide as that needs.
        """
        start = bound.offset - shift  # index < start, counted from the beginning or from the end
        if bound.from_end:
            if start >= 0:
                return True
            return True if self._leave_last(-start) else None
        if start <= 0:
            return False
        return False if self._leave_first(start) else None

    def _leave_first(self, count: int) -> bool:
        if count > WIDEST:
            return False
        self.first = max(self.first, count)
        return True

    def _leave_last(self, count: int) -> bool:
        if count > WIDEST:
            return False
        self.last = max(self.last, count)
        return True

    def settle(self, op: ir.Operation, result: ir.Value | bool) -> None:
        """Notes what an operation gives in the interior."""
        self.settled[op] = result
        self.follow(op.results[0], result)

    def follow(self, value: ir.Value, result: ir.Value | bool) -> None:
        """Takes a value for another one, or for a condition that is known."""
        if isinstance(result, bool):
            self.known[value] = result
        elif result in self.shifted:
            self.shifted[value] = self.shifted[result]
        elif result in self.known:
            self.known[value] = self.known[result]


def _as_index(value: ir.Value) -> ir.Value:
    """The `index` that an integer was made of."""
    is_cast = not isinstance(value, ir.BlockArgument) and value.owner.name == "arith.index_cast"
    return value.owner.operands[0] if is_cast else value


def _sum(sign: int) -> Callable[[Interior, ir.Operation], None]:
    def rule(interior: Interior, op: ir.Operation) -> None:
        left, right = op.operands
        number = constant_int(right)
        if left in interior.shifted and number is not None:
            interior.shifted[op.results[0]] = interior.shifted[left] + sign * number
        elif sign > 0 and right in interior.shifted and (number := constant_int(left)) is not None:
            interior.shifted[op.results[0]] = interior.shifted[right] + number

    return rule


def _cast(interior: Interior, op: ir.Operation) -> None:
    if all(isinstance(each.type, ir.IndexType) or each.type.width == WIDTH for each in (*op.operands, *op.results)):
        interior.follow(op.results[0], op.operands[0])


def _comparison(interior: Interior, op: ir.Operation) -> None:
    left, right = op.operands
    predicate = op.attributes["predicate"].value
    if left not in interior.shifted:
        left, right, predicate = right, left, TURNED.get(predicate, predicate)
    if left not in interior.shifted or (bound := interior.bound(right)) is None:
        return
    shift = interior.shifted[left]
    if (holds := _holds(interior, predicate, shift, bound)) is not None:
        interior.settle(op, holds)


def _holds(interior: Interior, predicate: int, shift: int, bound: Bound) -> bool | None:
    """Whether a comparison of the index and a number with a bound holds in the interior."""
    beyond = Bound(bound.offset + 1, bound.from_end)
    if predicate in (SLT, SGE):
        below = interior.is_below(shift, bound)
        return below if below is None or predicate == SLT else not below
    if predicate in (SLE, SGT):
        below = interior.is_below(shift, beyond)
        return below if below is None or predicate == SLE else not below
    if predicate not in (EQ, NE):
        return None
    aside = interior.is_below(shift, bound if bound.from_end else beyond)
    return None if aside is None else predicate == NE


def _extreme(takes_larger: bool) -> Callable[[Interior, ir.Operation], None]:
    def rule(interior: Interior, op: ir.Operation) -> None:
        left, right = op.operands
        value, other = (left, right) if left in interior.shifted else (right, left)
        if (bound := interior.bound(other)) is None:
            return
        least = Bound(bound.offset + bound.from_end, bound.from_end)  # where both are equal, either will do
        below = interior.is_below(interior.shifted[value], least)
        if below is not None:
            interior.settle(op, other if below == takes_larger else value)

    return rule


def _remainder(interior: Interior, op: ir.Operation) -> None:
    value, divisor = op.operands
    if value not in interior.shifted:
        return
    bound = interior.bound(divisor)
    if bound is None or not bound.from_end or bound.offset < 0:
        return
    shift = interior.shifted[value]
    if interior.is_below(shift, bound) is True and interior.is_below(shift, Bound(0, from_end=False)) is False:
        interior.settle(op, value)


def _choice(interior: Interior, op: ir.Operation) -> None:
    condition, first, second = op.operands
    if condition in interior.known:
        interior.follow(op.results[0], first if interior.known[condition] else second)


def _conjunction(interior: Interior, op: ir.Operation) -> None:
    _combine(interior, op, decisive=False)


def _disjunction(interior: Interior, op: ir.Operation) -> None:
    _combine(interior, op, decisive=True)


def _combine(interior: Interior, op: ir.Operation, *, decisive: bool) -> None:
    given = [interior.known.get(each) for each in op.operands]
    if decisive in given:
        interior.known[op.results[0]] = decisive
    elif None not in given:
        interior.known[op.results[0]] = not decisive


def _exclusion(interior: Interior, op: ir.Operation) -> None:
    left, right = (interior.known.get(each, constant_int(each)) for each in op.operands)
    if left is not None and right is not None:
        interior.known[op.results[0]] = bool(left) != bool(right)


RULES: dict[str, Callable[[Interior, ir.Operation], None]] = {
    "arith.addi": _sum(1),
    "arith.subi": _sum(-1),
    "arith.index_cast": _cast,
    "arith.cmpi": _comparison,
    "arith.maxsi": _extreme(takes_larger=True),
    "arith.minsi": _extreme(takes_larger=False),
    "arith.remsi": _remainder,
    "arith.select": _choice,
    "arith.andi": _conjunction,
    "arith.ori": _disjunction,
    "arith.xori": _exclusion,
}
