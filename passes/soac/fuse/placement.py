"""Where two loops of a block can be fused without breaking a dependence of either."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import field
from functools import cmp_to_key

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.ir.array_loops import Loop
from tapeless.passes.ir.build import is_array
from tapeless.passes.ir.costs import is_check
from tapeless.passes.ir.scopes import ancestor_in, is_available, is_inside, outer_values
from tapeless.passes.ir.speculation import is_safe_anywhere
from tapeless.passes.soac.simplify.delays import VIEWS, overwritten_arrays, viewed_arrays


@dataclass
class Barriers:
    """The operations that a loop needs, and those of them that can come no earlier: the loop rises past none of these.

    A loop is compared with many before it, mostly from the last to the first. What keeps it from one of them keeps it
    from all that come earlier, and what it needs to stand before one of them it needs to stand before these as well:
    `needed` are the operations between it and `last`, the loop it was compared with; `before` are the values that
    they and it read from there on, each with whether the loop reads it itself.
    """

    found: list[ir.Operation] = field(default_factory=list)
    last: ir.Operation | None = None
    needed: dict[ir.Value, ir.OpView] = field(default_factory=dict)
    before: list[tuple[ir.Value, bool]] = field(default_factory=list)
    _overwritten: set[ir.Value] | None = None

    def overwritten_for(self, second: Loop) -> set[ir.Value]:
        """The arrays that were written into to make the loop's operands."""
        if self._overwritten is None:
            self._overwritten = {array for value in second.inputs for array in overwritten_arrays(value)}
        return self._overwritten

    def are_after(self, op: ir.Operation) -> bool:
        """Whether one of them is known to come after an operation."""
        return any(op.is_before_in_block(barrier) for barrier in self.found)

    def start_from(self, second: Loop, first: ir.Operation) -> None:
        """Forgets the needed operations unless they were found for a loop after this one."""
        if self.last is None or not first.is_before_in_block(self.last):
            self.needed, self.before = {}, [(value, True) for value in second.outer_values]
        self.last = first


def place_for_merge(
    first: Loop, second: Loop, checks: Collection[ir.Operation], barriers: Barriers
) -> ir.OpView | None:
    """The operation before which the merged loop can stand: the later one if possible, else the earlier one.

    `checks` are the operations of the block that are, or hold, run-time checks; `barriers` belong to the second loop,
    as long as nothing is merged.
    """
    if not _reads_only_elements(first, second) or _would_keep_old_array(first, barriers.overwritten_for(second)):
        return None
    if _is_needed_only_after(first, second) and _may_sink(first, second, checks):
        return second.op
    needed = _needed_between(second, first, barriers) if _may_rise(second, first, checks) else None
    if needed is None:
        return None
    for op in needed:
        op.operation.move_before(first.op.operation)
    return first.op


def _may_sink(first: Loop, second: Loop, checks: Collection[ir.Operation]) -> bool:
    """A loop with checks in it may come later only past operations that are safe without them."""
    return first.op.operation not in checks or all(is_safe_anywhere(op) for op in _between(first, second))


def _may_rise(second: Loop, first: Loop, checks: Collection[ir.Operation]) -> bool:
    """A loop may come earlier only when no check before it is left behind."""
    start, end = first.op.operation, second.op.operation
    return not any(start == op or (start.is_before_in_block(op) and op.is_before_in_block(end)) for op in checks)


def _between(first: Loop, second: Loop) -> Iterator[ir.OpView]:
    """The operations between two of a block, one after the other: blocks are as long as programs."""
    op = ir.InsertionPoint.after(first.op).ref_operation
    while op != second.op.operation:
        yield op.opview
        op = ir.InsertionPoint.after(op).ref_operation


def _reads_only_elements(first: Loop, second: Loop) -> bool:
    """Whether the second loop uses the first one's results only as elements and accumulators that are handed on."""
    passed = {*first.mapped, *first.acc_results}
    for result in first.op.results:
        for use in result.uses:
            owner = use.owner.operation
            if is_inside(owner, second.op.operation):
                return False
            if owner == second.op.operation and not (result in passed and _is_handed_on(use.operand_number, second)):
                return False
    return True


def _would_keep_old_array(first: Loop, overwritten: Collection[ir.Value]) -> bool:
    """Whether a loop reads an array that was written into: the write could be in place if the loop came before it."""
    if not overwritten:
        return False
    return any(array in overwritten for value in first.inputs for array in viewed_arrays(value))


def _is_handed_on(operand: int, loop: Loop) -> bool:
    return 1 <= operand < 1 + len(loop.inputs) + len(loop.accs)


def _is_needed_only_after(first: Loop, second: Loop) -> bool:
    here = second.op.operation
    for result in first.op.results:
        for use in result.uses:
            user = ancestor_in(here.block, use.owner.operation)
            if user != here and not here.is_before_in_block(user):
                return False
    return True


def _needed_between(second: Loop, first: Loop, barriers: Barriers) -> list[ir.OpView] | None:
    """The operations to compute before the first of two loops if the second is to run there, in order.

    That may be numbers, views and maps. Nothing when the second one needs something else from between them, but for the
    first one's results.
    """
    if barriers.are_after(first.op.operation):
        return None
    barriers.start_from(second, first.op.operation)
    at, own, needed = ir.InsertionPoint(first.op), set(first.op.results), barriers.needed
    pending, barriers.before = barriers.before, []
    while pending:
        value, is_direct = pending.pop()
        if value in needed:
            continue
        if is_available(value, at) or (is_direct and value in own):
            barriers.before.append((value, is_direct))
            continue
        if value in own or isinstance(value, ir.BlockArgument):
            barriers.before += [*pending, (value, is_direct)]
            return None
        if not _may_come_earlier(value.owner):
            barriers.found.append(value.owner.operation)
            return None
        needed.update(dict.fromkeys(value.owner.results, value.owner))
        pending.extend((each, False) for each in outer_values(value.owner))
    return sorted({op.operation: op for op in needed.values()}.values(), key=cmp_to_key(_earlier_first))


def _earlier_first(left: ir.OpView, right: ir.OpView) -> int:
    return -1 if left.operation.is_before_in_block(right.operation) else 1


def _may_come_earlier(op: ir.OpView) -> bool:
    """Whether an operation computes one number from others, is a view, or a map without sums and checks."""
    if op.operation.name in VIEWS:
        return True
    if op.operation.name == "soac.map":
        return not len(op.accs) and not is_check(op)
    return len(op.results) == 1 and not len(op.regions) and not is_array(op.results[0]) and is_safe_anywhere(op)
