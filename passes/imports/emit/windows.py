"""Windows that move along the axes of an array: their elements combined, or the place of one of them found."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tapeless._mlir import arith, ir, tensor
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.imports.emit import reductions, scalars
from tapeless.passes.imports.emit.elementwise import elementwise
from tapeless.passes.imports.emit.lazy import Value, element_of, in_memory, remapped, reshaped, section, shape_of
from tapeless.passes.imports.emit.open_sizes import (
    Shape,
    Size,
    larger,
    minus,
    plus,
    product,
    quotient,
    same,
    value_of,
)
from tapeless.passes.imports.emit.reductions import Combine
from tapeless.passes.imports.emit.regions import counted
from tapeless.passes.imports.emit.shapes import cut, pad, transpose
from tapeless.passes.ir.build import Rows, index, map_, number

LONGEST_WRITTEN = 8
"""How many elements of a window along an axis are combined one by one in the text of the program."""


@dataclass(frozen=True)
class Windows:
    """Per axis: how long a window is, how far the next one is, and its elements from each other; and the padding."""

    sizes: Shape
    strides: Sequence[int]
    steps: Sequence[int]
    spread: Sequence[int]
    padding: Sequence[tuple[Size, Size]]

    def running_axis(self, shape: Shape) -> tuple[int, bool] | None:
        """The axis along which windows are all prefixes, or all suffixes (True), and nothing else happens."""
        others = zip(self.sizes, shape, self.padding, strict=True)
        moving = [axis for axis, (size, _, padding) in enumerate(others) if size != 1 or padding != (0, 0)]
        if len(moving) != 1 or {*self.strides, *self.steps, *self.spread} - {1}:
            return None
        axis = moving[0]
        low, high = self.padding[axis]
        before, after = (same(amount, minus(shape[axis], 1)) for amount in (low, high))
        is_whole = same(self.sizes[axis], shape[axis]) and ((before and high == 0) or (after and low == 0))
        return (axis, low == 0) if is_whole else None

    def counts(self, shape: Shape) -> list[Size]:
        """How many windows there are along the axes of a padded array."""
        spans = [(size - 1) * step + 1 for size, step in zip(self.sizes, self.steps, strict=True)]
        return [
            larger(plus(quotient(minus(length, span), stride), 1), 0) if span > 1 or stride > 1 else length
            for length, span, stride in zip(shape, spans, self.strides, strict=True)
        ]


def padded(value: Value, filling: ir.Value, windows: Windows) -> Value:
    """The array with a number around it, and between its elements."""
    low, high = zip(*windows.padding, strict=True)
    inner = [spread - 1 for spread in windows.spread]
    return pad(value, filling, low, high, inner) if {*low, *high, *inner} - {0} else value


def by_operator(value: Value, start: ir.Value, windows: Windows, operator: str) -> Value:
    """The elements of each window combined by an operator that is known, one axis after the other."""
    array = padded(value, start, windows)
    counts = windows.counts(shape_of(array))
    for axis in range(len(counts)):
        array = _along(array, axis, windows, counts[axis], operator)
    return array


def _along(array: Value, axis: int, windows: Windows, count: Size, operator: str) -> Value:
    size, stride, step = windows.sizes[axis], windows.strides[axis], windows.steps[axis]
    shape = list(shape_of(array))
    rank = len(shape)
    if size > LONGEST_WRITTEN or count == 1:
        return _line(array, axis, size, stride, step, count, operator)
    steps = [stride if k == axis and count != 1 else 1 for k in range(rank)]
    shape[axis] = count
    parts = [cut(array, [k * step if j == axis else 0 for j in range(rank)], shape, steps) for k in range(size)]
    result = parts[0]
    for part in parts[1:]:
        result = elementwise(scalars.OPERATORS[operator], element_of(array), result, part)
    return result


def _line(array: Value, axis: int, size: int, stride: int, step: int, count: Size, operator: str) -> Value:
    """Long windows are reduced; the axis comes first for that."""
    rank = len(shape_of(array))
    order = [axis, *(k for k in range(rank) if k != axis)]
    moved = in_memory(transpose(array, order))
    rest = list(shape_of(moved))[1:]

    def window(start: int | ir.Value) -> ir.Value:
        part = section(moved, [start, *[0] * len(rest)], [size, *rest], [step if size > 1 else 1, *[1] * len(rest)])
        return reductions.by_operator(part, [0], operator)

    def body(position: ir.Value, _: Rows, __: Rows) -> tuple[list[ir.Value], list[ir.Value]]:
        return [window(arith.MulIOp(position, index(stride)).result)], []

    result = reshaped(window(0), [1, *rest]) if count == 1 else map_(value_of(count), [], [], body)[0][0]
    return transpose(result, [order.index(k) for k in range(rank)])


def one_by_one(values: Sequence[Value], starts: Rows, windows: Windows, combine: Combine) -> list[ir.Value]:
    """The elements of each window combined in order, beginning with `starts`."""
    arrays = [in_memory(padded(value, start, windows)) for value, start in zip(values, starts, strict=True)]
    total = product(windows.sizes)

    def at(indices: Sequence[ir.Value]) -> Rows:
        firsts = [arith.MulIOp(k, index(stride)).result for k, stride in zip(indices, windows.strides, strict=True)]
        steps = [step if size > 1 else 1 for step, size in zip(windows.steps, windows.sizes, strict=True)]
        parts = [reshaped(section(array, firsts, windows.sizes, steps), [total]) for array in arrays]

        def step(position: ir.Value, state: Rows) -> Rows:
            return combine(state, [tensor.ExtractOp(part, [position]).result for part in parts])

        return counted(index(0), value_of(total), index(1), starts, step)

    return positions(windows.counts(shape_of(arrays[0])), at)


def positions(shape: Shape, at: Callable[[Sequence[ir.Value]], Rows]) -> list[ir.Value]:
    """Arrays of a shape whose elements `at(indices)` makes together."""
    return _positions(shape, at, [])


def _positions(shape: Shape, at: Callable[[Sequence[ir.Value]], Rows], indices: list[ir.Value]) -> list[ir.Value]:
    if len(indices) == len(shape):
        return list(at(indices))

    def body(position: ir.Value, _: Rows, __: Rows) -> tuple[list[ir.Value], list[ir.Value]]:
        return _positions(shape, at, [*indices, position]), []

    return map_(value_of(shape[len(indices)]), [], [], body)[0]


def selected(value: Value, windows: Windows, prefers: Callable[[ir.Value, ir.Value], ir.Value]) -> ir.Value:
    """The number of the element of each window that is selected, in row-major order of the array.

    Elements are visited in order; the one selected so far stays if `prefers(it, the next)`. Padding is never selected:
    -1 where a window has nothing else.
    """
    array, shape = in_memory(value), shape_of(value)
    low, high = zip(*windows.padding, strict=True)
    lengths = [plus(plus(before, size), after) for before, size, after in zip(low, shape, high, strict=True)]
    i64 = ir.IntegerType.get_signless(64)
    total = product(windows.sizes)

    def at(indices: Sequence[ir.Value]) -> Rows:
        firsts = [
            arith.SubIOp(arith.MulIOp(k, index(stride)).result, value_of(before)).result
            for k, stride, before in zip(indices, windows.strides, low, strict=True)
        ]

        def step(position: ir.Value, state: Rows) -> Rows:
            best, place = state
            spots = _spots(position, firsts, windows)
            holds = _all_inside(spots, shape)
            safe = [scalars.select(holds, spot, index(0)) for spot in spots]
            element = tensor.ExtractOp(array, safe).result
            nothing = scalars.equals(place, -1)
            stays = arith.AndIOp(scalars.logical_not(nothing), prefers(best, element)).result
            takes = arith.AndIOp(holds, scalars.logical_not(stays)).result
            number_ = arith.IndexCastOp(i64, linear(safe, shape)).result
            return [scalars.select(takes, element, best), scalars.select(takes, number_, place)]

        first = number(array.type.element_type, 0)
        return [counted(index(0), value_of(total), index(1), [first, number(i64, -1)], step)[1]]

    return positions(windows.counts(lengths), at)[0]


def _spots(position: ir.Value, firsts: Sequence[ir.Value], windows: Windows) -> list[ir.Value]:
    """The indices of an element of a window, by its number in the window."""
    found: list[ir.Value] = []
    for first, size, step in reversed(list(zip(firsts, windows.sizes, windows.steps, strict=True))):
        offset = arith.RemUIOp(position, value_of(size)).result
        found.append(arith.AddIOp(first, arith.MulIOp(offset, index(step)).result).result)
        position = arith.DivUIOp(position, value_of(size)).result
    return found[::-1]


def _all_inside(spots: Sequence[ir.Value], shape: Shape) -> ir.Value:
    holds = number(ir.IntegerType.get_signless(1), -1)
    for spot, size in zip(spots, shape, strict=True):
        low = arith.CmpIOp(arith.CmpIPredicate.sge, spot, index(0)).result
        high = arith.CmpIOp(arith.CmpIPredicate.slt, spot, value_of(size)).result
        holds = arith.AndIOp(holds, arith.AndIOp(low, high).result).result
    return holds


def linear(indices: Sequence[ir.Value], shape: Shape) -> ir.Value:
    """The number of an element in row-major order."""
    total = index(0)
    for size, place in zip(shape, indices, strict=True):
        total = arith.AddIOp(arith.MulIOp(total, value_of(size)).result, place).result
    return total


def filled_like(value: Value, filling: ir.Value) -> ir.Value:
    """An array of the shape of a value with one number in it."""
    return in_memory(remapped(filling, shape_of(value), ()))
