"""Sizes that must be equal, and arrays whose types have the known sizes."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from typing import TYPE_CHECKING

from tapeless._mlir import ir
from tapeless.dialects.groups import SEGMENTS
from tapeless.errors import ShapeMismatch
from tapeless.frontend.values import integers
from tapeless.frontend.values.affine import Affine

if TYPE_CHECKING:
    from tapeless.frontend.translator import Translator

ONE = Affine(1)


MOST_SHOWN = 8
"""How many numbers the message of a check can show."""

Shapes = tuple[Sequence[Affine], Sequence[Affine]]


def same_size(
    t: Translator,
    left: Affine,
    right: Affine,
    axis: int,
    shapes: Shapes | None = None,
    instead: str = "use equal sizes",
) -> Affine:
    """One size for two that must be equal: proved, refused, or checked when running. It is the older one of them.

    A message names the shapes that the sizes belong to, if they are given and have more than the sizes to tell.
    """
    if left == right:
        return left
    if left.is_constant and right.is_constant:
        raise t.error(
            f"sizes {left.constant} and {right.constant} of axis {axis} do not match{_named(shapes, '?')}",
            instead,
            ShapeMismatch,
        )
    if not are_equal(t, left, right):
        builder, difference = t.builder, left - right
        check_sizes(t, [is_size(t, left, right)], left, right, axis, shapes)
        integers.assume(builder, difference)
        integers.assume(builder, -difference)
    return min(left, right, key=_newest)


def _newest(size: Affine) -> int:
    """When the last symbol of a size was made: of equal sizes, the older one tells all that the other one does."""
    return max((symbol.serial for symbol in size.terms), default=-1)


def are_equal(t: Translator, left: Affine, right: Affine) -> bool:
    """Whether two sizes are proved to be equal."""
    difference = left - right
    return integers.is_nonnegative(t.builder, difference) and integers.is_nonnegative(t.builder, -difference)


def is_size(t: Translator, size: Affine, wanted: Affine) -> ir.Value:
    """Whether a size is another one, when running."""
    return integers.compare(t.builder, "eq", *(integers.index_value(t.builder, each) for each in (size, wanted)))


def check_sizes(
    t: Translator, conditions: Sequence[ir.Value], left: Affine, right: Affine, axis: int, shapes: Shapes | None = None
) -> None:
    """A check that one of some conditions holds for two sizes, with a message about these."""
    builder = t.builder
    values = [integers.index_value(builder, left), integers.index_value(builder, right)]
    shown = [size for shape in shapes or () for size in shape if not size.is_constant]
    if not _tells_more(shapes) or len(values) + len(shown) > MOST_SHOWN:
        shapes, shown = None, []
    message = f"sizes {{}} and {{}} of axis {axis} do not match{_named(shapes, '{}')}"
    holds = reduce(lambda a, b: builder.value("arith.ori", builder.types.i1, [a, b]), conditions)
    sizes = [integers.index_value(builder, size) for size in shown]
    builder.check(holds, "ShapeMismatch", message, *values, *sizes)


def _tells_more(shapes: Shapes | None) -> bool:
    return shapes is not None and max(map(len, shapes)) > 1


def _named(shapes: Shapes | None, unknown: str) -> str:
    """The end of a message that names two shapes."""
    if shapes is None or not _tells_more(shapes):
        return ""
    texts = []
    for shape in shapes:
        sizes = [str(size.constant) if size.is_constant else unknown for size in shape]
        texts.append(f"({', '.join(sizes)}{',' if len(sizes) == 1 else ''})")
    return f": the shapes are {texts[0]} and {texts[1]}"


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
