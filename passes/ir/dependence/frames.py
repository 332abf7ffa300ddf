"""Dependence tests between two moments of a loop nest: a read's and a later write's."""

from __future__ import annotations

from dataclasses import field
from enum import Enum

from tapeless._mlir import ir
from tapeless.computed_once import computed_once
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.ir.dependence.accesses import Access
from tapeless.passes.ir.dependence.affine import LARGEST, Affine, affine
from tapeless.passes.ir.dependence.conditions import Predicate, comparison, excesses
from tapeless.passes.ir.places.indices import is_width_index
from tapeless.passes.ir.scopes import enclosing_op, owner_block
from tapeless.passes.ir.sizes.sizes import constant_int

MOST_STEPS = 24  # of a proof


class Moment(Enum):
    """When a value is looked at; those of loops that are in the same iteration have one value at both moments."""

    READ = "read"
    WRITE = "write"
    BOTH = "both"


@dataclass(frozen=True)
class At:
    """A value at a moment."""

    value: ir.Value
    moment: Moment


@dataclass(frozen=True)
class Passed:
    """How far the counter of a loop moves from the read to the write, where that is in a later iteration."""

    counter: ir.Value


@dataclass(frozen=True)
class Along:
    """The number of an element along an axis of a slice."""

    size: ir.Value | int
    axis: int
    moment: Moment


Variable = At | Passed | Along


@dataclass
class Frame:
    """A read and a later write: the first `equal` loops around both are in the same iteration at both moments.

    The loop after these is in a later iteration when the write happens, and those inside of it in any. Where all are in
    the same, the write comes later in the body.
    """

    read: Access
    write: Access
    equal: int
    _facts: list[Affine] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._facts = [fact for moment in (Moment.READ, Moment.WRITE) for fact in self._facts_at(moment)]

    @computed_once
    def common(self) -> list[ir.Value]:
        """The counters of the loops around both."""
        return common_counters(self.read, self.write)

    @computed_once
    def moving(self) -> ir.Value | None:
        """The counter of the loop that is in a later iteration."""
        return self.common[self.equal] if self.equal < len(self.common) else None

    @computed_once
    def is_impossible(self) -> bool:
        """Whether the two cannot both happen: they are in different branches, or a branch never leads there."""
        return any(
            self.write.known.get(condition, truth) != truth and self._is_the_same(condition)
            for condition, truth in self.read.known.items()
        ) or any(self.is_negative(fact) for fact in self._facts)

    def affine(self, extent: ir.Value | int, moment: Moment) -> Affine:
        """An integer at a moment."""
        return affine(extent, lambda value: self._named(value, moment))

    def is_positive(self, total: Affine, steps: int = MOST_STEPS) -> bool:
        """Whether a sum is at least one: each variable is replaced by a bound, the innermost first."""
        if not total.terms:
            return total.constant > 0
        if not steps or any(abs(count) > LARGEST for count in total.terms.values()):
            return False
        variable = max(total.terms, key=_depth)
        count = total.terms[variable]
        rest = total.without(variable)
        bounds = self._bounds(variable, least=count > 0)
        return any(self.is_positive(rest.plus(bound, count), steps - 1) for bound in bounds)

    def is_negative(self, total: Affine) -> bool:
        """Whether a sum is at most minus one."""
        return self.is_positive(total.times(-1))

    def _facts_at(self, moment: Moment) -> list[Affine]:
        """Sums that are not negative, by the loops and branches around the read or the write: all loops have a step."""
        access = self.read if moment is Moment.READ else self.write
        found = []
        for loop in access.loops:
            start, end = (self.affine(bound, moment) for bound in list(loop.operands)[:2])
            found.append(end.plus(start, -1).plus(Affine(-1)))
        for condition, truth in access.known.items():
            if (compared := comparison(condition, truth=truth)) is None:
                continue
            predicate, left, right = compared
            sides = self.affine(left, moment), self.affine(right, moment)
            found += self._unequal(*sides) if predicate == Predicate.ne else excesses(predicate, *sides)
        return found

    def _unequal(self, left: Affine, right: Affine) -> list[Affine]:
        """Of two that differ, one is greater where it is not less."""
        return [
            high.plus(low, -1).plus(Affine(-1))
            for high, low in ((left, right), (right, left))
            if self.is_positive(high.plus(low, -1).plus(Affine(1)))
        ]

    def _named(self, value: ir.Value, moment: Moment) -> Affine:
        """The symbol of a value that is no sum; a choice that is decided is its chosen value."""
        if isinstance(value, ir.OpResult) and value.owner.operation.name == "arith.select":
            condition, *sides = value.owner.operands
            truth = self._decided(condition, moment)
            if truth is not None:
                return self.affine(sides[0 if truth else 1], moment)
        if self._is_the_same(value):
            return Affine(0, {At(value, Moment.BOTH): 1})
        if self.moving is not None and value == self.moving:
            start = Affine(0, {At(value, Moment.READ): 1})
            return start if moment is Moment.READ else start.plus(Affine(0, {Passed(value): 1}))
        return Affine(0, {At(value, moment): 1})

    def _decided(self, condition: ir.Value, moment: Moment) -> bool | None:
        """Whether a comparison holds; nothing where that is not known."""
        for truth in (True, False):
            compared = comparison(condition, truth=truth)
            if compared is None:
                return None
            predicate, left, right = compared
            needed = excesses(predicate, self.affine(left, moment), self.affine(right, moment))
            if needed and all(self.is_positive(excess.plus(Affine(1))) for excess in needed):
                return truth
        return None

    def _is_the_same(self, value: ir.Value) -> bool:
        """Whether a value is one at both moments: it is defined in no loop that is in another iteration."""
        around = _counters_around(value)
        return sum(counter in around for counter in self.common) <= self.equal

    def _bounds(self, variable: Variable, *, least: bool) -> list[Affine]:
        """Sums of variables further out that a variable is not below, or not above."""
        found = []
        for fact in self._facts:
            count = fact.terms.get(variable)
            rest = fact.without(variable)
            if count == (1 if least else -1) and all(_depth(other) < _depth(variable) for other in rest.terms):
                found.append(rest.times(-1 if least else 1))
        return [*found, *self._bounds_by_kind(variable, least=least)]

    def _bounds_by_kind(self, variable: Variable, *, least: bool) -> list[Affine]:
        if isinstance(variable, Along):
            return [Affine()] if least else [self.affine(variable.size, variable.moment).plus(Affine(-1))]
        if isinstance(variable, Passed):
            return self._bounds_of_passed(variable.counter, least=least)
        if isinstance(variable.value, ir.BlockArgument):
            return self._bounds_of_counter(variable.value, variable.moment, least=least)
        op = variable.value.owner
        if op.operation.name == ("arith.maxsi" if least else "arith.minsi"):
            return [self.affine(operand, variable.moment) for operand in op.operands]
        return [Affine()] if least and op.operation.name == "tensor.dim" else []

    def _bounds_of_passed(self, counter: ir.Value, *, least: bool) -> list[Affine]:
        _, end, step = list(counter.owner.owner.operands)[:3]
        if least:
            known = constant_int(step)
            return [Affine(known if known is not None and 1 <= known <= LARGEST else 1)]
        first = Affine(0, {At(counter, Moment.READ): 1})
        return [self.affine(end, Moment.READ).plus(Affine(-1)).plus(first, -1)]

    def _bounds_of_counter(self, value: ir.BlockArgument, moment: Moment, *, least: bool) -> list[Affine]:
        op = value.owner.owner
        if value.arg_number != 0:
            return []
        if op.operation.name == "scf.for":
            end = self.affine(op.operands[0 if least else 1], moment)
            return [end if least else end.plus(Affine(-1))]
        if is_width_index(value, op):
            return [Affine() if least else self.affine(op.operands[0], moment).plus(Affine(-1))]
        return []


def common_counters(read: Access, write: Access) -> list[ir.Value]:
    """The counters of the loops that are around both."""
    pairs = zip(read.loops, write.loops, strict=False)
    return [_counter(outer) for outer, other in pairs if outer.operation == other.operation]


def _counter(loop: ir.OpView) -> ir.Value:
    return loop.regions[0].blocks[0].arguments[0]


def _counters_around(value: ir.Value) -> set[ir.Value]:
    """The counters of all loops that a value is defined in."""
    return {op.regions[0].blocks[0].arguments[0] for op in _ops_around(value) if op.name == "scf.for"}


def _ops_around(value: ir.Value) -> list[ir.Operation]:
    found = []
    op: ir.Operation | None = enclosing_op(owner_block(value))
    while op is not None:
        found.append(op)
        op = op.parent and op.parent.operation
    return found


def _depth(variable: Variable) -> float:
    """How deep in regions a variable is defined: its bounds come from further out, or from before it there."""
    if isinstance(variable, Along):
        return float("inf")
    if isinstance(variable, Passed):
        return len(_ops_around(variable.counter)) + 0.25
    return len(_ops_around(variable.value)) + (0.0 if isinstance(variable.value, ir.BlockArgument) else 0.5)
