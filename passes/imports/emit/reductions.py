"""Axes combined by an operator, and all prefixes of an axis.

An operator that is known has a neutral element, and may be applied in any order. One that is not is applied to one
element after the other in a loop, which is one of the orders that its producer allows.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from tapeless._mlir import arith, ir, tensor
from tapeless.passes.imports.emit import scalars
from tapeless.passes.imports.emit.layout import array_of, order_of, transposed, without
from tapeless.passes.imports.emit.lazy import Value, element_of, in_memory, reshaped, shape_of
from tapeless.passes.imports.emit.open_sizes import Size, agreed, product, shape_of_array, value_of
from tapeless.passes.imports.emit.regions import counted
from tapeless.passes.ir.build import (
    Rows,
    dim,
    elementwise,
    filled,
    index,
    is_array,
    map_,
    mapped,
    number,
    reduce_,
    scan_,
)

Combine = Callable[[Rows, Rows], Rows]
LEAST, LARGEST = -math.inf, math.inf
NEUTRAL: dict[str, float] = {
    "add": 0,
    "multiply": 1,
    "maximum": LEAST,
    "minimum": LARGEST,
    "unsigned_maximum": 0,
    "unsigned_minimum": -1,
    "and": -1,
    "or": 0,
    "xor": 0,
}


def neutral_number(operator: str, element: ir.Type) -> float:
    """The number that changes nothing; the largest integers stand for infinities."""
    value = NEUTRAL[operator]
    if isinstance(element, ir.IntegerType) and element.width == 1:
        return -1 if operator in ("and", "multiply", "minimum") else 0
    if isinstance(element, ir.IntegerType) and math.isinf(value):
        largest = 2 ** (element.width - 1) - 1
        return largest if value > 0 else -largest - 1
    return value


def neutral_of(operator: str, element: ir.Type) -> ir.Value:
    """The number that changes nothing as a constant."""
    return number(element, neutral_number(operator, element))


def by_operator(value: Value, axes: Sequence[int], operator: str) -> ir.Value:
    """The elements along some axes combined by an operator that is known, as they lie in memory."""
    array, neutral = in_memory(value), neutral_of(operator, element_of(value))
    if not is_array(array):
        return array
    order = order_of(array)
    found = _reduced(array_of(array), sorted(order[axis] for axis in axes), operator, neutral)
    return transposed(found, without(order, axes)) if is_array(found) else found


def _reduced(array: ir.Value, axes: list[int], operator: str, neutral: ir.Value) -> ir.Value:
    if not axes:
        return array
    inner = [axis - 1 for axis in axes if axis > 0]
    if inner:
        array = mapped(dim(array, 0), [array], lambda row: _reduced(row, inner, operator, neutral))
    if axes[0] > 0:
        return array
    return reduce_(dim(array, 0), [array], [_row(array, neutral)], on_rows(operator))[0]


def neutral_row(array: ir.Value, operator: str) -> ir.Value:
    """The number, or the row of an array, that changes nothing."""
    return _row(array, neutral_of(operator, array.type.element_type))


def _row(array: ir.Value, neutral: ir.Value) -> ir.Value:
    """The neutral number, or a row of it."""
    if array.type.rank == 1:
        return neutral
    row = ir.RankedTensorType.get(array.type.shape[1:], array.type.element_type)
    return filled(row, [value_of(size) for size in shape_of_array(array)[1:]], neutral)


def on_rows(operator: str) -> Combine:
    """An operator that is known on lists of one number, or one row."""
    return lambda left, right: [elementwise(scalars.OPERATORS[operator], left[0], right[0])]


def one_by_one(values: Sequence[Value], axes: Sequence[int], start: Rows, combine: Combine) -> list[ir.Value]:
    """The elements of arrays of equal shape along some axes combined in order, beginning with `start`."""
    shape = agreed([shape_of(value) for value in values])
    kept = [axis for axis in range(len(shape)) if axis not in axes]
    count = product(shape[axis] for axis in axes)
    order = [*kept, *sorted(axes)]
    lined = [*(shape[axis] for axis in kept), count]
    arrays = [reshaped(transposed(in_memory(value), order), lined) for value in values]
    return _folded(arrays, count, start, combine)


def _folded(arrays: Rows, count: Size, start: Rows, combine: Combine) -> list[ir.Value]:
    if arrays[0].type.rank > 1:
        return map_(dim(arrays[0], 0), arrays, [], lambda _, rows, __: (_folded(rows, count, start, combine), []))[0]

    def step(position: ir.Value, state: Rows) -> Rows:
        return combine(state, [tensor.ExtractOp(array, [position]).result for array in arrays])

    return counted(index(0), value_of(count), index(1), start, step)


def running(value: Value, axis: int, operator: str, *, backwards: bool) -> ir.Value:
    """All prefixes of an axis, or all suffixes, combined by an operator that is known."""
    return _running(in_memory(value), axis, operator, neutral_of(operator, element_of(value)), backwards)


def _running(array: ir.Value, axis: int, operator: str, neutral: ir.Value, backwards: bool) -> ir.Value:
    if axis > 0:
        return mapped(dim(array, 0), [array], lambda row: _running(row, axis - 1, operator, neutral, backwards))
    return scan_(dim(array, 0), [array], [_row(array, neutral)], on_rows(operator), reverse=backwards)[0]


def running_one_by_one(
    values: Sequence[Value], axis: int, start: Rows, combine: Combine, *, backwards: bool
) -> list[ir.Value]:
    """All prefixes of an axis of arrays of equal shape, or all suffixes, combined in order, beginning with `start`."""
    rank = len(shape_of(values[0]))
    order = [*(k for k in range(rank) if k != axis), axis]
    lines = [transposed(in_memory(value), order) for value in values]
    found = _running_lines(lines, start, combine, backwards)
    return [transposed(array, [order.index(k) for k in range(rank)]) for array in found]


def _running_lines(arrays: Rows, start: Rows, combine: Combine, backwards: bool) -> list[ir.Value]:
    if arrays[0].type.rank > 1:
        return map_(
            dim(arrays[0], 0), arrays, [], lambda _, rows, __: (_running_lines(rows, start, combine, backwards), [])
        )[0]
    length, count = dim(arrays[0], 0), len(arrays)
    last = arith.SubIOp(length, index(1)).result

    def step(position: ir.Value, state: Rows) -> Rows:
        at = arith.SubIOp(last, position).result if backwards else position
        totals = combine(state[:count], [tensor.ExtractOp(array, [at]).result for array in arrays])
        written = [
            tensor.InsertOp(total, array, [at]).result for total, array in zip(totals, state[count:], strict=True)
        ]
        return [*totals, *written]

    empty = [filled(array.type, [length], first) for array, first in zip(arrays, start, strict=True)]
    return counted(index(0), length, index(1), [*start, *empty], step)[count:]


def combined(operator: str, start: ir.Value, value: ir.Value) -> ir.Value:
    """`start` combined with a scalar, or with each element of an array."""
    emit = scalars.OPERATORS[operator]
    return elementwise(lambda each: emit(start, each), value) if is_array(value) else emit(start, value)
