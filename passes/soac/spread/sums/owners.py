"""Sums by owner: every element of an accumulator is summed by a thread of its own, in a fixed order, without copies."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import field
from functools import partial
from typing import ClassVar

from tapeless._mlir import arith, ir, scf, tensor
from tapeless.dataclasses_on_use import dataclass
from tapeless.dialects import soac
from tapeless.dialects.soac.builders import fill
from tapeless.passes.ir import build
from tapeless.passes.ir.scopes import is_defined_outside
from tapeless.passes.ir.sizes.expressions import Size
from tapeless.passes.ir.sizes.shapes import is_checked_size, scalar_size, size_of
from tapeless.passes.ir.sizes.sizes import as_value, can_write, write
from tapeless.passes.marks import DIVIDED
from tapeless.passes.soac.spread.weights import REPEATABLE, arithmetic, operations_in
from tapeless.passes.soac.sums.reduce_accumulations import Sum, reduce_accumulator
from tapeless.passes.soac.sums.runs import FEWEST_TERMS, runs_of_sums, runs_of_terms

PLACES = frozenset({"arith.ceildivsi", "arith.divsi", "arith.divui", "arith.remui"})
NESTS = frozenset({"soac.map", "soac.fused", "soac.yield", "scf.if", "scf.yield"}) | PLACES
# Operations of a term, which is written three times.
MOST_OPERATIONS = 3 * 24
# With fewer owners than this, what they sum is cut into parts, so that there are about so many threads.
FEW_OWNERS = 1 << 17
THREADS = 1 << 20
# A width, or a size as it was when what had it was still there, and the size of an array that must be as long.
Equal = tuple[Size, Size]


def sum_by_owner(
    accumulation: ir.OpView, equal: list[Equal] | None, *, by_parts: bool = True, at: ir.InsertionPoint | None = None
) -> bool:
    """Turns the accumulators of a `soac.with_acc` into sums where that is possible; says whether it was for any.

    `equal` learns which widths must be which sizes of arrays for it to be right; without it, they must be known to be.
    It learns only of those that can be computed `at` a place, if there is one. Sums of few owners are divided into
    parts, if `by_parts`, which those inside of threads must not be.
    """
    changed = False
    for number in range(len(accumulation.operands)):
        own: list[Equal] | None = None if equal is None else []
        make = partial(OwnerSum, equal=own, divides=by_parts, at=at)
        if reduce_accumulator(accumulation, number, make, _is_simple):
            changed = True
            if equal is not None and own is not None:
                equal.extend(own)
    return changed


def _is_simple(sums: ir.Value, _: ir.OpView) -> bool:
    """Whether terms are simple arithmetic on elements that are read, since every owner computes its own."""
    names = {op.operation.name for op in _nested(sums.owner)}
    return names <= REPEATABLE | NESTS


def _nested(op: ir.OpView) -> Iterator[ir.OpView]:
    yield op
    for inner in operations_in(op):
        yield from _nested(inner)


@dataclass
class OwnerSum(Sum):
    """The same sums as one loop for each owner; where owners are few, by parts and then over these."""

    takes_constants: ClassVar[bool] = True
    takes_turns: ClassVar[bool] = True
    equal: list[Equal] | None = None
    divides: bool = True
    at: ir.InsertionPoint | None = None
    part: tuple[ir.Value, ir.Value] | None = field(default=None, init=False)
    inner_part: tuple[ir.Value, ir.Value] | None = field(default=None, init=False)
    parts: tuple[ir.Value, ir.Value] | None = field(default=None, init=False)

    def is_small(self, value: ir.Value) -> bool:
        return arithmetic(value.owner) <= MOST_OPERATIONS * (1 + len(self.beside))

    def covers_all(self) -> bool:
        loops = self.contribution.loops_of_places()
        if loops is None or (self.equal is not None and self._is_row_beside_constants()):
            return False
        for axis, loop in loops.items():
            if not is_checked_size(self.dest, axis, loop.operands[0], self.accumulation.results[0]):
                if self.equal is None:
                    return False
                sizes = scalar_size(loop.operands[0]), size_of(self.dest, axis)
                if self.at is not None:
                    if not all(can_write(size, self.at) for size in sizes):
                        return False
                    sizes = as_value(write(sizes[0], self.at), self.at), as_value(write(sizes[1], self.at), self.at)
                self.equal.append(sizes)
        return True

    def _is_row_beside_constants(self) -> bool:
        return bool(self.contribution.constants) and build.is_array(self.contribution.value)

    def write(self) -> ir.Value:
        """All sums, by parts if there are few; inside threads always as they are."""
        is_whole = self.equal is None or not self.divides
        if is_whole or self.places or self.part is not None or not self.summed_loops():
            return super().write()
        owners = build.index(1)
        for axis in range(self.dest.type.rank):
            owners = arith.muli(owners, build.dim(self.dest, axis))
        are_few = arith.cmpi(arith.CmpIPredicate.slt, owners, build.index(FEW_OWNERS))
        count, length = self.replay.scalar(self.summed_loops()[0].operands[0]), self._length_of_terms()
        divided = _divided(count, owners, length)
        inner = None if length is None else _divided_again(length, divided[0], owners, len(self.summed_loops()) > 2)
        choice = scf.IfOp(are_few, [self._type()], has_else=True)
        choice.operation.attributes[DIVIDED] = ir.UnitAttr.get(choice.context)
        by_parts = partial(self._by_parts, count, *divided, inner)
        for block, sums in ((choice.then_block, by_parts), (choice.else_block, self._again)):
            with ir.InsertionPoint(block):
                scf.YieldOp([build.cast_to(self._type(), sums())])
        return choice.results[0]

    def _type(self) -> ir.Type:
        shape = [self.dest.type.shape[axis] for axis in self.axes]
        return ir.RankedTensorType.get(shape, self.dest.type.element_type)

    def _fresh(
        self,
        first: ir.Value,
        count: ir.Value,
        parts: tuple[ir.Value, ir.Value] | None = None,
        within: tuple[ir.Value, ir.Value] | None = None,
    ) -> OwnerSum:
        fresh = OwnerSum(self.accumulation, self.contribution, self.dest, self.axes, self.beside, equal=[])
        fresh.part, fresh.inner_part, fresh.parts = (first, count), within, parts
        return fresh

    def _again(self) -> ir.Value:
        return Sum.write(OwnerSum(self.accumulation, self.contribution, self.dest, self.axes, self.beside, equal=[]))

    def _length_of_terms(self) -> ir.Value | None:
        """How many iterations the second of several loops of a sum has, if it is known before them."""
        loops = self.summed_loops()
        if len(loops) < 2 or not is_defined_outside(loops[1].operands[0], self.accumulation.operation):
            return None
        return arith.maxsi(loops[1].operands[0], build.index(0))

    def _by_parts(
        self, count: ir.Value, parts: ir.Value, length: ir.Value, left: ir.Value, inner: Inner | None
    ) -> ir.Value:
        """Parts of equal length of the outermost loop side by side, then their sums and the remainder.

        Parts may also have but some iterations of the loop in it, the last ones of which may have fewer.
        """
        done = arith.subi(count, left)

        def part(number: ir.Value, *_: object) -> tuple[list[ir.Value], list[ir.Value]]:
            within = None
            if inner is not None:
                first = arith.muli(arith.remui(number, inner.parts), inner.length)
                own = arith.minsi(inner.length, arith.subi(inner.count, first))
                within, number = (first, arith.maxsi(own, build.index(0))), arith.divui(number, inner.parts)
            return [self._fresh(arith.muli(number, length), length, within=within).write()], []

        parts = parts if inner is None else arith.muli(parts, inner.parts)
        made = build.map_(parts, [], [], part)[0][0]
        return self._fresh(done, left, self._in_runs(made, parts)).write()

    def _in_runs(self, sums: ir.Value, count: ir.Value) -> tuple[ir.Value, ir.Value]:
        """An array whose first axis is shorter and adds up to the same, and how long it is."""
        runs = runs_of_sums(count)
        length = arith.ceildivsi(count, runs)

        def run(number: ir.Value, *_: object) -> tuple[list[ir.Value], list[ir.Value]]:
            first = arith.muli(number, length)
            width = arith.maxsi(arith.minsi(length, arith.subi(count, first)), build.index(0))

            def added(*places: ir.Value) -> ir.Value:
                axis = len(places) + 1
                if axis == sums.type.rank:
                    return self._loop(width, lambda step: _extract(sums, arith.addi(first, step), *places))
                return build.map_(build.dim(sums, axis), [], [], lambda place, *_: ([added(*places, place)], []))[0][0]

            return [added()], []

        return build.map_(runs, [], [], run)[0][0], runs

    def _summed(self, loops: Sequence[ir.OpView]) -> ir.Value:
        if not loops:
            return self._added()
        width, first = self.replay.scalar(loops[0].operands[0]), None
        depth = len(self.summed_loops()) - len(loops)
        is_outermost = depth == 0
        if self.part is not None and is_outermost:
            first, width = self.part
        elif self.inner_part is not None and depth == 1:
            first, width = self.inner_part

        def term(index: ir.Value) -> ir.Value:
            self.replay.enter(loops[0], index if first is None else arith.addi(first, index))
            return self._summed(loops[1:])

        total = self._loop(width, term)
        return total if self.parts is None or not is_outermost else build.add(self._of_parts(*self.parts), total)

    def _of_parts(self, parts: ir.Value, count: ir.Value) -> ir.Value:
        """The sum over the first axis of an array at this owner's place."""
        places = [self.places[axis] for axis in self.axes]
        return self._loop(count, lambda number: _extract(parts, number, *places))

    def _loop(self, width: ir.Value, term: Callable[[ir.Value], ir.Value]) -> ir.Value:
        """The sum of terms, each computed where it is added."""
        element = self.dest.type.element_type
        op = soac.FusedOp(width, [], [build.number(element, 0.0)], [], [element])
        fill(op.lift, [ir.IndexType.get()], lambda index: [term(index)])
        fill(op.reduce, [element, element], lambda a, b: [build.add(a, b)])
        return op.operation.results[0]


def _extract(array: ir.Value, *places: ir.Value) -> ir.Value:
    return tensor.ExtractOp(array, list(places)).result


@dataclass(frozen=True)
class Inner:
    """How many iterations the second loop of a sum has, into how many parts they go, and how many a part has."""

    count: ir.Value
    parts: ir.Value
    length: ir.Value


def _divided(count: ir.Value, owners: ir.Value, terms: ir.Value | None) -> tuple[ir.Value, ir.Value, ir.Value]:
    """How many parts of how many iterations give threads enough, and how many these leave. Parts as long as fit into
    the iterations leave fewer iterations than there are parts, longer ones fewer than a part has: those that leave the
    fewest. Each iteration may have several terms.
    """
    most = _most_parts(owners)
    if terms is None:
        wanted = runs_of_terms(count, most)
    else:
        wanted = runs_of_terms(arith.muli(count, arith.minsi(terms, build.index(FEWEST_TERMS))), most)
    few, many = arith.divsi(count, wanted), arith.maxsi(arith.ceildivsi(count, wanted), build.index(1))
    by_parts = [wanted, few, arith.subi(count, arith.muli(few, wanted))]
    parts = arith.divsi(count, many)
    by_length = [parts, many, arith.subi(count, arith.muli(many, parts))]
    is_better = arith.cmpi(arith.CmpIPredicate.slt, by_length[2], by_parts[2])
    best = [arith.select(is_better, new, old) for new, old in zip(by_length, by_parts, strict=True)]
    return best[0], best[1], best[2]


def _divided_again(terms: ir.Value, parts: ir.Value, owners: ir.Value, has_more: bool) -> Inner:
    """The second loop divided where the parts of the first are not threads enough; one with others in it wholly."""
    each = build.index(1 if has_more else FEWEST_TERMS)
    most = arith.minsi(arith.divsi(_most_parts(owners), parts), arith.ceildivsi(terms, each))
    wanted = arith.maxsi(most, build.index(1))
    length = arith.maxsi(arith.ceildivsi(terms, wanted), build.index(1))
    return Inner(terms, arith.maxsi(arith.ceildivsi(terms, length), build.index(1)), length)


def _most_parts(owners: ir.Value) -> ir.Value:
    return arith.divsi(build.index(THREADS), arith.maxsi(owners, build.index(1)))
