"""Broadcasting of axes whose size is 1 or not when running; only for sessions that `stretches`.

An axis that has another size than the result then has one element, which is read again and again. There is no branch
around it: derivatives of branches would have the program twice for each.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tapeless._mlir import ir
from tapeless.frontend.elementwise import broadcasting, nests
from tapeless.frontend.elementwise.broadcasting import ONE, Shapes
from tapeless.frontend.values import bounds, integers
from tapeless.frontend.values.affine import Affine

if TYPE_CHECKING:
    from tapeless.frontend.translator import Translator


def may_differ(t: Translator, left: Affine, right: Affine) -> bool:
    """Whether two sizes may be different ones that broadcast."""
    may = _may_be_one(t, left) or _may_be_one(t, right)
    return left != right and may and not broadcasting.are_equal(t, left, right)


def _may_be_one(t: Translator, size: Affine) -> bool:
    return size == ONE or not (size.is_constant or integers.is_nonnegative(t.builder, size - 2))


def common(t: Translator, left: Affine, right: Affine, axis: int, shapes: Shapes) -> Affine:
    """The size that two axes have together, with a check that one is 1 or that they are equal."""
    ones = [size for size in (left, right) if _may_be_one(t, size)]
    tests = [broadcasting.is_size(t, left, right), *(broadcasting.is_size(t, size, ONE) for size in ones)]
    broadcasting.check_sizes(t, tests, left, right, axis, shapes)
    if len(ones) == 1:
        return left if ones[0] == right else right
    return bounds.unless_one(t.builder, left, right)


def check_repeats(t: Translator, size: Affine, wanted: Affine, axis: int) -> None:
    """A check that an axis has a size, or is repeated to it."""
    tests = [broadcasting.is_size(t, size, each) for each in (ONE, wanted)]
    broadcasting.check_sizes(t, tests, size, wanted, axis)


def repeated(t: Translator, value: ir.Value, position: int, size: Affine, wanted: Affine) -> ir.Value:
    """An array with an axis of the size that is wanted: elements are read where they are, or all from the only one."""
    is_same = broadcasting.is_size(t, size, wanted)
    return _mapped(t, value, position, wanted, is_same)


def _mapped(t: Translator, value: ir.Value, position: int, wanted: Affine, is_same: ir.Value) -> ir.Value:
    """A map along the axis, inside of maps along those before it."""
    builder = t.builder
    sizes = [integers.size_of(builder, value, axis) for axis in range(value.type.rank)]
    width = wanted if position == 0 else sizes[0]
    row = nests.element_type(builder, value.type)
    with builder.region([builder.types.index, *([row] if position else [])]) as block:
        index, *rows = block.arguments
        if position:
            made = _mapped(t, rows[0], position - 1, wanted, is_same)
        else:
            place = builder.value("arith.select", builder.types.index, [is_same, index, builder.index(0)])
            made = _part(t, value, sizes, place)
        builder.operation("soac.yield", [], [made])
    shape = [width.constant if width.is_constant else builder.types.dynamic]
    if isinstance(made.type, ir.RankedTensorType):
        shape += list(made.type.shape)
    result = ir.RankedTensorType.get(shape, value.type.element_type, loc=builder.types.unknown)
    return nests.map_operation(builder, width, [value] if position else [], [result], block).result


def _part(t: Translator, value: ir.Value, sizes: list[Affine], place: ir.Value) -> ir.Value:
    if len(sizes) == 1:
        return t.builder.value("tensor.extract", value.type.element_type, [value, place])
    offsets = [integers.opaque(t.builder, place), *[Affine(0)] * (len(sizes) - 1)]
    return broadcasting.extract_slice(t, value, offsets, [ONE, *sizes[1:]], [1] * len(sizes), {0})
