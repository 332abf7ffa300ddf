"""The places to which iterations add, as functions of few integers that name a row: its keys."""

from __future__ import annotations

from collections.abc import Sequence

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.dialects.soac.marks import IN_BOUNDS
from tapeless.passes.ir.constants import constant_of
from tapeless.passes.ir.scopes import is_defined_outside
from tapeless.passes.soac.sums.contributions import Contribution


@dataclass(frozen=True)
class Place:
    """An index `root + offset`, to which a `period` is added where that is negative."""

    root: ir.Value
    offset: int
    period: ir.Value | None

    @staticmethod
    def of(index: ir.Value) -> Place:
        """How an index is made of another one."""
        wrapped = _wrapped(index)
        below, period = (index, None) if wrapped is None else wrapped
        root, offset = _shifted(below)
        return Place(root, offset, period)


@dataclass(frozen=True)
class Key:
    """One axis at which all additions depend on one integer: `root`, or the place itself where there is only one."""

    axis: int
    root: ir.Value
    places: dict[ir.Value, Place]

    @property
    def period(self) -> ir.Value | None:
        """The period that is added to negative places, where they may be negative."""
        return next(iter(self.places.values())).period

    @property
    def first(self) -> Place:
        """The place by which rows of keys are counted."""
        return next(iter(self.places.values()))


@dataclass(frozen=True)
class Keyed:
    """Everything that is added to an array: at keys on some axes, at the index of an inner map on the others."""

    accumulation: ir.OpView
    contributions: list[Contribution]
    keys: list[Key]
    rows: list[ir.OpView]

    @property
    def dest(self) -> ir.Value:
        return self.accumulation.operands[0]

    @property
    def row_axes(self) -> list[int]:
        taken = {key.axis for key in self.keys}
        return [axis for axis in range(self.dest.type.rank) if axis not in taken]


def keyed_sums(accumulation: ir.OpView, contributions: Sequence[Contribution]) -> Keyed | None:
    """The addends of the only array of an accumulation, if all places are of this kind and none lies outside."""
    rank = accumulation.operands[0].type.rank
    if not contributions or not all(_is_whole(each, rank) for each in contributions):
        return None
    rows: list[ir.OpView] = []
    row_axes: set[int] = set()
    for each in contributions:
        inner = {axis: loop for axis, place in enumerate(each.places) if (loop := each.indexed_by(place)) is not None}
        loops = each.loops[len(each.loops) - len(inner) :]
        if not inner or len(loops) == len(each.loops) or not _are_same(loops, list(inner.values())):
            return None
        if row_axes and set(inner) != row_axes:
            return None
        row_axes = set(inner)
        if all(loops[0].operation != other.operation for other in rows):
            rows.append(loops[0])
    if any(row.operation.block != rows[0].operation.block for row in rows):
        return None
    keys: list[Key] = []
    for axis in range(rank):
        if axis not in row_axes:
            key = _key(axis, [each.places[axis] for each in contributions], accumulation)
            if key is None or any(not is_defined_outside(key.root, row.operation) for row in rows):
                return None
            keys.append(key)
    return Keyed(accumulation, list(contributions), keys, rows) if keys else None


def _is_whole(contribution: Contribution, rank: int) -> bool:
    return len(contribution.places) == rank and IN_BOUNDS in contribution.update.attributes


def _are_same(left: Sequence[ir.OpView], right: Sequence[ir.OpView]) -> bool:
    """Whether these are the same operations in any order."""
    return all(any(one.operation == other.operation for other in right) for one in left)


def _key(axis: int, indices: Sequence[ir.Value], accumulation: ir.OpView) -> Key | None:
    distinct = list(dict.fromkeys(indices))
    if any(is_defined_outside(index, accumulation.operation) for index in distinct):
        return None
    if len(distinct) == 1:
        return Key(axis, distinct[0], {distinct[0]: Place(distinct[0], 0, None)})
    places = {index: Place.of(index) for index in distinct}
    kinds = {(place.root, place.period) for place in places.values()}
    root, period = next(iter(kinds))
    if len(kinds) != 1 or is_defined_outside(root, accumulation.operation):
        return None
    if period is not None and not is_defined_outside(period, accumulation.operation):
        return None
    return Key(axis, root, places)


def _wrapped(index: ir.Value) -> tuple[ir.Value, ir.Value] | None:
    """`x` and `n` of the index `x + n if x < 0 else x`."""
    if _name(index) != "arith.select":
        return None
    condition, below, other = index.owner.operands
    if _name(condition) != "arith.cmpi" or str(condition.owner.attributes["predicate"]).split(" ")[0] != "2":
        return None
    left, right = condition.owner.operands
    if left != other or not _is_number(right, 0) or _name(below) != "arith.addi":
        return None
    terms = list(below.owner.operands)
    if other not in terms:
        return None
    terms.remove(other)
    return other, terms[0]


def _shifted(index: ir.Value) -> tuple[ir.Value, int]:
    """An index as another one and a constant."""
    offset = 0
    while _name(index) in ("arith.addi", "arith.subi"):
        left, right = index.owner.operands
        number = _number(right)
        if number is None:
            break
        offset += number if _name(index) == "arith.addi" else -number
        index = left
    return index, offset


def _name(value: ir.Value) -> str | None:
    return None if isinstance(value, ir.BlockArgument) else value.owner.operation.name


def _number(value: ir.Value) -> int | None:
    attribute = constant_of(value)
    return attribute.value if isinstance(attribute, ir.IntegerAttr) else None


def _is_number(value: ir.Value, number: int) -> bool:
    return _number(value) == number
