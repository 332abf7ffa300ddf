"""Broadcasting: axes align from the last one, size 1 stretches, other sizes must be equal.

An axis of size 1 is one that is known to be. Where it is known only that a size is at most 1, as that of `x[:1]`, the
axis stretches if it has an element; without one it goes with other axes that have none.

Sizes of which nothing is known are taken to be equal, which is checked. Where a call finds that one of them is 1, the
function is translated again, by a session that `stretches`: then both sizes may be 1, and what is done is decided when
running (`unknown_sizes.py`). So programs without such sizes pay nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tapeless._mlir import ir
from tapeless.frontend.elementwise import broadcasting, unknown_sizes
from tapeless.frontend.elementwise.broadcasting import ONE, Shapes
from tapeless.frontend.values import bounds, integers
from tapeless.frontend.values.affine import Affine
from tapeless.frontend.values.value import Array, Leaf, Pending

if TYPE_CHECKING:
    from tapeless.frontend.translator import Translator


def common_dims(t: Translator, arrays: Sequence[Array | Pending]) -> tuple[Affine, ...]:
    """The broadcast sizes of arrays; checks at run time those that cannot be proved."""
    rank = max(array.rank for array in arrays)
    dims = list((ONE,) * (rank - arrays[0].rank) + arrays[0].dims)
    for position, array in enumerate(arrays[1:]):
        shapes = (tuple(dims) if position else arrays[0].dims, array.dims)
        for axis, size in enumerate(array.dims, start=rank - array.rank):
            dims[axis] = common_size(t, dims[axis], size, axis, shapes)
    return tuple(dims)


def common_size(t: Translator, left: Affine, right: Affine, axis: int, shapes: Shapes) -> Affine:
    """The size that two axes have together."""
    if left == ONE or right == ONE:
        return right if left == ONE else left
    small = [_is_at_most_one(t, each) for each in (left, right)]
    if t.session.stretches and not all(small) and unknown_sizes.may_differ(t, left, right):
        return unknown_sizes.common(t, left, right, axis, shapes)
    if left == right or not any(small):
        return broadcasting.same_size(t, left, right, axis, shapes, "use equal sizes, or 1 to be repeated")
    if all(small):
        return bounds.minimum(t.builder, left, right)
    return right if small[0] else left


def fit(t: Translator, size: Affine, wanted: Affine, axis: int) -> None:
    """Checks, unless it is proved, that an axis has a size, or is repeated to it."""
    if stretches(t, size):
        return
    if t.session.stretches and unknown_sizes.may_differ(t, size, wanted):
        unknown_sizes.check_repeats(t, size, wanted, axis)
    else:
        broadcasting.same_size(t, wanted, size, axis)


def stretches(t: Translator, size: Affine) -> bool:
    """Whether an axis of a size is repeated to other sizes: it is 1, or known to be at most 1."""
    return size == ONE or _is_at_most_one(t, size)


def _is_at_most_one(t: Translator, size: Affine) -> bool:
    return not size.is_constant and integers.is_nonnegative(t.builder, ONE - size)


def aligned(t: Translator, pending: Pending, dims: tuple[Affine, ...]) -> Pending:
    """A pending array with its leaves renumbered to the axes of a broadcast result."""
    offset = len(dims) - pending.rank
    pairs = zip(pending.dims, dims[offset:], strict=True)
    sizes = {axis: _Axis(t, size, wanted, axis) for axis, (size, wanted) in enumerate(pairs) if size != wanted}
    renamed = {leaf: _align_leaf(t, leaf, offset, sizes, dims) for leaf in pending.leaves}
    build = pending.build
    return Pending(
        pending.dtype,
        dims,
        tuple(dict.fromkeys(renamed.values())),
        lambda elements: build({old: elements[new] for old, new in renamed.items()}),
    )


class _Axis:
    """An axis of an array and the size it gets: whether it is broadcast, checked here."""

    def __init__(self, t: Translator, size: Affine, wanted: Affine, axis: int):
        self.size, self.wanted = size, wanted
        is_small = _is_at_most_one(t, size)
        self.is_cut = is_small and integers.is_nonnegative(t.builder, ONE - wanted)
        self.is_dropped = size == ONE or (is_small and not self.is_cut)
        self.is_open = t.session.stretches and not is_small and unknown_sizes.may_differ(t, size, wanted)
        self.may_be_empty = is_small and not integers.is_nonnegative(t.builder, size - 1)
        if is_small and not integers.is_nonnegative(t.builder, size - wanted):
            unknown_sizes.check_repeats(t, size, wanted, axis)


def _align_leaf(t: Translator, leaf: Leaf, offset: int, axes: dict[int, _Axis], dims: tuple[Affine, ...]) -> Leaf:
    value = leaf.ssa
    for position in reversed(range(len(leaf.axes))):
        axis = axes.get(leaf.axes[position])
        if axis is not None and axis.is_dropped:
            value = _only_element(t, value, position, axis)
        elif axis is not None and axis.is_cut:
            value = _cut(t, value, position, axis.wanted)
        elif axis is not None and axis.is_open:
            value = unknown_sizes.repeated(t, value, position, axis.size, axis.wanted)
    kept = tuple(axis + offset for axis in leaf.axes if axis not in axes or not axes[axis].is_dropped)
    if kept:
        value = broadcasting.with_static_sizes(t, value, [dims[axis] for axis in kept])
    return Leaf(value, kept)


def _only_element(t: Translator, value: ir.Value, position: int, axis: _Axis) -> ir.Value:
    """The only element of an axis, the axis dropped; of an axis without elements nothing is read."""
    if not axis.may_be_empty:
        return _first(t, value, position)
    builder = t.builder
    sizes = [integers.size_of(builder, value, other) for other in range(value.type.rank) if other != position]
    with builder.region() as there:
        found = _first(t, value, position)
        builder.operation("scf.yield", [], [found])
    with builder.region() as nothing:
        builder.operation("scf.yield", [], [_anything(t, found.type, sizes)])
    has_one = broadcasting.is_size(t, axis.size, ONE)
    return builder.attach(builder.operation("scf.if", [found.type], [has_one], regions=2), there, nothing).result


def _anything(t: Translator, kind: ir.Type, sizes: Sequence[Affine]) -> ir.Value:
    """A value of a type that nothing reads."""
    if not isinstance(kind, ir.RankedTensorType):
        return t.builder.constant(0.0, kind)
    free = [integers.index_value(t.builder, size) for size in sizes if not size.is_constant]
    return t.builder.value("tensor.empty", kind, free)


def _first(t: Translator, value: ir.Value, position: int) -> ir.Value:
    builder, rank = t.builder, value.type.rank
    if rank == 1:
        return builder.value("tensor.extract", value.type.element_type, [value, builder.index(0)])
    return _part(t, value, position, ONE, {position})


def _cut(t: Translator, value: ir.Value, position: int, size: Affine) -> ir.Value:
    """The first elements of an axis."""
    return _part(t, value, position, size, set())


def _part(t: Translator, value: ir.Value, position: int, size: Affine, dropped: set[int]) -> ir.Value:
    rank = value.type.rank
    sizes = [size if axis == position else integers.size_of(t.builder, value, axis) for axis in range(rank)]
    return broadcasting.extract_slice(t, value, [Affine(0)] * rank, sizes, [1] * rank, dropped)
