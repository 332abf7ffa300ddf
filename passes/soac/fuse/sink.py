"""`soac-sink`: loops moved into the `soac.with_acc` after them, where they can be merged with its loops.

Accumulations before it that make elements for its loops become one with it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import field
from functools import cmp_to_key
from itertools import islice
from typing import ClassVar

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.ir.array_loops import Loop
from tapeless.passes.ir.costs import is_check
from tapeless.passes.ir.rebuild import recreate, replace_op, retarget_terminator
from tapeless.passes.ir.scopes import ancestor_in, identity, is_inside, outer_values
from tapeless.passes.ir.search import holds, ops_named
from tapeless.passes.ir.sizes.equal_sizes import EqualSizes
from tapeless.passes.ir.speculation import is_safe_anywhere
from tapeless.passes.soac.fuse.joined import handed_out, joined, may_join
from tapeless.passes.soac.fuse.products import parts_product

LOOPS = ("soac.map", "soac.fused")
# How many maps that read the same arrays are looked at, the nearest first, and how many operations may follow one.
MOST_NEIGHBOURS, MOST_DEPENDENT = 16, 64
# Of the maps that read one array, how many of the last ones.
MOST_LOOKED_AT = 32


@dataclass(frozen=True)
class Sink:
    """Sinks loops into the accumulation after them.

    ```mlir
    %y = "soac.map"(%n, %x) ({...})                   %out = "soac.with_acc"(%zeros) ({
    %out = "soac.with_acc"(%zeros) ({                 ^bb0(%acc):
    ^bb0(%acc):                                         %y = "soac.map"(%n, %x) ({...})
      map over %y: "soac.update"(%acc, ...)             map over %y: "soac.update"(%acc, ...)
    ```
    Two kinds move: a loop whose results only the accumulation reads, and one that reads the same arrays as a loop of
    the accumulation (the primal sum beside its return sweep); what is computed from the latter's results then comes
    after. An accumulation whose maps make elements for another one, as the return sweeps of statements over whole
    arrays do, is joined with it, unless there is a product of matrices to keep apart.
    """

    name: ClassVar[str] = "soac-sink"
    skips_numbers: ClassVar[bool] = True

    def run(self, module: ir.Module) -> bool:
        """Moves loops into every accumulation of the module; whether any moved."""
        accumulations = ops_named(module.operation.opview, "soac.with_acc")
        if not accumulations:
            return False
        return sink_into_accumulations(module.operation.opview, EqualSizes(), _blocks_around(accumulations))


def _blocks_around(accumulations: Sequence[ir.OpView]) -> set[ir.Block]:
    """The blocks that accumulations stand in, and those around these."""
    blocks: set[ir.Block] = set()
    for op in accumulations:
        around = op.operation
        while around.name != "builtin.module" and around.block not in blocks:
            blocks.add(around.block)
            around = around.parent.operation
    return blocks


def sink_into_accumulations(root: ir.OpView, equal: EqualSizes, around: Set[ir.Block]) -> bool:
    """Moves loops into every `soac.with_acc` below `root`, outer ones first.

    `equal` are the sizes checked before, `around` the blocks with accumulations somewhere in them.
    """
    maps = _Maps()
    moved = False
    for op, before in equal.inside(root):
        target = op
        accumulates = op.operation.name == "soac.with_acc"
        if accumulates:
            moved |= _sink_producers(op)
            target = _join_earlier(op, before)
            moved |= target is not op and _sink_producers(target)
            target = _sink_neighbours(target, before, maps)
            moved |= target is not op
        maps.enter(target)
        if accumulates or any(block in around for region in target.regions for block in region.blocks):
            moved |= sink_into_accumulations(target, before, around)
    return moved


@dataclass
class _Maps:
    """The maps that were seen, by the arrays that they read: blocks are as long as programs."""

    reading: dict[ir.Value, list[ir.OpView]] = field(default_factory=dict)

    def enter(self, op: ir.OpView) -> None:
        """Takes note of an operation."""
        if op.operation.name == "soac.map":
            for array in dict.fromkeys(op.inputs):
                self.reading.setdefault(array, []).append(op)

    def beside(self, target: ir.OpView, arrays: Iterable[ir.Value]) -> list[ir.OpView]:
        """Maps before an operation in its block that have read one of these arrays, last first."""
        here = target.operation
        near = {identity(op): op for array in arrays for op in self.reading.get(array, ())[-MOST_LOOKED_AT:]}
        earlier = [
            op for op in near.values() if op.operation.block == here.block and op.operation.is_before_in_block(here)
        ]
        return sorted(earlier, key=cmp_to_key(_earlier_first), reverse=True)


def _sink_producers(target: ir.OpView) -> bool:
    """Moves in the loops whose results nothing else reads; producers of producers follow. Whether there were any."""
    moved = False
    waiting = _loops_read_by(target, target)
    while waiting:
        op = max(waiting.values(), key=cmp_to_key(_earlier_first))
        del waiting[identity(op)]
        users = _users(op)
        if users and all(is_inside(user, target.operation) for user in users) and not is_check(op):
            op.operation.move_before(target.body.blocks[0].operations[0].operation)
            waiting |= _loops_read_by(op, target)
            moved = True
    return moved


def _loops_read_by(op: ir.OpView, target: ir.OpView) -> dict[ir.Value | ir.Block | None, ir.OpView]:
    """The loops in the block of an accumulation that produce the operands of an operation."""
    makers = [value.owner for value in outer_values(op) if not isinstance(value, ir.BlockArgument)]
    block = target.operation.block
    return {identity(each): each for each in makers if each.operation.name in LOOPS and each.operation.block == block}


def _join_earlier(target: ir.OpView, equal: EqualSizes) -> ir.OpView:
    """Joins an accumulation with those before it that hand elements to its loops; gives the new accumulation."""
    for first in _handing_over(target, equal):
        later = _dependent(first, target)
        if later is not None and (not is_check(first) or _passes_nothing_unsafe(first, target)):
            made = joined(first, target)
            _move_behind(made, later)
            return _join_earlier(made, equal)
    return target


def _handing_over(target: ir.OpView, equal: EqualSizes) -> Iterator[ir.OpView]:
    """The accumulations in the block of one whose maps make elements for its loops, and that may be one with it."""
    block = target.operation.block
    for array, loops in _inner_readers(target).items():
        maker = None if isinstance(array, ir.BlockArgument) else array.owner
        if maker is None or maker.operation.name != "soac.with_acc" or maker.operation.block != block:
            continue
        made_by = handed_out(maker).get(array)
        if made_by is not None and may_join(maker, target):
            same = (loop for loop in loops if equal.are_same(made_by.width, loop.width))
            if any(_are_lean(made_by, loop) and not parts_product(made_by, loop, equal) for loop in same):
                yield maker


def _are_lean(*loops: Loop) -> bool:
    """Whether no iteration sums into arrays of its own, as products of rows with matrices may be written."""
    return not any(holds(loop.op, "soac.with_acc") for loop in loops)


def _sink_neighbours(target: ir.OpView, equal: EqualSizes, maps: _Maps) -> ir.OpView:
    """Moves in the maps that read an array which a loop of the accumulation reads too; gives the new accumulation."""
    readers = _inner_readers(target)
    near = maps.beside(target, readers)
    wanted = (op for op in near if _shares_input(op, readers, equal) and not _is_start(op, target))
    for op in islice(wanted, MOST_NEIGHBOURS):
        later = _dependent(op, target)
        if later is not None and (not is_check(op) or _passes_nothing_unsafe(op, target)):
            target = _moved_in(op, target)
            _move_behind(target, later)
            readers = _inner_readers(target)
            for each in later:
                maps.enter(each)
    return target


def _inner_readers(target: ir.OpView) -> dict[ir.Value, list[Loop]]:
    """Per array the loops of an accumulation that read it."""
    readers: dict[ir.Value, list[Loop]] = {}
    for loop in map(Loop.of, target.body.blocks[0].operations):
        if loop is not None:
            for array in dict.fromkeys(loop.inputs):
                readers.setdefault(array, []).append(loop)
    return readers


def _shares_input(op: ir.OpView, readers: dict[ir.Value, list[Loop]], equal: EqualSizes) -> bool:
    return any(equal.are_same(op.width, loop.width) for array in op.inputs for loop in readers.get(array, ()))


def _is_start(op: ir.OpView, target: ir.OpView) -> bool:
    return any(dest in op.results for dest in target.dests)


def _dependent(op: ir.OpView, target: ir.OpView) -> list[ir.OpView] | None:
    """The operations between `op` and `target` that need its results, in order; nothing when they cannot come later.

    They are found from use to use, until there are too many of them or one that has to come before `target`.
    """
    block, end = op.operation.block, target.operation
    found: dict[ir.Value | ir.Block | None, ir.OpView] = {}
    pending = [(result, True) for result in op.results]
    while pending:
        value, is_own = pending.pop()
        for use in value.uses:
            holder = ancestor_in(block, use.owner.operation)
            assert holder is not None
            user = holder.opview
            if user.operation == end:
                if not is_own:
                    return None
            elif user.operation.is_before_in_block(end) and identity(user) not in found:
                if len(found) == MOST_DEPENDENT or not _may_come_later(user):
                    return None
                found[identity(user)] = user
                pending.extend((result, False) for result in user.results)
    return sorted(found.values(), key=cmp_to_key(_earlier_first))


def _passes_nothing_unsafe(op: ir.OpView, target: ir.OpView) -> bool:
    """Whether all operations from a map with checks to an accumulation may run without having passed them."""
    between = ir.InsertionPoint.after(op).ref_operation
    while between != target.operation:
        if not is_safe_anywhere(between.opview):
            return False
        between = ir.InsertionPoint.after(between.opview).ref_operation
    return True


def _may_come_later(op: ir.OpView) -> bool:
    return (op.operation.name.startswith(("soac.", "arith.")) or is_safe_anywhere(op)) and not is_check(op)


def _earlier_first(left: ir.OpView, right: ir.OpView) -> int:
    return -1 if left.operation.is_before_in_block(right.operation) else 1


def _moved_in(op: ir.OpView, target: ir.OpView) -> ir.OpView:
    """The accumulation with `op` in it and its results handed out."""
    block = target.body.blocks[0]
    outside = [
        [use for use in result.uses if not is_inside(use.owner.operation, target.operation)] for result in op.results
    ]
    results = list(op.results)
    op.operation.move_before(block.operations[0].operation)
    retarget_terminator(block, [*block.operations[-1].operands, *results])
    types = [result.type for result in [*target.results, *results]]
    made = recreate(target, [list(target.dests)], types)
    count = len(target.results)
    for uses, handed in zip(outside, list(made.results)[count:], strict=True):
        for use in uses:
            use.owner.operation.operands[use.operand_number] = handed
    replace_op(target, list(made.results)[:count])
    return made


def _move_behind(target: ir.OpView, later: Sequence[ir.OpView]) -> None:
    """Lets operations follow an accumulation, in their order."""
    place = target.operation
    for each in later:
        each.operation.move_after(place)
        place = each.operation


def _users(op: ir.OpView) -> list[ir.Operation]:
    return [use.owner.operation for result in op.results for use in result.uses]
