"""The plan by which a loop becomes a map and reductions: its carried values, and the operands of the map."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tapeless._mlir import arith, ir
from tapeless.dialects.regions import terminator
from tapeless.passes.ir.build import index, map_, number, reduce_
from tapeless.passes.ir.places.indices import Linear, highs, is_non_negative, lows
from tapeless.passes.ir.rebuild import replace_op
from tapeless.passes.ir.scopes import is_available
from tapeless.passes.ir.sizes.expressions import Dim
from tapeless.passes.ir.sizes.sizes import constant_int
from tapeless.passes.soac.parallelise.bins import Bins
from tapeless.passes.soac.parallelise.reads import Reads
from tapeless.passes.soac.parallelise.slabs import Slab
from tapeless.passes.soac.parallelise.stacks import Stack
from tapeless.passes.soac.parallelise.totals import Combining, combining

MOST_ITERATIONS = 2**63 - 1
# Where the sizes begin among the operands of what makes arrays.
FIRST_SIZE = {"tensor.splat": 1, "tensor.empty": 0}


@dataclass(frozen=True)
class Plan:
    """A loop, of each value that it carries what it is, and the parts of arrays that its iterations are given."""

    loop: ir.OpView
    carried: tuple[Slab | Combining | Bins, ...]
    reads: tuple[Reads, ...]
    stacks: tuple[Stack, ...]

    @staticmethod
    def of(loop: ir.OpView, *, has_bins: bool) -> Plan | None:
        """The plan for a loop; None where an iteration waits for another.

        With `has_bins`, arrays may be added to at places that iterations compute.
        """
        last = terminator(loop.regions[0])
        carried: list[Slab | Combining | Bins] = []
        for k, argument in enumerate(list(loop.regions[0].blocks[0].arguments)[1:]):
            found = combining(argument, last, k) or Slab.of(loop, k) or (Bins.of(loop, k) if has_bins else None)
            if found is None:
                return None
            carried.append(found)
        reads = tuple(Reads.all_of(loop))
        given = [*(each.parts for each in carried if isinstance(each, Slab)), *(each.parts for each in reads)]
        return Plan(loop, tuple(carried), reads, tuple(Stack.of(parts, loop) for parts in given))

    def carry_out(self) -> None:
        """Replaces the loop, whose body moves."""
        with ir.InsertionPoint(self.loop), self.loop.location:
            width = _width(self.loop)
            made, _ = map_(width, [stack.rows(width) for stack in self.stacks], [], self._body)
            starts = list(self.loop.operands)[3:]
            written, arrays = iter(self.stacks), iter(made)
            results = []
            for start, kind in zip(starts, self.carried, strict=True):
                if isinstance(kind, Slab):
                    results.append(next(written).written(next(arrays), width))
                elif isinstance(kind, Bins):
                    results.append(kind.filled(width, next(arrays), next(arrays)))
                else:
                    results.append(_combined(kind, start, next(arrays), width))
        replace_op(self.loop, results)

    def _body(self, place: ir.Value, rows: Sequence[ir.Value], _: object) -> tuple[list[ir.Value], list[ir.Value]]:
        """The body of the loop, moved to where the map is made."""
        low = self.loop.operands[0]
        body = self.loop.regions[0].blocks[0]
        counted, *arguments = list(body.arguments)
        for kind in self.carried:
            if isinstance(kind, Slab):
                kind.narrow()
        own, last = iter(rows), terminator(self.loop.regions[0])
        given: dict[int, list[ir.Value]] = {}
        counted.replace_all_uses_with(place if constant_int(low) == 0 else arith.addi(low, place))
        for argument, kind in zip(arguments, self.carried, strict=True):
            if isinstance(kind, Slab):
                argument.replace_all_uses_with(next(own))
            elif isinstance(kind, Combining):
                kind.begin(argument)
        for read, row in zip(self.reads, own, strict=True):
            read.read_from(row)
        for k, (argument, kind) in enumerate(zip(arguments, self.carried, strict=True)):
            if isinstance(kind, Bins):
                given[k] = kind.take_out(last, k)
                argument.replace_all_uses_with(kind.start)
        end = index(0)
        for op in list(body.operations)[:-1]:
            op.operation.move_before(end.owner)
        return [value for k, value in enumerate(last.operands) for value in given.get(k, [value])], []


def _combined(by: Combining, start: ir.Value, terms: ir.Value, width: ir.Value) -> ir.Value:
    """All terms combined with one another, and with what the loop begins with."""
    neutral = number(start.type, by.neutral or 0.0)
    total = reduce_(width, [terms], [neutral], lambda a, b: [by.combine(a[0], b[0])])[0]
    return total if by.is_neutral(start) else by.combine(start, total)


def _width(loop: ir.OpView) -> ir.Value:
    """How often the loop runs; more often than numbers go counts as often as they go."""
    low, high = list(loop.operands)[:2]
    if constant_int(low) == 0:
        return high if is_non_negative(high) or _is_size_of_array(high, loop) else arith.maxsi(high, index(0))
    if any(map(_is_moderate, lows(high))) and any(map(_is_moderate, highs(low))):
        return arith.maxsi(arith.subi(high, low), index(0))
    width = arith.subi(arith.maxsi(high, low), low)
    if is_non_negative(low):
        return width
    fits = arith.cmpi(arith.CmpIPredicate.sge, width, index(0))
    return arith.select(fits, width, index(MOST_ITERATIONS))


def _is_size_of_array(value: ir.Value, loop: ir.OpView) -> bool:
    """Whether an array of this size was made before a loop, so that it is no negative number."""
    here = ir.InsertionPoint(loop)
    return any(
        use.operand_number >= FIRST_SIZE.get(use.owner.operation.name, MOST_ITERATIONS)
        and is_available(use.owner.results[0], here)
        for use in value.uses
    )


def _is_moderate(bound: Linear) -> bool:
    """Whether a bound is a constant or the size of an array, give or take a constant: differences of such fit."""
    return (bound.base is None or isinstance(bound.base, Dim)) and abs(bound.offset) < MOST_ITERATIONS // 4
