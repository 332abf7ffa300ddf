"""Axes combined by an operator, and all prefixes of an axis.

An operator that is known has a neutral element, and may be applied in any order. One that is not is applied to one
element after the other in a loop, which is one of the orders that its producer allows.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from tapeless._mlir import ir, tensor
from tapeless.passes.imports.emit import scalars
from tapeless.passes.imports.emit.lazy import Value, element_of, in_memory, reshaped, shape_of, transposed
from tapeless.passes.imports.emit.loops import counted
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
    """The elements along some axes combined by an operator that is known."""
    return _reduced(in_memory(value), sorted(axes), operator, neutral_of(operator, element_of(value)))


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
    return filled(row, [index(size) for size in row.shape], neutral)


def on_rows(operator: str) -> Combine:
    """An operator that is known on lists of one number, or one row."""
    return lambda left, right: [elementwise(scalars.FUNCTIONS[operator], left[0], right[0])]


def one_by_one(values: Sequence[Value], axes: Sequence[int], start: Rows, combine: Combine) -> list[ir.Value]:
    """The elements of arrays of equal shape along some axes combined in order, beginning with `start`."""
    shape = shape_of(values[0])
    kept = [axis for axis in range(len(shape)) if axis not in axes]
    count = math.prod(shape[axis] for axis in axes)
    order = [*kept, *sorted(axes)]
    lined = [*(shape[axis] for axis in kept), count]
    arrays = [reshaped(transposed(in_memory(value), order), lined) for value in values]
    return _folded(arrays, count, start, combine)


def _folded(arrays: Rows, count: int, start: Rows, combine: Combine) -> list[ir.Value]:
    if arrays[0].type.rank > 1:
        return map_(dim(arrays[0], 0), arrays, [], lambda _, rows, __: (_folded(rows, count, start, combine), []))[0]

    def step(position: ir.Value, state: Rows) -> Rows:
        return combine(state, [tensor.ExtractOp(array, [position]).result for array in arrays])

    return counted(index(0), index(count), index(1), start, step)


def running(value: Value, axis: int, operator: str, *, backwards: bool) -> ir.Value:
    """All prefixes of an axis, or all suffixes, combined by an operator that is known."""
    return _running(in_memory(value), axis, operator, neutral_of(operator, element_of(value)), backwards)


def _running(array: ir.Value, axis: int, operator: str, neutral: ir.Value, backwards: bool) -> ir.Value:
    if axis > 0:
        return mapped(dim(array, 0), [array], lambda row: _running(row, axis - 1, operator, neutral, backwards))
    return scan_(dim(array, 0), [array], [_row(array, neutral)], on_rows(operator), reverse=backwards)[0]


def combined(operator: str, start: ir.Value, value: ir.Value) -> ir.Value:
    """`start` combined with a scalar, or with each element of an array."""
    emit = scalars.FUNCTIONS[operator]
    return elementwise(lambda each: emit(start, each), value) if is_array(value) else emit(start, value)
