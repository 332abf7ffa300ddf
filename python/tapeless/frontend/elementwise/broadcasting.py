"""Broadcasting: axes align from the last one, static size 1 stretches, other sizes must be equal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tapeless._mlir import ir
from tapeless.dialects.groups import SEGMENTS
from tapeless.errors import ShapeMismatch
from tapeless.frontend.values import integers
from tapeless.frontend.values.affine import Affine
from tapeless.frontend.values.value import Array, Leaf, Pending

if TYPE_CHECKING:
    from tapeless.frontend.translator import Translator

ONE = Affine(1)


def common_dims(t: Translator, arrays: Sequence[Array | Pending]) -> tuple[Affine, ...]:
    """The sizes arrays have together; checks at run time what cannot be proved."""
    rank = max(array.rank for array in arrays)
    dims = list((ONE,) * (rank - arrays[0].rank) + arrays[0].dims)
    for array in arrays[1:]:
        for axis, size in enumerate(array.dims, start=rank - array.rank):
            dims[axis] = _stretched(t, dims[axis], size, axis)
    return tuple(dims)


def _stretched(t: Translator, left: Affine, right: Affine, axis: int) -> Affine:
    if left == ONE or right == ONE:
        return right if left == ONE else left
    if left == right or not (_is_at_most_one(t, left) or _is_at_most_one(t, right)):
        return same_size(t, left, right, axis)
    return right if _is_at_most_one(t, left) else left


def _is_at_most_one(t: Translator, size: Affine) -> bool:
    """Whether a size is 1 unless the array is empty, as that of `x[:1]`; such an axis stretches too."""
    return not size.is_constant and integers.is_nonnegative(t.builder, ONE - size)


def same_size(t: Translator, left: Affine, right: Affine, axis: int) -> Affine:
    """One size for two that must be equal: proved, refused, or checked when running."""
    if left == right:
        return left
    if left.is_constant and right.is_constant:
        raise t.error(
            f"sizes {left.constant} and {right.constant} of axis {axis} do not match",
            "sizes must be equal, or 1 to be repeated",
            ShapeMismatch,
        )
    builder, difference = t.builder, left - right
    is_proved = integers.is_nonnegative(builder, difference) and integers.is_nonnegative(builder, -difference)
    if not is_proved:
        values = [integers.index_value(builder, left), integers.index_value(builder, right)]
        condition = integers.compare(builder, "eq", *values)
        builder.check(condition, "ShapeMismatch", f"sizes {{}} and {{}} of axis {axis} do not match", *values)
        integers.assume(builder, difference)
        integers.assume(builder, -difference)
    return right if right.is_constant else left


def aligned(t: Translator, pending: Pending, dims: tuple[Affine, ...]) -> Pending:
    """A pending array with its leaves renumbered to the axes of a broadcast result."""
    offset = len(dims) - pending.rank
    stretched = {axis for axis, size in enumerate(pending.dims) if _is_stretched(t, size, dims[axis + offset], axis)}
    renamed = {leaf: _align_leaf(t, leaf, offset, stretched, dims) for leaf in pending.leaves}
    build = pending.build
    return Pending(
        pending.dtype,
        dims,
        tuple(dict.fromkeys(renamed.values())),
        lambda elements: build({old: elements[new] for old, new in renamed.items()}),
    )


def _is_stretched(t: Translator, size: Affine, wanted: Affine, axis: int) -> bool:
    if size in (wanted, ONE):
        return size != wanted
    if not _is_at_most_one(t, size):
        return False
    same_size(t, size, ONE, axis)
    return True


def _align_leaf(t: Translator, leaf: Leaf, offset: int, stretched: set[int], dims: tuple[Affine, ...]) -> Leaf:
    value = leaf.ssa
    for position in reversed(range(len(leaf.axes))):
        if leaf.axes[position] in stretched:
            value = first_of_axis(t, value, position)
    kept = tuple(axis + offset for axis in leaf.axes if axis not in stretched)
    if kept:
        value = with_static_sizes(t, value, [dims[axis] for axis in kept])
    return Leaf(value, kept)


def first_of_axis(t: Translator, value: ir.Value, axis: int) -> ir.Value:
    """The only element of an axis of size 1, the axis dropped."""
    builder, shape = t.builder, list(value.type.shape)
    if len(shape) == 1:
        return builder.value("tensor.extract", value.type.element_type, [value, builder.index(0)])
    sizes = [ONE if position == axis else integers.size_of(builder, value, position) for position in range(len(shape))]
    offsets = [Affine(0)] * len(shape)
    return extract_slice(t, value, offsets, sizes, [1] * len(shape), {axis})


def with_static_sizes(t: Translator, value: ir.Value, dims: Sequence[Affine]) -> ir.Value:
    """The tensor cast so that every constant size is static in its type."""
    dynamic = t.builder.types.dynamic
    wanted = [size.constant if size.is_constant else dynamic for size in dims]
    if list(value.type.shape) == wanted:
        return value
    result = ir.RankedTensorType.get(wanted, value.type.element_type, loc=t.builder.types.unknown)
    return t.builder.value("tensor.cast", result, [value])


def extract_slice(
    t: Translator,
    value: ir.Value,
    offsets: Sequence[Affine],
    sizes: Sequence[Affine],
    steps: Sequence[int],
    dropped: set[int],
) -> ir.Value:
    """A `tensor.extract_slice` that drops some axes of size 1."""
    kept = [size for axis, size in enumerate(sizes) if axis not in dropped]
    shape = [size.constant if size.is_constant else t.builder.types.dynamic for size in kept]
    result = ir.RankedTensorType.get(shape, value.type.element_type, loc=t.builder.types.unknown)
    if 0 in value.type.shape:  # MLIR knows no position on an axis of size 0, not even for nothing
        free = [integers.index_value(t.builder, size) for size in kept if not size.is_constant]
        return t.builder.value("tensor.empty", result, free)
    operands, attributes = slice_operands(t, [value], offsets, sizes, steps)
    return t.builder.value("tensor.extract_slice", result, operands, attributes)


def slice_operands(
    t: Translator,
    leading: Sequence[ir.Value],
    offsets: Sequence[Affine],
    sizes: Sequence[Affine],
    steps: Sequence[int],
) -> tuple[list[ir.Value], dict[str, ir.Attribute]]:
    """Operands and attributes of slice operations: constants are attributes, the rest operands."""
    builder, dynamic = t.builder, t.builder.types.dynamic
    values = [
        [integers.index_value(builder, each) for each in group if not each.is_constant] for group in (offsets, sizes)
    ]
    static = [[each.constant if each.is_constant else dynamic for each in group] for group in (offsets, sizes)]
    segments = [1] * len(leading) + [len(values[0]), len(values[1]), 0]
    attributes = {
        "static_offsets": ir.DenseI64ArrayAttr.get(static[0]),
        "static_sizes": ir.DenseI64ArrayAttr.get(static[1]),
        "static_strides": ir.DenseI64ArrayAttr.get(list(steps)),
        SEGMENTS: ir.DenseI32ArrayAttr.get(segments),
    }
    return [*leading, *values[0], *values[1]], attributes
