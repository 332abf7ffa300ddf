"""`soac-share-loops`: loops of one block that compute the same in every iteration become one."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from tapeless._mlir import ir, scf
from tapeless.dialects import soac
from tapeless.passes.ir.copies import Values, copy_op
from tapeless.passes.ir.costs import calls_function, is_check
from tapeless.passes.ir.scopes import outer_values, terminator
from tapeless.passes.ir.search import ops_named
from tapeless.passes.ir.sizes.sizes import constant_int
from tapeless.passes.soac.fuse.congruence import Numbers, numbered
from tapeless.passes.soac.simplify.prune import prune


@dataclass(frozen=True)
class ShareLoops:
    """Merges loops over the same indices that carry the same value, or call a function with the same arguments.

    ```mlir
    %y = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) { step }
    %z:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %states = %empty) { step, and its state is kept }
    ```
    becomes the second loop alone, and `%y` is `%z#0`. A program and its return sweep meet so in the body of a map.
    """

    name: ClassVar[str] = "soac-share-loops"

    def run(self, module: ir.Module) -> bool:
        """Merges loops block by block while there are any to merge; whether there were."""
        root = module.operation.opview
        changed = False
        while any([_share_among(loops) for loops in _loops_by_block(root)]):
            prune(root)
            changed = True
        return changed


def _loops_by_block(root: ir.OpView) -> list[list[ir.OpView]]:
    blocks: dict[ir.Block, list[ir.OpView]] = {}
    for op in ops_named(root, "scf.for"):
        blocks.setdefault(op.operation.block, []).append(op)
    return list(blocks.values())


def _share_among(loops: Sequence[ir.OpView]) -> bool:
    """Merges loops of one block, each with one other at most; whether there were any to merge."""
    groups: dict[Hashable, list[ir.OpView]] = {}
    for loop in loops:
        if not any(isinstance(value.type, soac.AccType) for value in loop.operation.operands):
            groups.setdefault(_trips(loop), []).append(loop)
    return any([_share_equal_trips(group) for group in groups.values() if len(group) > 1])


def _share_equal_trips(loops: Sequence[ir.OpView]) -> bool:
    classes = _congruent(loops)
    numbers = Numbers()
    alone: dict[Hashable, ir.OpView] = {}
    merged: set[ir.OpView] = set()
    for loop in loops:
        _name_arguments(numbers, loop, classes[loop])
        keys = [*(("carried", number) for number in classes[loop]), *_costly_numbers(numbers, loop)]
        others = (alone[key] for key in keys if key in alone)
        partner = next((each for each in others if each not in merged and _brought_before(loop, each)), None)
        if partner is None:
            alone.update((key, loop) for key in keys if key not in alone)
        else:
            merged.add(partner)
            _merge(partner, loop, classes)
    return bool(merged)


def _trips(loop: ir.OpView) -> Hashable:
    """The same for loops over the same indices: a bound below the first of them is as good as that."""
    low, high, step = list(loop.operation.operands)[:3]
    if not isinstance(high, ir.BlockArgument) and high.owner.name == "arith.maxsi" and constant_int(low) == 0:
        others = [value for value in high.owner.operands if constant_int(value) != 0]
        high = others[0] if len(others) == 1 else high
    attributes = tuple((name, loop.operation.attributes[name]) for name in sorted(loop.operation.attributes))
    return low, high, step, attributes


def _merge(first: ir.OpView, second: ir.OpView, classes: dict[ir.OpView, list[int]]) -> None:
    """One loop that carries what two do, and computes once what both compute, where the first one stands."""
    carried = [(number, loop, k) for loop in (first, second) for k, number in enumerate(classes[loop])]
    places: dict[int, int] = {}
    for number, _, _ in carried:
        places.setdefault(number, len(places))
    firsts = [next((loop, k) for each, loop, k in carried if each == number) for number in places]
    with ir.InsertionPoint(first), first.location:
        starts = [loop.operation.operands[3 + k] for loop, k in firsts]
        made = scf.ForOp(*list(first.operation.operands)[:3], starts)
        for name in first.operation.attributes:
            made.operation.attributes[name] = first.operation.attributes[name]
        values: Values = {}
        numbers, copies = Numbers(), dict[int, ir.Operation]()
        with ir.InsertionPoint(made.body):
            for loop in (first, second):
                _name_arguments(numbers, loop, classes[loop])
                own = [made.body.arguments[0], *(made.inner_iter_args[places[each]] for each in classes[loop])]
                values.update(zip(_body(loop).arguments, own, strict=True))
                for op in list(_body(loop).operations)[:-1]:
                    number = numbers.enter(op)
                    if number in copies and not is_check(op):
                        values.update(zip(op.operation.results, copies[number].results, strict=True))
                    else:
                        copies[number] = copy_op(op, values)
            yielded = [terminator(_body(loop)).operands[k] for loop, k in firsts]
            scf.YieldOp([values.get(value, value) for value in yielded])
    for loop in (first, second):
        for number, result in zip(classes[loop], loop.operation.results, strict=True):
            result.replace_all_uses_with(made.operation.results[places[number]])
    second.operation.erase()
    first.operation.erase()


def _costly_numbers(numbers: Numbers, loop: ir.OpView) -> list[int]:
    """The numbers of what a loop calls functions for."""
    found = [(numbers.enter(op), op) for op in list(_body(loop).operations)[:-1]]
    return [number for number, op in found if calls_function(op) and not is_check(op)]


def _congruent(loops: Sequence[ir.OpView]) -> dict[ir.OpView, list[int]]:
    """A number for each value that each loop carries, the same for those that start and stay the same."""
    starts = [(start, start.type) for loop in loops for start in list(loop.operation.operands)[3:]]
    classes = numbered(starts)
    while True:
        yielded = _numbers_of_yielded(loops, classes)
        refined = numbered(list(zip(classes, yielded, strict=True)))
        if refined == classes:
            break
        classes = refined
    numbers = iter(classes)
    return {loop: [next(numbers) for _ in loop.operation.results] for loop in loops}


def _numbers_of_yielded(loops: Sequence[ir.OpView], classes: Sequence[int]) -> list[Hashable]:
    """Value numbers of what loops yield when carried values of a class are the same."""
    numbers, carried, yielded = Numbers(), iter(classes), []
    for loop in loops:
        _name_arguments(numbers, loop, [next(carried) for _ in loop.operation.results])
        for op in list(_body(loop).operations)[:-1]:
            numbers.enter(op)
        yielded += numbers.of(terminator(_body(loop)).operands)
    return yielded


def _name_arguments(numbers: Numbers, loop: ir.OpView, classes: Sequence[int]) -> None:
    variable, *arguments = _body(loop).arguments
    numbers.of_value[variable] = "index"
    numbers.of_value.update((each, ("carried", number)) for each, number in zip(arguments, classes, strict=True))


def _body(loop: ir.OpView) -> ir.Block:
    return loop.operation.regions[0].blocks[0]


def _brought_before(second: ir.OpView, first: ir.OpView) -> bool:
    """Moves what a loop needs to before an earlier one of its block; whether that can be.

    The second loop then runs before what stood between them: not before a check.
    """
    operations = [op.operation for op in second.operation.block.operations]
    between = operations[operations.index(first.operation) : operations.index(second.operation)]
    needed = _needed(second, between)
    if first.operation in needed or any(is_check(op.opview) for op in between):
        return False
    for op in needed:
        op.move_before(first.operation)
    return True


def _needed(op: ir.OpView, among: Sequence[ir.Operation]) -> list[ir.Operation]:
    """Those of some operations of a block that one after them depends on, in their order."""
    reads = set(outer_values(op))
    found: list[ir.Operation] = []
    for each in reversed(among):
        if any(result in reads for result in each.results):
            found.append(each)
            reads |= set(outer_values(each.opview))
    return found[::-1]
