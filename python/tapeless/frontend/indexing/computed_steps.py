"""Slices whose step is known when running: `x[a:b:s]`, as Python takes them for a step of either sign.

What they select is read and written element by element: positions are `first + k * step`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tapeless._mlir import ir
from tapeless.abi import LONGEST_AXIS
from tapeless.dataclasses_on_use import dataclass
from tapeless.frontend.arrays import axes, creation
from tapeless.frontend.elementwise import broadcasting, nests
from tapeless.frontend.values import integers
from tapeless.frontend.values.affine import Affine
from tapeless.frontend.values.value import Array, Leaf, Pending
from tapeless.types import i64

if TYPE_CHECKING:
    from tapeless.frontend.translator import Translator


@dataclass(frozen=True)
class Progression:
    """Positions `first, first + step, ...`, so many."""

    first: Affine
    step: Affine
    count: Affine


def progression(t: Translator, lower: Affine | None, upper: Affine | None, step: Affine, size: Affine) -> Progression:
    """The selection of a slice on an axis, from bounds that count from its start and are not clamped yet."""
    builder = t.builder
    given = integers.index_value(builder, step)
    zero, one = builder.index(0), builder.index(1)
    is_set = integers.compare(builder, "ne", given, zero)
    builder.check(is_set, "ArgumentError", "the step of a slice is 0; use a step that is not 0")
    limits = [builder.index(number) for number in (-LONGEST_AXIS, LONGEST_AXIS)]
    stride = _index(t, "arith.minsi", _index(t, "arith.maxsi", given, limits[0]), limits[1])
    is_back = integers.compare(builder, "slt", stride, zero)
    whole = integers.index_value(builder, size)
    lowest = _chosen(t, is_back, builder.index(-1), zero)
    highest = _chosen(t, is_back, _index(t, "arith.subi", whole, one), whole)
    begin = _clamped(t, lower, lowest, highest, _chosen(t, is_back, highest, lowest))
    end = _clamped(t, upper, lowest, highest, _chosen(t, is_back, lowest, highest))
    forth, back = _index(t, "arith.subi", end, begin), _index(t, "arith.subi", begin, end)
    length = _index(t, "arith.maxsi", _chosen(t, is_back, back, forth), zero)
    pace = _chosen(t, is_back, _index(t, "arith.subi", zero, stride), stride)
    rounded = _index(t, "arith.addi", length, _index(t, "arith.subi", pace, one))
    count = integers.opaque(builder, _index(t, "arith.divui", rounded, pace), lower=(Affine(0),), upper=(size,))
    return Progression(integers.opaque(builder, begin), integers.opaque(builder, stride), count)


def _clamped(t: Translator, bound: Affine | None, low: ir.Value, high: ir.Value, default: ir.Value) -> ir.Value:
    if bound is None:
        return default
    return _index(t, "arith.minsi", _index(t, "arith.maxsi", integers.index_value(t.builder, bound), low), high)


def _index(t: Translator, name: str, left: ir.Value, right: ir.Value) -> ir.Value:
    return t.builder.value(name, t.builder.types.index, [left, right])


def _chosen(t: Translator, condition: ir.Value, left: ir.Value, right: ir.Value) -> ir.Value:
    return t.builder.value("arith.select", t.builder.types.index, [condition, left, right])


def taken(t: Translator, array: Array, axis: int, steps: Progression) -> Array:
    """The array with one axis cut down to the positions of a progression."""
    positions = _positions(t, steps)
    leaf = Leaf(positions.ssa, (0,))
    rest = (*array.dims[:axis], *array.dims[axis + 1 :])

    def part(elements: dict[Leaf, ir.Value]) -> ir.Value:
        place = integers.opaque(t.builder, elements[leaf])
        if array.rank == 1:
            operands = [array.ssa, integers.index_value(t.builder, place)]
            return t.builder.value("tensor.extract", t.builder.types.scalars[array.dtype], operands)
        offsets = [place if each == axis else Affine(0) for each in range(array.rank)]
        sizes = [Affine(1) if each == axis else size for each, size in enumerate(array.dims)]
        return broadcasting.extract_slice(t, array.ssa, offsets, sizes, [1] * array.rank, {axis})

    pending = Pending(array.dtype, (steps.count,), (leaf,), part)
    rows = Array(array.dtype, (steps.count, *rest), nests.nest(t.builder, pending, rest))
    return axes.permuted(t, rows, (*range(1, axis + 1), 0, *range(axis + 1, array.rank)))


def put(t: Translator, array: Array, places: Sequence[tuple[int, Progression]], part: Array) -> Array:
    """The array with a part at the positions of progressions, one for each of some axes."""
    (axis, steps), *others = places
    if others:
        part = put(t, taken(t, array, axis, steps), others, part)
    order = (axis, *(each for each in range(array.rank) if each != axis))
    rows, values = (axes.permuted(t, each, order) for each in (array, part))
    operands = [integers.index_value(t.builder, steps.count), rows.ssa, _positions(t, steps).ssa, values.ssa]
    written = Array(array.dtype, rows.dims, t.builder.value("soac.scatter", rows.ssa.type, operands))
    return axes.permuted(t, written, tuple(order.index(each) for each in range(array.rank)))


def _positions(t: Translator, steps: Progression) -> Array:
    """The positions as an array."""
    builder = t.builder
    first, step = (integers.integer_value(builder, each) for each in (steps.first, steps.step))

    def position(index: ir.Value) -> ir.Value:
        scaled = builder.value("arith.muli", builder.types.i64, [creation.as_integer(t, index), step])
        return builder.value("arith.addi", builder.types.i64, [first, scaled])

    return creation.generated(t, steps.count, i64, position)
