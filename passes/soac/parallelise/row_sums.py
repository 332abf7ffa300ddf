"""Loops that add to the elements of an array by an inner loop: the loop over elements comes first, around the sums."""

from __future__ import annotations

from collections.abc import Sequence

from tapeless._mlir import arith, ir, scf, tensor
from tapeless.dataclasses_on_use import dataclass
from tapeless.dialects.regions import terminator
from tapeless.passes.ir.build import dim
from tapeless.passes.ir.costs import CHEAP, FREE
from tapeless.passes.ir.places.indices import is_index_of
from tapeless.passes.ir.rebuild import Values, copy_op, replace_op
from tapeless.passes.ir.scopes import is_defined_outside, is_used_once, outer_values
from tapeless.passes.ir.sizes.shapes import size_of
from tapeless.passes.ir.sizes.sizes import constant_int
from tapeless.passes.soac.parallelise.own_index import OwnIndex
from tapeless.passes.soac.parallelise.parts import READS, place_of
from tapeless.passes.soac.parallelise.slabs import Slab, Versions
from tapeless.passes.soac.parallelise.totals import combines_in_place, combining
from tapeless.passes.soac.parallelise.trips import trips

# Operations that are repeated for each element rather than kept for all of them.
REPEATED = CHEAP | FREE | READS


@dataclass(frozen=True)
class RowSums:
    """A loop, one in its body that alone changes some carried arrays, and the numbers of these in both.

    ```mlir
    for j:                                   for j: weights[j] = weight; total += weight
      total += weight                        for k:
      for k: out[k] += weight * v[j, k]        for j: out[k] += weights[j] * v[j, k]
    ```
    Each element is combined with the same terms, in the same order. Nests of which several arrays are sums are taken
    apart `for_threads` only: a core reads rows of products once for all of them. Where the loop around does not run,
    elements may lie outside of an array: those of the loop over them end at the sizes of arrays that are not seen to be
    as long.
    """

    loop: ir.OpView
    inner: ir.OpView
    numbers: tuple[int, ...]

    @staticmethod
    def of(loop: ir.OpView, *, for_threads: bool) -> RowSums | None:
        """The first such loop in the body of a loop whose other carried values are combined or have parts, too."""
        inner = [op for op in loop.regions[0].blocks[0].operations if op.operation.name == "scf.for"]
        found = [RowSums(loop, each, _numbers_in(loop, each)) for each in inner]
        found = [each for each in found if each.numbers and _is_own(each.inner, for_threads) and each._can_leave()]
        return found[0] if found and _is_parallel_without(loop, found, for_threads) else None

    def _can_leave(self) -> bool:
        """Whether the inner loop runs as often in every iteration, and looks at nothing that iterations hand on.

        What it needs beside is computed again for each element, or numbers, which are kept.
        """
        return all(
            is_defined_outside(bound, self.loop.operation) for bound in list(self.inner.operands)[:3]
        ) and not any(
            isinstance(value, ir.BlockArgument) or isinstance(value.type, ir.RankedTensorType) for value in self._kept()
        )

    def _kept(self) -> list[ir.Value]:
        """The values of an iteration that the inner loop uses and that are not computed again."""
        starts = list(self.inner.operands)[3:]
        used = [value for value in dict.fromkeys(outer_values(self.inner)) if value not in starts]
        return [value for value in used if not self._is_repeated(value)]

    def carry_out(self) -> list[ir.OpView]:
        """Splits the loop into its remainder, and the nest that sums; gives the loops that may have such, too."""
        kept = self._kept()
        results: list[ir.Value | None] = [None] * len(self.loop.results)
        with ir.InsertionPoint(self.loop), self.loop.location:
            others = [k for k in range(len(results)) if k not in self.numbers]
            arrays: list[ir.Value] = []
            loops: list[ir.OpView] = []
            if others or kept:
                left = self._rest(others, kept)
                for number, value in zip(others, left.results, strict=False):
                    results[number] = value
                arrays = list(left.results)[len(others) :]
                loops.append(left)
            nest = self._sums(dict(zip(kept, arrays, strict=True)))
            yielded = terminator(self.loop.regions[0]).operands
            for number in self.numbers:
                results[number] = nest.results[ir.OpResult(yielded[number]).result_number]
            loops.append(nest.body.operations[0])
        replace_op(self.loop, results)
        return loops

    def _rest(self, others: Sequence[int], kept: Sequence[ir.Value]) -> ir.OpView:
        """The loop without the inner one, which stores values for it."""
        low, high, step, *starts = self.loop.operands
        empty = [tensor.empty([trips(self.loop)], value.type) for value in kept]
        made = scf.ForOp(low, high, step, [*(starts[k] for k in others), *empty])
        body = self.loop.regions[0].blocks[0]
        counter, *arguments = body.arguments
        values: Values = {counter: made.induction_variable}
        values.update((arguments[k], made.inner_iter_args[n]) for n, k in enumerate(others))
        with ir.InsertionPoint(made.body):
            for op in list(body.operations)[:-1]:
                if op.operation != self.inner.operation:
                    copy_op(op, values)
            last = terminator(self.loop.regions[0])
            stored = [
                tensor.insert(values[value], array, [self._place(made)])
                for value, array in zip(kept, list(made.inner_iter_args)[len(others) :], strict=True)
            ]
            scf.YieldOp([*(values.get(last.operands[k], last.operands[k]) for k in others), *stored])
        return made

    def _sums(self, kept: dict[ir.Value, ir.Value]) -> ir.OpView:
        """The nest: over elements, and then over the iterations of the loop."""
        body = self.inner.regions[0].blocks[0]
        last = terminator(self.inner.regions[0])
        starts = [self.loop.operands[2 + argument.arg_number] for argument in list(self.inner.operands)[3:]]
        low, high, step = list(self.inner.operands)[:3]
        for number, start in enumerate(starts):
            slab = Slab.of(self.inner, number)
            if slab is not None and not _has_element(slab, slab.parts.axis):
                high = arith.minsi(high, dim(start, slab.parts.axis))
        elements = scf.ForOp(low, high, step, starts)
        with ir.InsertionPoint(elements.body):
            terms = scf.ForOp(*list(self.loop.operands)[:3], list(elements.inner_iter_args))
            scf.YieldOp(list(terms.results))
        counter = self.loop.regions[0].blocks[0].arguments[0]
        values: Values = {counter: terms.induction_variable, body.arguments[0]: elements.induction_variable}
        values.update(zip(list(body.arguments)[1:], terms.inner_iter_args, strict=True))
        with ir.InsertionPoint(terms.body):
            for value, array in kept.items():
                values[value] = tensor.extract(array, [self._place(terms)])
            for value in list(outer_values(self.inner)):
                self._repeat(value, values)
            for op in list(body.operations)[:-1]:
                copy_op(op, values)
            scf.YieldOp([values.get(value, value) for value in last.operands])
        return elements

    def _place(self, made: ir.OpView) -> ir.Value:
        """The place of the stored value of an iteration of one of the new loops."""
        low, counter = self.loop.operands[0], made.induction_variable
        return counter if constant_int(low) == 0 else arith.subi(counter, low)

    def _is_repeated(self, value: ir.Value) -> bool:
        """Whether a value that the inner loop uses is not of an iteration, or computed again at little cost."""
        if is_defined_outside(value, self.loop.operation) or value == self.loop.regions[0].blocks[0].arguments[0]:
            return True
        if isinstance(value, ir.BlockArgument):
            return False
        return value.owner.operation.name in REPEATED and all(map(self._is_repeated, value.owner.operands))

    def _repeat(self, value: ir.Value, values: Values) -> None:
        if value in values or is_defined_outside(value, self.loop.operation) or isinstance(value, ir.BlockArgument):
            return
        for operand in value.owner.operands:
            self._repeat(operand, values)
        copy_op(value.owner, values)


def _numbers_in(loop: ir.OpView, inner: ir.OpView) -> tuple[int, ...]:
    """The numbers of carried values that only an inner loop takes and makes; none where it makes others, too."""
    yielded = list(terminator(loop.regions[0]).operands)
    arguments = list(loop.regions[0].blocks[0].arguments)[1:]
    numbers = []
    for number, (argument, value) in enumerate(zip(arguments, yielded, strict=True)):
        if value in list(inner.results):
            start = inner.operands[3 + ir.OpResult(value).result_number]
            if start != argument or not is_used_once(argument) or not is_used_once(value):
                return ()
            numbers.append(number)
    return tuple(numbers) if len(numbers) == len(inner.results) else ()


def _is_own(inner: ir.OpView, for_threads: bool) -> bool:
    """Whether iterations of the inner loop have elements of their own, which they only combine with something."""
    slabs = [Slab.of(inner, k) for k in range(len(inner.results))]
    return constant_int(inner.operands[2]) == 1 and all(
        slab is not None and _is_summed(slab, for_threads) for slab in slabs
    )


def _is_summed(slab: Slab, for_threads: bool) -> bool:
    """Whether a slab is combined in place, at indices that the array has also where the loop around does not run.

    Of the loop over elements that many are left.
    """
    is_counter = for_threads and slab.parts.own == OwnIndex()
    return (
        not slab.before
        and combines_in_place(slab.versions.accesses)
        and (is_counter or _has_element(slab, slab.parts.axis))
        and all(_has_element(slab, axis) for axis in dict(slab.parts.shared))
    )


def _has_element(slab: Slab, axis: int) -> bool:
    """Whether an array surely has the index along an axis that its accesses name."""
    return is_index_of(place_of(slab.versions.accesses[0])[axis][0], size_of(slab.parts.array, axis))


def _is_parallel_without(loop: ir.OpView, sums: Sequence[RowSums], for_threads: bool) -> bool:
    """Whether sums are the reason that a loop is sequential: arrays of which iterations have no parts of their own."""
    last, arguments = terminator(loop.regions[0]), list(loop.regions[0].blocks[0].arguments)[1:]
    summed = {number for each in sums for number in each.numbers}
    return all(
        (Slab.of(loop, k) is None) == (k in summed)
        for k, argument in enumerate(arguments)
        if k in summed or not (combining(argument, last, k) is not None or (for_threads and _is_sum_in_place(loop, k)))
    )


def _is_sum_in_place(loop: ir.OpView, number: int) -> bool:
    """Whether all iterations only combine one and the same element of an array with something."""
    if not isinstance(loop.operands[3 + number].type, ir.RankedTensorType):
        return False
    versions = Versions(loop, number)
    if not versions.are_all() or not combines_in_place(versions.accesses):
        return False
    places = [extent for op in versions.accesses for extent, _, _ in place_of(op)]
    return all(isinstance(each, int) or is_defined_outside(each, loop.operation) for each in places)
