"""Triangles as squares: inner loops whose length grows or shrinks with the index of the outer one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field

from tapeless._mlir import arith, ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.dialects.regions import terminator
from tapeless.passes.ir import build
from tapeless.passes.ir.array_loops import Loop
from tapeless.passes.ir.scopes import is_defined_outside
from tapeless.passes.ir.search import ops_named
from tapeless.passes.ir.sizes.shapes import size_of
from tapeless.passes.ir.sizes.sizes import constant_int
from tapeless.passes.soac.flatten_sums import only_reduces
from tapeless.passes.soac.spread.distribute import handed_in
from tapeless.passes.soac.spread.sums.owners import Equal
from tapeless.passes.soac.spread.weights import operations_in

LOOPS = frozenset({"soac.map", "soac.fused"})
# From so many iterations on, threads for all of a square are done before those with a row of a triangle each: a guess.
FEWEST = 64


class CannotWiden(Exception):
    """Raised where an iteration outside of a triangle would touch what need not exist."""


def has_triangles(op: ir.OpView) -> bool:
    """Whether an operation of the host has an inner loop that is shorter in some iterations than in others."""
    return any(_Triangle.of(inner, op) is not None for inner in ops_named(op, *LOOPS))


def widen(op: ir.OpView) -> tuple[ir.Value, list[Equal]]:
    """Gives all inner loops of such a kind in an operation the length of the longest.

    ```mlir
    map over i < n:                                   map over i < n:
      map over k < n - (i + 1):                         map over j < n:
        update(%acc, %i + 1 + %k, f(%i + 1 + %k))         update(%acc, %j, %j >= %i + 1 ? f(%j) : 0)
    ```
    What is computed outside of the triangle is thrown away. Gives how long loops become, and which widths must be which
    sizes of arrays, so that all that they read is there.
    """
    widths: list[ir.Value] = []
    equal: list[Equal] = []
    for inner in ops_named(op, *LOOPS):
        if is_defined_outside(inner.operands[0], op.operation):
            continue
        triangle = _Triangle.of(inner, op)
        if triangle is None:
            raise CannotWiden
        triangle.check()
        triangle.carry_out()
        widths.append(triangle.width)
        equal += triangle.equal
    return widths[0], list(dict.fromkeys(equal))


@dataclass
class _Triangle:
    """An inner loop, the number of iterations of the longest, and where it begins (or ends, if it begins at 0)."""

    inner: ir.OpView
    around: ir.OpView
    width: ir.Value
    low: ir.Value | None
    equal: list[Equal] = field(default_factory=list)

    @staticmethod
    def of(inner: ir.OpView, around: ir.OpView) -> _Triangle | None:
        """The triangle of a loop over `k` in `range(i)`, or `range(i + c, n)` where `k` counts from 0."""
        length = inner.operands[0]
        if is_defined_outside(length, around.operation) or not _is_plain(inner):
            return None
        if (outer := _loop_of(length)) is not None and is_defined_outside(outer.operands[0], around.operation):
            return _Triangle(inner, around, outer.operands[0], None)
        if isinstance(length, ir.OpResult) and length.owner.operation.name == "arith.maxsi":
            length = next((each for each in length.owner.operands if constant_int(each) != 0), length)
        if isinstance(length, ir.BlockArgument) or length.owner.operation.name != "arith.subi":
            return None
        high, low = length.owner.operands
        return _Triangle(inner, around, high, low) if is_defined_outside(high, around.operation) else None

    def check(self) -> None:
        """Refuses what iterations outside of the triangle must not do, and notes the sizes that reads ask for."""
        own = self._own_places()
        for op in ops_named(self.inner, "tensor.extract", "soac.update"):
            is_read = op.operation.name == "tensor.extract"
            array = op.operands[0] if is_read else _dest_of(op.operands[0])
            places = list(op.operands)[1:] if is_read else list(op.operands)[1:-1]
            if not is_read and build.is_array(op.operands[len(op.operands) - 1]):
                raise CannotWiden
            axes = 0
            while isinstance(array, ir.BlockArgument) and _is_element(array):
                array, axes = array.owner.owner.operands[array.arg_number], axes + 1
            if isinstance(array.owner, ir.OpView) and array.owner.operation.name == "tensor.extract_slice":
                raise CannotWiden
            for axis, place in enumerate(places, axes):
                self._note(place, place in own, array, axis)
        for op in _inside(self.inner):
            if op.operation.name in ("tensor.extract_slice", "soac.assert", "func.call", "scf.while"):
                raise CannotWiden

    def _note(self, place: ir.Value, is_own: bool, array: ir.Value, axis: int) -> None:
        if is_own:
            self.equal.append((self.width, size_of(array, axis)))
        elif (outer := _loop_of(place)) is not None and outer.operation != self.inner.operation:
            if is_defined_outside(outer.operands[0], self.around.operation):
                self.equal.append((outer.operands[0], size_of(array, axis)))
            elif constant_int(outer.operands[0]) is None:
                raise CannotWiden
        elif constant_int(place) is None:
            raise CannotWiden

    def _own_places(self) -> set[ir.Value]:
        """The values that are the number of an iteration in the square."""
        counter = self.inner.regions[0].blocks[0].arguments[0]
        return {counter} if self.low is None else {op.results[0] for op in self._sums_with_low()}

    def _sums_with_low(self) -> list[ir.OpView]:
        counter = self.inner.regions[0].blocks[0].arguments[0]
        users = [use.owner for use in counter.uses]
        if any(op.operation.name != "arith.addi" or self.low not in list(op.operands) for op in users):
            raise CannotWiden
        return users

    def carry_out(self) -> None:
        """Makes the loop longer; what iterations outside of the triangle give is what adds nothing."""
        block = self.inner.regions[0].blocks[0]
        counter, length = block.arguments[0], self.inner.operands[0]
        if self.low is not None:
            for op in self._sums_with_low():
                op.results[0].replace_all_uses_with(counter)
                op.operation.erase()
        self.inner.operation.operands[0] = self.width
        with self.inner.location, ir.InsertionPoint.at_block_begin(block):
            if self.low is None:
                is_inside = arith.cmpi(arith.CmpIPredicate.slt, counter, length)
            else:
                is_inside = arith.cmpi(arith.CmpIPredicate.sge, counter, self.low)
        for op in ops_named(self.inner, "soac.update"):
            last = len(op.operands) - 1
            self._choose(op, last, is_inside, 0.0)
        if self.inner.operation.name == "soac.fused":
            end = terminator(self.inner.regions[0])
            neutral = list(self.inner.reduce_neutral)
            for number, start in enumerate(neutral):
                self._choose(end, number, is_inside, start)

    def _choose(self, op: ir.OpView, number: int, is_inside: ir.Value, otherwise: ir.Value | float) -> None:
        value = op.operands[number]
        with op.location, ir.InsertionPoint(op):
            if isinstance(otherwise, float):
                otherwise = build.number(value.type, otherwise)
            op.operation.operands[number] = arith.select(is_inside, value, otherwise)


def _is_plain(inner: ir.OpView) -> bool:
    """Whether a loop reads nothing element by element, and gives numbers or hands on accumulators alone."""
    if len(inner.inputs):
        return False
    if inner.operation.name == "soac.fused":
        return only_reduces(inner)
    return not len(Loop.seen_as(inner).mapped)


def _loop_of(place: ir.Value) -> ir.OpView | None:
    """The loop whose counter a value is."""
    if not isinstance(place, ir.BlockArgument) or place.arg_number:
        return None
    owner = place.owner.owner
    return owner if owner.operation.name in LOOPS and place.owner == owner.regions[0].blocks[0] else None


def _is_element(array: ir.BlockArgument) -> bool:
    owner = array.owner.owner
    is_lifted = owner.operation.name in LOOPS and array.owner == owner.regions[0].blocks[0]
    return is_lifted and 0 < array.arg_number <= len(owner.inputs)


def _dest_of(acc: ir.Value) -> ir.Value:
    """The array that an accumulator adds to."""
    while True:
        if isinstance(acc, ir.BlockArgument) and acc.owner.owner.operation.name == "soac.with_acc":
            return acc.owner.owner.operands[acc.arg_number]
        acc = handed_in(acc)


def _inside(op: ir.OpView) -> Iterator[ir.OpView]:
    for inner in operations_in(op):
        yield inner
        yield from _inside(inner)
