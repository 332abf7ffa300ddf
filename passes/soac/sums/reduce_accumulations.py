"""`soac-reduce-accumulations`: sums per element, where the loops that an update is in say which elements it adds to."""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable, Sequence
from dataclasses import field, replace
from typing import ClassVar

from tapeless._mlir import arith, ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.driver.inner import run_inner
from tapeless.passes.ir import build
from tapeless.passes.ir.constants import is_zero
from tapeless.passes.ir.rebuild import replace_op
from tapeless.passes.ir.search import holds
from tapeless.passes.ir.sizes.shapes import scalar_size, size_of
from tapeless.passes.soac.simplify.simplify import Simplify
from tapeless.passes.soac.sums.contributions import Contribution, contributions_to
from tapeless.passes.soac.sums.profit import MOST_OPERATIONS, is_worth_reducing
from tapeless.passes.soac.sums.replay import CannotReplay, Replay
from tapeless.passes.soac.sums.turned_places import Turn

Pays = Callable[[ir.Value, ir.OpView], bool]
SumOf = Callable[[ir.OpView, Contribution, ir.Value, list[int]], "Sum"]


@dataclass(frozen=True)
class ReduceAccumulations:
    """Turns accumulators into reductions, and simplifies the result.

    ```mlir
    %out = "soac.with_acc"(%zeros) ({                     %out = "soac.map"(%c, ...) ({
    ^bb0(%acc):                                           ^bb0(%k):
      map over i, then over k, then over j:                 map over j:
        "soac.update"(%acc, %k, %j, %v(i, k, j))              reduce over i: %v(i, k, j)
    ```
    The sums then stay in registers, and the loops over elements are independent. Terms have at most `most_operations`,
    since each element that they are added to computes its own.
    """

    name: ClassVar[str] = "soac-reduce-accumulations"
    skips_numbers: ClassVar[bool] = True
    most_operations: int = MOST_OPERATIONS

    def run(self, module: ir.Module) -> None:
        """Rewrites every accumulator of the module that allows it."""
        root = module.operation.opview
        pays = functools.partial(is_worth_reducing, most_operations=self.most_operations)
        if holds(root, "soac.with_acc") and reduce_accumulations(root, pays):
            run_inner(Simplify(), module)


def reduce_accumulations(root: ir.OpView, pays: Pays = is_worth_reducing) -> bool:
    """Rewrites every accumulator below `root` that allows it, outer ones first; says whether any did.

    Rows that the iterations of an outer one sum for themselves may be in its way until they are rewritten.
    """
    changed = False
    for region in root.regions:
        for block in region.blocks:
            for op in list(block.operations):
                changed |= _reduce_all(op, pays)
                if reduce_accumulations(op, pays):
                    changed = True
                    _reduce_all(op, pays)
    return changed


def _reduce_all(op: ir.OpView, pays: Pays) -> bool:
    """Rewrites every accumulator of an operation that allows it."""
    if op.operation.name != "soac.with_acc":
        return False
    return any([reduce_accumulator(op, number, pays=pays) for number in range(len(op.operands))])


def reduce_accumulator(
    accumulation: ir.OpView,
    number: int,
    sum_of: SumOf | None = None,
    pays: Pays = is_worth_reducing,
) -> bool:
    """Replaces the updates of one accumulator that allow it by sums, computed after the accumulation.

    `sum_of` makes the sum of a contribution, and `pays` says whether to take what was written for it.
    """
    dest, result = accumulation.operands[number], accumulation.results[number]
    found = contributions_to(accumulation, number)
    if not found or not _is_float(result):
        return False
    turned = _only_transposition(result)
    target, axes = (result, list(range(result.type.rank))) if turned is None else (turned.results[0], _axes(turned))
    uses = [(use.owner, use.operand_number) for use in target.uses]
    end = _scratch_after(accumulation if turned is None else turned)
    with accumulation.location:
        made = _joined([(sum_of or Sum)(accumulation, each, dest, axes) for each in found])
        sums = _worthwhile(made, end, pays)
        if sums:
            start = [] if len(sums) == len(made) and is_zero(dest) else [target]
            with ir.InsertionPoint(end):
                values = [value for _, value in sums]
                total = build.cast_to(target.type, functools.reduce(build.add, [*start, *values]))
            for user, operand in uses:
                user.operation.operands[operand] = total
    for update in [each.update for sum_, _ in sums for each in (sum_.contribution, *sum_.beside)]:
        replace_op(update, [update.operands[0]])
    end.erase()
    return bool(sums)


def _joined(sums: Sequence[Sum]) -> list[Sum]:
    """Sums, of which those that add to constant places beside each other are one."""
    found: list[Sum] = []
    for each in sums:
        first = next((other for other in found if other.takes_constants and other.has_beside(each.contribution)), None)
        if first is None:
            found.append(each)
        else:
            first.beside.append(each.contribution)
    return found


def _worthwhile(sums: Sequence[Sum], end: ir.Operation, pays: Pays) -> list[tuple[Sum, ir.Value]]:
    """The sums that are worth it and their arrays, written before `end`.

    When some updates remain, those that add to each element once are best left with them.
    """
    written = [(each, _attempt(each, end, pays)) for each in sums]
    found = [(each, value) for each, value in written if value is not None]
    if len(found) < len(sums):
        found = [(each, value) for each, value in found if each.summed_loops()]
    return found


def _attempt(sum_: Sum, end: ir.Operation, pays: Pays) -> ir.Value | None:
    """One array of sums; nothing when it cannot be computed this way or should not be."""
    if not sum_.covers_all():
        return None
    scratch = _scratch_before(end)
    block = scratch.regions[0].blocks[0]
    value = None
    with ir.InsertionPoint(block), contextlib.suppress(CannotReplay):
        value = sum_.write()
    is_wanted = value is not None and sum_.is_small(value) and pays(value, sum_.accumulation)
    for op in list(block.operations) if is_wanted else []:
        op.operation.move_before(scratch)
    scratch.erase()
    return value if is_wanted else None


@dataclass
class Sum:
    """The array of the addends of one update to each element, as a nest of maps around reductions."""

    accumulation: ir.OpView
    contribution: Contribution
    dest: ir.Value
    axes: list[int]
    beside: list[Contribution] = field(default_factory=list)
    replay: Replay = field(init=False)
    places: dict[int, ir.Value] = field(default_factory=dict)
    takes_constants: ClassVar[bool] = False

    def __post_init__(self) -> None:
        self.replay = Replay(self.accumulation, {})

    def write(self) -> ir.Value:
        """Maps over the axes in order, outer ones first."""
        if len(self.places) == len(self.axes):
            return self._summed(self.summed_loops())
        axis = self.axes[len(self.places)]

        def body(index: ir.Value, *_: object) -> tuple[list[ir.Value], list[ir.Value]]:
            self.places[axis] = index
            if axis < len(self.contribution.places) and axis not in self.contribution.constants:
                self._enter(self.contribution.places[axis], index)
            return [self.write()], []

        return build.map_(build.dim(self.dest, axis), [], [], body)[0][0]

    def _enter(self, place: ir.Value, index: ir.Value) -> None:
        """The iteration that adds to the element at an index of the axis that a place is for."""
        turn, loop = Turn.of(place), self.contribution.reached_by(place)
        assert turn is not None and loop is not None
        if not turn.is_none:
            by = turn.by if isinstance(turn.by, int) else self.replay.scalar(turn.by)
            turn = replace(turn, by=by, length=self.replay.scalar(turn.length))
        self.replay.enter(loop, turn.index_at(index))

    def covers_all(self) -> bool:
        """Whether the update reaches every element, each in the iterations of its own indices."""
        loops = self.contribution.loops_of_places()
        if loops is None or (self.contribution.constants and not self.takes_constants):
            return False
        return all(scalar_size(loop.operands[0]) == size_of(self.dest, axis) for axis, loop in loops.items())

    def is_small(self, value: ir.Value) -> bool:
        """Whether the terms of the sums that were written are not too many operations."""
        return True

    def has_beside(self, other: Contribution) -> bool:
        """Whether a number that iterations add goes beside all those of this sum, at other constants."""
        return not build.is_array(other.value) and all(
            not build.is_array(each.value) and each.is_beside(other) for each in (self.contribution, *self.beside)
        )

    def summed_loops(self) -> list[ir.OpView]:
        """The maps around the update whose index names no element."""
        kept = list((self.contribution.loops_of_places() or {}).values())
        return [loop for loop in self.contribution.loops if loop not in kept]

    def _summed(self, loops: Sequence[ir.OpView]) -> ir.Value:
        """The value added, summed over these loops."""
        if not loops:
            return self._added()
        width = self.replay.scalar(loops[0].operands[0])

        def body(index: ir.Value, *_: object) -> tuple[list[ir.Value], list[ir.Value]]:
            self.replay.enter(loops[0], index)
            return [self._summed(loops[1:])], []

        parts, _ = build.map_(width, [], [], body)
        zero = build.number(self.dest.type.element_type, 0.0)
        return build.sum_rows(width, parts[0], zero)

    def _added(self) -> ir.Value:
        if self.contribution.constants:
            return self._chosen()
        value = self.contribution.value
        if not build.is_array(value):
            return self.replay.scalar(value)
        trailing = range(len(self.contribution.places), len(self.axes))
        return self.replay.element(value, [self.places[axis] for axis in trailing])

    def _chosen(self) -> ir.Value:
        """What is added at the place of this element, of what iterations add at several; else zero."""
        chosen = build.number(self.dest.type.element_type, 0.0)
        for each in (self.contribution, *self.beside):
            is_here = [
                arith.cmpi(arith.CmpIPredicate.eq, self.places[axis], build.index(place))
                for axis, place in each.constants.items()
            ]
            chosen = arith.select(functools.reduce(arith.andi, is_here), self.replay.scalar(each.value), chosen)
        return chosen


def _is_float(array: ir.Value) -> bool:
    return isinstance(array.type.element_type, ir.F64Type | ir.F32Type)


def _only_transposition(array: ir.Value) -> ir.OpView | None:
    """The transposition beside the producer of an array that is all that reads it."""
    users = [use.owner for use in array.uses]
    if len(users) != 1 or users[0].operation.name != "soac.transpose":
        return None
    return users[0] if users[0].operation.block == array.owner.operation.block else None


def _axes(transposition: ir.OpView) -> list[int]:
    return [axis.value for axis in transposition.attributes["permutation"]]


def _scratch_before(op: ir.Operation) -> ir.Operation:
    """An operation before `op` to write into, whose contents are kept or thrown away."""
    scratch = ir.Operation.create("soac.with_acc", regions=1, loc=op.location, ip=ir.InsertionPoint(op))
    scratch.regions[0].blocks.append()
    return scratch


def _scratch_after(op: ir.OpView) -> ir.Operation:
    scratch = _scratch_before(op.operation)
    scratch.move_after(op.operation)
    return scratch
