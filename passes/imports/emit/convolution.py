"""Convolutions: patches of the input, one line each, times the kernel as a matrix.

Patches are joined from shifted slices. With one channel per group there is nothing to contract, and shifted products
are added up. Kernels with very many places, as convolutions that are derivatives have, read patches by index.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import product

from tapeless._mlir import arith, ir, tensor
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.imports.emit import scalars
from tapeless.passes.imports.emit.contraction import Contraction, contract
from tapeless.passes.imports.emit.elementwise import elementwise
from tapeless.passes.imports.emit.lazy import Lazy, Value, element_of, in_memory, reshaped, shape_of
from tapeless.passes.imports.emit.shapes import broadcast, concatenate, cut, reshape, reverse
from tapeless.passes.imports.emit.windows import Windows, padded
from tapeless.passes.ir.build import index, number

MOST_SLICES = 32


@dataclass(frozen=True)
class Convolution:
    """How windows move, which axes of the kernel are reversed, and how channels and batches are grouped."""

    windows: Windows
    reversed_axes: Sequence[int]
    feature_groups: int = 1
    batch_groups: int = 1


def convolve(image: Value, kernel: Value, how: Convolution) -> Value:
    """The image (batch, places, channels) with the kernel (places, channels, features): (batch, places, features)."""
    rank = len(shape_of(image)) - 2
    element = element_of(image)
    kernel = reverse(kernel, how.reversed_axes) if how.reversed_axes else kernel
    around = Windows(
        sizes=[1, *how.windows.sizes, 1],
        strides=[1, *how.windows.strides, 1],
        steps=[1, *how.windows.steps, 1],
        spread=[1, *how.windows.spread, 1],
        padding=[(0, 0), *how.windows.padding, (0, 0)],
    )
    image = padded(image, number(element, 0), around)
    if how.batch_groups > 1:
        return _grouped_by_batch(image, kernel, around, how.batch_groups, rank)
    channels, features = shape_of(kernel)[-2:]
    if how.feature_groups == 1:
        return _product(image, kernel, around)
    if channels == 1:
        return _by_channel(image, kernel, around, how.feature_groups)
    groups = how.feature_groups
    parts = [
        _product(
            _part(image, -1, group * channels, channels),
            _part(kernel, -1, group * (features // groups), features // groups),
            around,
        )
        for group in range(groups)
    ]
    return concatenate(parts, rank + 1)


def _grouped_by_batch(image: Value, kernel: Value, windows: Windows, groups: int, rank: int) -> Value:
    """Each part of the batch has features of its own."""
    batch, features = shape_of(image)[0] // groups, shape_of(kernel)[-1] // groups
    parts = [
        _product(_part(image, 0, group * batch, batch), _part(kernel, -1, group * features, features), windows)
        for group in range(groups)
    ]
    return concatenate(parts, rank + 1)


def _part(value: Value, axis: int, start: int, size: int) -> Value:
    shape = list(shape_of(value))
    axis %= len(shape)
    starts = [start if k == axis else 0 for k in range(len(shape))]
    return cut(value, starts, [size if k == axis else each for k, each in enumerate(shape)], [1] * len(shape))


def _product(image: Value, kernel: Value, windows: Windows) -> Value:
    """Patches times the kernel as a matrix."""
    *places, channels, features = shape_of(kernel)
    patches = _patches(image, windows)
    matrix = reshape(kernel, [math.prod(places) * channels, features])
    last = len(shape_of(patches)) - 1
    return contract(patches, matrix, Contraction((), (), [last], [0]), element_of(image))


def _patches(image: Value, windows: Windows) -> Value:
    """(batch, places, elements of a window)."""
    counts = windows.counts(shape_of(image))[:-1]
    channels = shape_of(image)[-1]
    offsets = math.prod(windows.sizes)
    if offsets <= MOST_SLICES:
        slices = [_shifted(image, offset, windows) for offset in product(*map(range, windows.sizes))]
        return concatenate(slices, len(counts)) if len(slices) > 1 else slices[0]
    array = in_memory(image)
    inner = windows.sizes[1:-1]

    def build(_: object, indices: Sequence[ir.Value]) -> ir.Value:
        batch, *rest = indices
        places, (*window, channel) = rest[: len(inner)], rest[len(inner) :]
        spots = [
            _spot(place, stride, offset, step)
            for place, stride, offset, step in zip(
                places, windows.strides[1:-1], window, windows.steps[1:-1], strict=True
            )
        ]
        return tensor.ExtractOp(array, [batch, *spots, channel]).result

    whole = Lazy((*counts, *inner, channels), element_of(image), (), build, cheap=False)
    return reshaped(in_memory(whole), [*counts, offsets * channels])


def _spot(place: ir.Value, stride: int, offset: ir.Value, step: int) -> ir.Value:
    moved = arith.MulIOp(offset, index(step)).result
    return arith.AddIOp(arith.MulIOp(place, index(stride)).result, moved).result


def _shifted(image: Value, offset: Sequence[int], windows: Windows) -> Value:
    """The elements at one place of all windows."""
    shape = shape_of(image)
    counts = [*windows.counts(shape)[:-1], shape[-1]]
    starts = [place * step for place, step in zip(offset, windows.steps, strict=True)]
    strides = [stride if count != 1 else 1 for stride, count in zip(windows.strides, counts, strict=True)]
    return cut(image, starts, counts, strides)


def _by_channel(image: Value, kernel: Value, windows: Windows, groups: int) -> Value:
    """Each channel with features of its own: shifted products, added up."""
    *sizes, _, features = shape_of(kernel)
    per_group = features // groups
    counts = windows.counts(shape_of(image))[:-1]
    shape = [*counts, groups, per_group]
    weights = reshape(kernel, [*sizes, groups, per_group])
    add, multiply = scalars.FUNCTIONS["add"], scalars.FUNCTIONS["multiply"]
    element = element_of(image)
    total: Value | None = None
    for offset in product(*map(range, windows.sizes)):
        part = _shifted(image, offset, windows)
        own = cut(weights, [*offset[1:-1], 0, 0], [*[1] * len(sizes), groups, per_group], [1] * (len(sizes) + 2))
        factor = broadcast(reshape(own, [groups, per_group]), shape, [len(counts), len(counts) + 1])
        term = elementwise(multiply, element, broadcast(part, shape, range(len(counts) + 1)), factor)
        total = term if total is None else elementwise(add, element, total, term)
    assert total is not None
    return reshape(in_memory(total), [*counts, features])
