"""`soac-fuse-sequential-loops`: loops of one block that compute the same in every iteration become one."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from itertools import chain
from typing import ClassVar

from tapeless._mlir import ir, scf
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.ir.costs import calls_function, is_check
from tapeless.passes.ir.rebuild import Values, copy_op
from tapeless.passes.ir.scopes import outer_values, terminator
from tapeless.passes.ir.sizes.sizes import constant_int
from tapeless.passes.soac.fuse.congruence import Numbers, numbered
from tapeless.passes.soac.fuse.turn_round import turned_round
from tapeless.passes.soac.simplify.prune import prune


@dataclass(frozen=True)
class FuseSequentialLoops:
    """Fuses sequential loops over the same indices that carry the same value, or make the same calls.

    ```mlir
    %y = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) { step }
    %z:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %states = %empty) { step, and its state is kept }
    ```
    becomes the second loop alone, and `%y` is `%z#0`. A program and its return sweep meet so in the body of a map.
    Loops from last to first that only add up go the other way, where others have the same indices.
    """

    name: ClassVar[str] = "soac-fuse-sequential-loops"
    after: ClassVar[dict[str, str]] = {
        "soac-fuse": "equal bodies are found when each is one loop",
    }
    skips_numbers: ClassVar[bool] = True

    def run(self, module: ir.Module) -> bool:
        """Merges loops block by block, inner blocks after those around them; whether there were any."""
        changed = _share_below(module.operation)
        if changed:
            prune(module.operation.opview)
        return changed


def _share_below(op: ir.Operation) -> bool:
    changed = False
    for region in op.regions:
        for block in region.blocks:
            while _share_among([each for each in block.operations if each.operation.name == "scf.for"]):
                changed = True
            changed |= any([_share_below(inner.operation) for inner in block.operations])
    return changed


def _share_among(loops: Sequence[ir.OpView]) -> bool:
    """Merges loops of one block, each with one other at most; whether there were any to merge."""
    groups: dict[Hashable, list[ir.OpView]] = {}
    for loop in loops:
        groups.setdefault(_trips(loop), []).append(loop)
    shared = [group for group in groups.values() if len(group) > 1]
    for loop in chain(*shared):
        turned_round(loop)
    return any([_share_equal_trips(group) for group in shared])


def _trips(loop: ir.OpView) -> Hashable:
    """The same for loops over the same indices: a bound below the first of them is as good as that."""
    low, high, step = list(loop.operation.operands)[:3]
    if not isinstance(high, ir.BlockArgument) and high.owner.name == "arith.maxsi" and constant_int(low) == 0:
        others = [value for value in high.owner.operands if constant_int(value) != 0]
        high = others[0] if len(others) == 1 else high
    attributes = tuple((name, loop.operation.attributes[name]) for name in sorted(loop.operation.attributes))
    return low, high, step, attributes


def _share_equal_trips(loops: Sequence[ir.OpView]) -> bool:
    numbers = Numbers()
    alone: dict[Hashable, Carrying] = {}
    changed = False
    for loop in _congruent(loops):
        keys = [*(("carried", number) for number in loop.classes), *loop.costly(numbers)]
        others = (alone[key] for key in keys if key in alone)
        partner = next((each for each in others if not each.is_merged and _brought_before(loop.op, each.op)), None)
        if partner is None:
            alone.update((key, loop) for key in keys if key not in alone)
        else:
            _merge(partner, loop)
            partner.is_merged = changed = True
    return changed


@dataclass(eq=False)
class Carrying:
    """A loop, and a number for each value that it carries: the same for values that start and stay the same."""

    op: ir.OpView
    classes: Sequence[int]
    is_merged: bool = False

    @property
    def body(self) -> ir.Block:
        """The body of an iteration."""
        return self.op.operation.regions[0].blocks[0]

    @property
    def yielded(self) -> list[ir.Value]:
        """The values that an iteration hands on to the next one."""
        return list(terminator(self.body).operands)

    def numbered(self, numbers: Numbers) -> Iterator[tuple[int, ir.OpView]]:
        """The operations of an iteration with their value numbers."""
        variable, *arguments = self.body.arguments
        numbers.of_value[variable] = "index"
        names = [("carried", number) for number in self.classes]
        numbers.of_value.update(zip(arguments, names, strict=True))
        for op in list(self.body.operations)[:-1]:
            yield numbers.enter(op), op

    def costly(self, numbers: Numbers) -> list[int]:
        """The numbers of divisions, roots and functions."""
        return [number for number, op in self.numbered(numbers) if _is_costly(op) and not is_check(op)]


def _is_costly(op: ir.OpView) -> bool:
    return op.operation.name in ("arith.divf", "math.sqrt") or calls_function(op)


def _congruent(loops: Sequence[ir.OpView]) -> list[Carrying]:
    """Loops over the same indices, and which of the values that they carry are the same."""
    classes = numbered([(start, start.type) for loop in loops for start in list(loop.operation.operands)[3:]])
    while True:
        each = iter(classes)
        found = [Carrying(loop, [next(each) for _ in loop.operation.results]) for loop in loops]
        numbers, yielded = Numbers(), list[Hashable]()
        for loop in found:
            for _ in loop.numbered(numbers):
                pass
            yielded += numbers.of(loop.yielded)
        refined = numbered(list(zip(classes, yielded, strict=True)))
        if refined == classes:
            return found
        classes = refined


def _merge(first: Carrying, second: Carrying) -> None:
    """One loop with the carried values of two, and their common computations once, where the first one stands."""
    carriers: dict[int, tuple[Carrying, int]] = {}
    for loop in (first, second):
        for k, number in enumerate(loop.classes):
            carriers.setdefault(number, (loop, k))
    places = {number: place for place, number in enumerate(carriers)}
    old = first.op.operation
    with ir.InsertionPoint(old), old.location:
        starts = [loop.op.operation.operands[3 + k] for loop, k in carriers.values()]
        made = scf.ForOp(*list(old.operands)[:3], starts)
        for name in old.attributes:
            made.operation.attributes[name] = old.attributes[name]
        values: Values = {}
        numbers, copies = Numbers(), dict[int, ir.Operation]()
        with ir.InsertionPoint(made.body):
            for loop in (first, second):
                own = [made.body.arguments[0], *(made.inner_iter_args[places[number]] for number in loop.classes)]
                values.update(zip(loop.body.arguments, own, strict=True))
                for number, op in loop.numbered(numbers):
                    if number in copies and not is_check(op):
                        values.update(zip(op.operation.results, copies[number].results, strict=True))
                    else:
                        copies[number] = copy_op(op, values)
            ends = [loop.yielded[k] for loop, k in carriers.values()]
            scf.YieldOp([values.get(value, value) for value in ends])
    for loop in (first, second):
        for number, result in zip(loop.classes, loop.op.operation.results, strict=True):
            result.replace_all_uses_with(made.operation.results[places[number]])
        loop.op.operation.erase()


def _brought_before(second: ir.OpView, first: ir.OpView) -> bool:
    """Moves the operands of a loop before an earlier one of its block; whether that can be.

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
