"""Reading parts of arrays: elements, rows, slices, new axes, gathers."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tapeless._mlir import ir
from tapeless.errors import IndexOutOfRange, TypeMismatch
from tapeless.frontend import bounds, broadcasting, exactness, gathers, integers, promotion, slices
from tapeless.frontend.affine import Affine
from tapeless.frontend.builder import Builder
from tapeless.frontend.elementwise import as_pending
from tapeless.frontend.slices import Span
from tapeless.frontend.values import Array, Leaf, Number, Opaque, Pending, Scalar, Tuple, Value, describe
from tapeless.types import i64

if TYPE_CHECKING:
    from tapeless.frontend.translator import Translator


@dataclass(frozen=True)
class Selection:
    """What an index selects: one span per axis of the array, and where the result gets new axes."""

    spans: tuple[Span, ...]
    new_axes: tuple[int, ...]

    @property
    def dims(self) -> tuple[Affine, ...]:
        """The sizes of what is selected, new axes left out."""
        return tuple(span.size for span in self.spans if not span.dropped)


Item = ast.Slice | Value


def items(t: Translator, node: ast.expr) -> list[Item]:
    """The parts of an index; expressions are evaluated, slices are not yet."""
    if isinstance(node, ast.Tuple):
        return [item for element in node.elts for item in items(t, element)]
    if isinstance(node, ast.Slice):
        return [node]
    value = t.held(t.evaluate(node))
    return list(value.items) if isinstance(value, Tuple) else [value]


def read(t: Translator, node: ast.Subscript) -> Value:
    """The value of `base[index]`."""
    base = t.evaluate(node.value)
    if isinstance(base, Tuple):
        return _tuple_item(t, base, node.slice)
    array = t.array(base, "what is indexed")
    parts = items(t, node.slice)
    if any(isinstance(part, Array) for part in parts):
        return gathers.gather(t, array, parts)
    return select(t, array, selection(t, array, parts))


def _tuple_item(t: Translator, value: Tuple, node: ast.expr) -> Value:
    position = t.constant(t.evaluate(node), "the index of a tuple") if not isinstance(node, ast.Slice) else None
    if position is None:
        raise t.error("a tuple cannot be sliced", "index it with a constant")
    if not -len(value.items) <= position < len(value.items):
        raise t.error(f"index {position} is out of range for a tuple of {len(value.items)}", None, IndexOutOfRange)
    return value.items[position]


def selection(t: Translator, array: Array, parts: Sequence[Item]) -> Selection:
    """Normalised and checked spans for the parts of an index."""
    spans: list[Span] = []
    new_axes: list[int] = []
    for part in _without_ellipsis(t, array, parts):
        if isinstance(part, Opaque) and part.value is None:
            new_axes.append(len(new_axes) + sum(not span.dropped for span in spans))
            continue
        axis = len(spans)
        if isinstance(part, ast.Slice):
            spans.append(slices.span(t, part, array.dims[axis]))
        else:
            spans.append(Span(position(t, part, array.dims[axis], axis), Affine(1), 1, dropped=True))
    spans += [slices.whole(size) for size in array.dims[len(spans) :]]
    return Selection(tuple(spans), tuple(new_axes))


def _without_ellipsis(t: Translator, array: Array, parts: Sequence[Item]) -> list[Item]:
    used = sum(not (isinstance(part, Opaque) and part.value in (None, ...)) for part in parts)
    if used > array.rank:
        raise t.error(
            f"{used} indices for an array of rank {array.rank}", f"use at most {array.rank} indices", TypeMismatch
        )
    result: list[Item] = []
    for part in parts:
        if isinstance(part, Opaque) and part.value is ...:
            result += [ast.Slice()] * (array.rank - used)
            used = array.rank
        else:
            result.append(part)
    return result


def position(t: Translator, value: Value, size: Affine, axis: int) -> Affine:
    """An index as a position that is not negative; checked at run time unless it is proved to be in range."""
    if not isinstance(value, Scalar) or value.dtype.is_float or value.dtype.is_bool:
        raise t.error(f"an index is {describe(value)}", "index with integers, slices or an integer array", TypeMismatch)
    affine = t.integer(value, "an index").affine
    if affine is None:
        affine = integers.opaque(t.builder, promotion.ssa(t.builder, value, i64))
    if affine.is_constant and size.is_constant and not -size.constant <= affine.constant < size.constant:
        message = f"index {affine.constant} is out of range for axis {axis} with size {size.constant}"
        raise t.error(message, "use an index below the size", IndexOutOfRange)
    return checked_position(t, affine, size, axis)


def checked_position(t: Translator, affine: Affine, size: Affine, axis: int) -> Affine:
    """The position an index counts to from the start of an axis, with the checks that are not proved."""
    builder = t.builder
    if not _is_exact_if_positive(builder, affine):
        affine = exactness.as_computed(builder, affine)
    wrapped = bounds.wrapped(builder, affine, size)
    is_known = integers.is_nonnegative(builder, wrapped) and integers.is_below(builder, wrapped, size)
    if not is_known and _may_wrap(wrapped):
        is_known = integers.is_nonnegative(builder, affine + size) and integers.is_below(builder, affine, size)
    if not is_known:
        _check_position(t, affine, wrapped, size, axis)
    return wrapped


def _is_exact_if_positive(builder: Builder, affine: Affine) -> bool:
    """Whether comparing the index with a size, as unsigned integers, says where it really is."""
    if integers.is_nonnegative(builder, affine) and exactness.is_within(builder, affine, 0, 2**64 - 1):
        return True
    return exactness.is_exact(builder, affine)


def _may_wrap(position: Affine) -> bool:
    """Whether a position counts from one end or the other, depending on a sign known only at run time."""
    symbol = position.symbol()
    return symbol is not None and symbol.recipe is not None and symbol.recipe[0] == "wrap"


def _check_position(t: Translator, affine: Affine, wrapped: Affine, size: Affine, axis: int) -> None:
    builder = t.builder
    values = [integers.index_value(builder, each) for each in (wrapped, size)]
    is_within = integers.compare(builder, "ult", *values)
    message = f"index {{}} is out of range for axis {axis} with size {{}}"
    builder.check(is_within, "IndexOutOfRange", message, integers.index_value(builder, affine), values[1])
    integers.assume(builder, wrapped)
    integers.assume(builder, size - wrapped - 1)


def select(t: Translator, array: Array, selected: Selection) -> Number:
    """The part of an array that a selection names."""
    spans = selected.spans
    if all(span.dropped for span in spans) and not selected.new_axes:
        return element_at(t, array, [span.offset for span in spans])
    value: Number = array
    if not all(span.is_whole_of(size) for span, size in zip(spans, array.dims, strict=True)):
        value = _slice(t, array, spans)
    if isinstance(value, Array):
        kept = [span for span in spans if not span.dropped]
        for axis, span in enumerate(kept):
            if span.is_reversed:
                value = reverse(t, value, axis)
    return with_new_axes(t, value, selected.new_axes) if selected.new_axes else value


def _slice(t: Translator, array: Array, spans: Sequence[Span]) -> Number:
    if all(span.dropped for span in spans):
        return element_at(t, array, [span.offset for span in spans])
    dropped = {axis for axis, span in enumerate(spans) if span.dropped}
    ssa = broadcasting.extract_slice(
        t,
        array.ssa,
        [span.offset for span in spans],
        [span.size for span in spans],
        [span.step for span in spans],
        dropped,
    )
    return Array(array.dtype, tuple(span.size for span in spans if not span.dropped), ssa)


def element_at(t: Translator, array: Array, positions: Sequence[Affine]) -> Scalar:
    """One element, at positions known to be in range."""
    operands = [array.ssa, *(integers.index_value(t.builder, each) for each in positions)]
    value = t.builder.value("tensor.extract", t.builder.types.scalars[array.dtype], operands)
    return promotion.from_ssa(t.builder, value, array.dtype)


def element(t: Translator, array: Array, index: Affine) -> Scalar | Array:
    """The element, or row, of the leading axis at a position known to be in range."""
    if array.rank == 1:
        return element_at(t, array, [index])
    spans = [Span(index, Affine(1), 1, dropped=True), *(slices.whole(size) for size in array.dims[1:])]
    return _slice(t, array, spans)


def reverse(t: Translator, array: Array, axis: int) -> Array:
    """One axis in reverse order."""
    attributes = {"axis": ir.IntegerAttr.get(t.builder.types.i64, axis)}
    ssa = t.builder.value("soac.reverse", array.ssa.type, [array.ssa], attributes)
    return Array(array.dtype, array.dims, ssa)


def with_new_axes(t: Translator, value: Number, new_axes: Sequence[int]) -> Pending:
    """New axes of size 1 at some positions of the result; nothing is computed yet."""
    if isinstance(value, Scalar):
        ssa = promotion.ssa(t.builder, value)
        return Pending(value.dtype, (Affine(1),) * len(new_axes), (), lambda elements: ssa)
    pending = as_pending(value)
    rank = pending.rank + len(new_axes)
    old_axes = [axis for axis in range(rank) if axis not in new_axes]
    dims = [Affine(1)] * rank
    for axis, size in zip(old_axes, pending.dims, strict=True):
        dims[axis] = size
    renamed = {leaf: Leaf(leaf.ssa, tuple(old_axes[axis] for axis in leaf.axes)) for leaf in pending.leaves}
    build = pending.build
    return Pending(
        pending.dtype,
        tuple(dims),
        tuple(renamed.values()),
        lambda elements: build({old: elements[new] for old, new in renamed.items()}),
    )
