"""The plan by which a loop becomes a map and reductions: its carried values, and the operands of the map."""

from __future__ import annotations

from collections.abc import Sequence

from tapeless._mlir import arith, ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.dialects.regions import terminator
from tapeless.passes.ir.build import index, map_, number, reduce_
from tapeless.passes.ir.rebuild import replace_op
from tapeless.passes.ir.sizes.sizes import constant_int
from tapeless.passes.soac.parallelise.bins import Bins
from tapeless.passes.soac.parallelise.reads import Reads
from tapeless.passes.soac.parallelise.shifts import Shifts
from tapeless.passes.soac.parallelise.slabs import Slab
from tapeless.passes.soac.parallelise.stacks import Stack
from tapeless.passes.soac.parallelise.totals import Combining, combining
from tapeless.passes.soac.parallelise.trips import trips


@dataclass(frozen=True)
class Plan:
    """A loop, the kind of each carried value, and the parts of arrays that its iterations are given."""

    loop: ir.OpView
    carried: tuple[Slab | Combining | Shifts | Bins, ...]
    reads: tuple[Reads, ...]
    stacks: tuple[Stack, ...]

    @staticmethod
    def of(loop: ir.OpView, *, has_bins: bool) -> Plan | None:
        """The plan for a loop; None where an iteration waits for another.

        With `has_bins`, arrays may be added to at places that iterations compute.
        """
        last = terminator(loop.regions[0])
        carried: list[Slab | Combining | Shifts | Bins] = []
        for k, argument in enumerate(list(loop.regions[0].blocks[0].arguments)[1:]):
            found = combining(argument, last, k) or Slab.of(loop, k) or Shifts.of(loop, k)
            kind = Bins.of(loop, k) if found is None and has_bins else found
            if kind is None:
                return None
            carried.append(kind)
        reads = tuple(Reads.all_of(loop))
        given = [*(each.parts for each in carried if isinstance(each, Slab)), *(each.parts for each in reads)]
        return Plan(loop, tuple(carried), reads, tuple(Stack.of(parts, loop) for parts in given))

    def carry_out(self) -> None:
        """Replaces the loop, whose body moves."""
        with ir.InsertionPoint(self.loop), self.loop.location:
            width = trips(self.loop)
            made, _ = map_(width, [stack.rows(width) for stack in self.stacks], [], self._body)
            starts = list(self.loop.operands)[3:]
            written, arrays = iter(self.stacks), iter(made)
            results = []
            for start, kind in zip(starts, self.carried, strict=True):
                if isinstance(kind, Slab):
                    results.append(next(written).written(next(arrays), width))
                elif isinstance(kind, Shifts):
                    terms = [next(arrays) for _ in range(max(kind.terms) + 1)]
                    results.append(kind.filled(self.loop.operands[0], width, terms))
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
            if isinstance(kind, Bins | Shifts):
                given[k] = kind.take_out(last, k)
                argument.replace_all_uses_with(kind.start)
        end = index(0)
        for op in list(body.operations)[:-1]:
            op.operation.move_before(end.owner)
        return [value for k, value in enumerate(last.operands) for value in given.get(k, [value])], []


def _combined(by: Combining, start: ir.Value, terms: ir.Value, width: ir.Value) -> ir.Value:
    """All terms combined with one another, and with the initial value of the loop."""
    neutral = number(start.type, by.neutral or 0.0)
    total = reduce_(width, [terms], [neutral], lambda a, b: [by.combine(a[0], b[0])])[0]
    return total if by.is_neutral(start) else by.combine(start, total)
