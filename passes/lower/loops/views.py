"""Arrays as the lowering sees them: a buffer, and how each of its axes is reached from the array's own indices."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.lower.loops.builder import Builder, Index


@dataclass(frozen=True)
class Fixed:
    """An axis of the buffer at which the array sits at one index; whether an operator walks along it."""

    index: Index
    is_walked: bool = False


@dataclass(frozen=True)
class Along:
    """An axis of the buffer that the array walks with one of its own axes: `offset + stride * index`."""

    axis: int
    offset: Index = 0
    stride: Index = 1


@dataclass(frozen=True, eq=False)
class View:
    """An array inside a buffer: one entry of `axes` per axis of the buffer, one of `sizes` per axis of the array."""

    base: ir.Value
    axes: tuple[Fixed | Along, ...]
    sizes: tuple[Index, ...]
    covers_base: bool = False

    @property
    def rank(self) -> int:
        return len(self.sizes)


def whole_view(base: ir.Value, sizes: Sequence[Index]) -> View:
    """A buffer as an array."""
    return View(base, tuple(Along(axis) for axis in range(len(sizes))), tuple(sizes), covers_base=True)


def element_indices(builder: Builder, view: View, indices: Sequence[Index]) -> list[Index]:
    """The indices into the buffer of one element of the array."""
    return [
        axis.index if isinstance(axis, Fixed) else along(builder, axis.offset, axis.stride, indices[axis.axis])
        for axis in view.axes
    ]


def along(builder: Builder, offset: Index, stride: Index, index: Index) -> Index:
    """`offset + stride * index`."""
    if isinstance(stride, int) and stride == -1:
        return builder.sub(offset, index)
    return builder.add(offset, builder.mul(stride, index))


def load(builder: Builder, view: View, indices: Sequence[Index]) -> ir.Value:
    walked = [axis for axis, each in enumerate(view.axes) if isinstance(each, Fixed) and each.is_walked]
    return builder.load(view.base, element_indices(builder, view, indices), walked)


def store(builder: Builder, value: ir.Value, view: View, indices: Sequence[Index]) -> None:
    builder.store(value, view.base, element_indices(builder, view, indices))


def row(builder: Builder, view: View, index: Index) -> View:
    """The array at one index of axis 0."""
    ones, kept = [1] * view.rank, list(range(1, view.rank))
    return sliced(builder, view, [index, *[0] * (view.rank - 1)], list(view.sizes), ones, kept)


def walked_row(builder: Builder, view: View, index: Index) -> View:
    """The array at the index of axis 0 at which an operator is that walks along it."""
    one = row(builder, view, index)
    axes = [
        Fixed(now.index, is_walked=True) if isinstance(now, Fixed) and isinstance(before, Along) else now
        for before, now in zip(view.axes, one.axes, strict=True)
    ]
    return replace(one, axes=tuple(axes))


def sliced(
    builder: Builder,
    view: View,
    offsets: Sequence[Index],
    sizes: Sequence[Index],
    strides: Sequence[Index],
    kept: Sequence[int],
) -> View:
    """A slice with one offset, size and stride per axis of `view`, of which the axes in `kept` stay axes."""
    number = {axis: position for position, axis in enumerate(kept)}
    axes: list[Fixed | Along] = []
    for axis in view.axes:
        if isinstance(axis, Fixed):
            axes.append(axis)
            continue
        offset = along(builder, axis.offset, axis.stride, offsets[axis.axis])
        if axis.axis in number:
            axes.append(Along(number[axis.axis], offset, builder.mul(axis.stride, strides[axis.axis])))
        else:
            axes.append(Fixed(offset))
    return View(view.base, tuple(axes), tuple(sizes[axis] for axis in kept))


def transposed(view: View, permutation: Sequence[int]) -> View:
    """The array whose axis k is axis `permutation[k]` of `view`."""
    axes = tuple(
        axis if isinstance(axis, Fixed) else Along(permutation.index(axis.axis), axis.offset, axis.stride)
        for axis in view.axes
    )
    return View(view.base, axes, tuple(view.sizes[axis] for axis in permutation))


def reversed_axis(builder: Builder, view: View, which: int) -> View:
    """The array with one axis running backwards."""
    axes: list[Fixed | Along] = []
    for axis in view.axes:
        if isinstance(axis, Along) and axis.axis == which:
            last = builder.mul(axis.stride, builder.sub(view.sizes[which], 1))
            axes.append(Along(which, builder.add(axis.offset, last), builder.mul(axis.stride, -1)))
        else:
            axes.append(axis)
    return View(view.base, tuple(axes), view.sizes)
