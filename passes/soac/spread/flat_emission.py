"""Writes the one map of `flat_nests`: every element of an array is read from the array that it is a part or view of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field

from tapeless._mlir import arith, ir, tensor
from tapeless.dataclasses_on_use import dataclass
from tapeless.dialects import soac
from tapeless.dialects.soac.builders import fill
from tapeless.passes.ir import build
from tapeless.passes.ir.array_loops import Loop
from tapeless.passes.ir.places.slices import remaining_axes, slice_fields
from tapeless.passes.ir.rebuild import Values, copy_op, replace_op
from tapeless.passes.ir.rows import Size
from tapeless.passes.ir.scopes import is_defined_outside
from tapeless.passes.ir.sizes.sizes import constant_int
from tapeless.passes.soac.spread.weights import OPERATORS, is_short

REDUCTIONS = frozenset({"soac.fused", "soac.reduce"})
VIEWS = frozenset({"tensor.extract_slice", "tensor.cast", "soac.transpose"})


@dataclass
class Flat:
    """Writes the one map; knows numbers, and of which arrays, at which places, elements of loops are parts."""

    op: ir.OpView
    maps: list[Loop]
    sums: list[list[ir.OpView]]
    values: Values = field(default_factory=dict)
    parts: dict[ir.Value, tuple[ir.Value, ir.Value]] = field(default_factory=dict)

    def write(self) -> ir.OpView:
        """Replaces the outermost map; gives the new one."""
        with self.op.location, ir.InsertionPoint(self.op):
            widths = [count_of(loop.width) for loop in self.maps]
            lengths = [[count_of(each.operands[0]) for each in nest] for nest in self.sums]
            totals = list(map(product, lengths))

            def body(number: ir.Value, *_: object) -> tuple[list[ir.Value], list[ir.Value]]:
                for loop, place in zip(self.maps, _parts(number, widths), strict=True):
                    self._enter(loop, place)
                    if loop is not self.maps[-1]:
                        own = list(loop.body.operations)[:-1]
                        self._statements([each for each in own if each.operation.name not in OPERATORS])
                left = list(zip(self.sums, totals, lengths, strict=True))
                for each in list(self.maps[-1].body.operations)[:-1]:
                    if each.operation.name in REDUCTIONS:
                        made = self._reduction(*left.pop(0))
                        self.values.update(zip(each.results, made, strict=True))
                    else:
                        self._statements([each])
                return [self._number(value) for value in self.maps[-1].lifted()], []

            made = build.map_(product(widths), [], [], body)[0]
            results = [_shaped(old.type, new, widths) for old, new in zip(self.op.results, made, strict=True)]
        replace_op(self.op, results)
        new: ir.OpView = made[0].owner
        return new

    def _enter(self, loop: Loop, place: ir.Value) -> None:
        """What an iteration of a loop has: its number, and elements."""
        self.values[loop.body.arguments[0]] = place
        self.parts.update((own, (array, place)) for own, array in zip(loop.elements, loop.inputs, strict=False))

    def _reduction(self, nest: list[ir.OpView], total: ir.Value, lengths: Sequence[ir.Value]) -> list[ir.Value]:
        """A reduction over all elements of a nest of reductions."""
        first = Loop.seen_as(nest[0])
        types = [value.type for value in first.reduced.neutral]
        starts = [self._number(value) for value in first.reduced.neutral]
        made = soac.FusedOp(total, [], starts, [], types)

        def lift(number: ir.Value) -> list[ir.Value]:
            elements: list[ir.Value] = []
            for each, place in zip(nest, _parts(number, lengths), strict=True):
                elements = self._lifted(Loop.seen_as(each), place)
            return elements

        fill(made.lift, [ir.IndexType.get()], lift)
        fill(made.reduce, [*types, *types], lambda *pairs: _combined(first, pairs))
        return list(made.operation.results)

    def _lifted(self, loop: Loop, place: ir.Value) -> list[ir.Value]:
        """What a reduction combines of an iteration; of one that holds another, what that one has to be given."""
        if loop.lift is None:
            return [self._element(array, [place]) for array in loop.inputs]
        self._enter(loop, place)
        *statements, end = loop.body.operations
        self._statements([each for each in statements if each.operation.name not in OPERATORS or is_short(each)])
        return [self._number(value) for value in end.operands]

    def _statements(self, statements: Sequence[ir.OpView]) -> None:
        for op in statements:
            name = op.operation.name
            if name == "tensor.extract":
                array, *places = op.operands
                self.values[op.results[0]] = self._element(array, [self._number(place) for place in places])
            elif name in REDUCTIONS:
                self.values.update(zip(op.results, self._written_out(Loop.seen_as(op)), strict=True))
            elif name not in VIEWS:
                self._copy(op)

    def _copy(self, op: ir.OpView) -> None:
        values = {value: self._number(value) for value in op.operands}
        copy_op(op, values)
        self.values.update((value, values[value]) for value in op.results)

    def _written_out(self, loop: Loop) -> list[ir.Value]:
        """The result of a short reduction, one iteration after the other."""
        total = [self._number(value) for value in loop.reduced.neutral]
        for number in range(constant_int(loop.width) or 0):
            total = _combined(loop, [*total, *self._lifted(loop, build.index(number))])
        return total

    def _number(self, value: ir.Value) -> ir.Value:
        if value in self.parts:
            array, place = self.parts[value]
            return self._element(array, [place])
        return self.values.get(value, value)

    def _element(self, array: ir.Value, places: Sequence[ir.Value]) -> ir.Value:
        """An element of an array: of the array that this one is a part or a view of, if it is."""
        if array in self.parts:
            whole, place = self.parts[array]
            return self._element(whole, [place, *places])
        if is_defined_outside(array, self.op.operation):
            return tensor.ExtractOp(array, list(places)).result
        view = array.owner
        if view.operation.name == "tensor.cast":
            return self._element(view.operands[0], places)
        if view.operation.name == "soac.transpose":
            axes = [int(axis.value) for axis in view.operation.attributes["permutation"]]
            return self._element(view.operands[0], [places[axes.index(axis)] for axis in range(len(axes))])
        return self._element(view.operands[0], self._in_slice(view, places))

    def _in_slice(self, view: ir.OpView, places: Sequence[ir.Value]) -> list[ir.Value]:
        """The place in an array of an element of a slice of it."""
        offsets, _, strides = slice_fields(view)
        own = dict(zip(remaining_axes(view), places, strict=True))
        found = []
        for axis, (offset, stride) in enumerate(zip(offsets, strides, strict=True)):
            first = self._size(offset)
            if axis not in own:
                found.append(first)
                continue
            step = own[axis] if stride == 1 else arith.muli(own[axis], self._size(stride))
            found.append(step if offset == 0 else arith.addi(first, step))
        return found

    def _size(self, size: Size) -> ir.Value:
        return build.index(size) if isinstance(size, int) else self._number(size)


def _combined(loop: Loop, pairs: Sequence[ir.Value]) -> list[ir.Value]:
    """The operator of a reduction, written at the insertion point."""
    block = loop.reduced.block
    values: Values = dict(zip(block.arguments, pairs, strict=True))
    *statements, end = block.operations
    for op in statements:
        copy_op(op, values)
    return [values.get(value, value) for value in end.operands]


def count_of(width: ir.Value) -> ir.Value:
    is_size = isinstance(width, ir.OpResult) and width.owner.operation.name == "tensor.dim"
    return width if is_size or constant_int(width) is not None else arith.maxsi(width, build.index(0))


def product(sizes: Sequence[ir.Value]) -> ir.Value:
    total, *others = sizes
    for size in others:
        total = arith.muli(total, size)
    return total


def _parts(number: ir.Value, sizes: Sequence[ir.Value]) -> list[ir.Value]:
    """The numbers along each axis of an element of so many, in order."""
    places: list[ir.Value] = []
    for size in reversed(sizes[1:]):
        places.insert(0, arith.remui(number, size))
        number = arith.divui(number, size)
    return [number, *places]


def _shaped(type_: ir.RankedTensorType, array: ir.Value, sizes: Sequence[ir.Value]) -> ir.Value:
    if len(sizes) == 1:
        return array
    shape = tensor.from_elements(ir.RankedTensorType.get([len(sizes)], ir.IndexType.get()), list(sizes))
    return tensor.ReshapeOp(type_, array, shape).result
