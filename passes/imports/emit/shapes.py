"""Arrays made, moved and cut: constants, `iota`, broadcasts, reshapes, transposes, slices, joins and padding."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from tapeless._mlir import arith, ir, tensor
from tapeless.dialects import soac
from tapeless.dialects.array_types import array_type
from tapeless.passes.imports.emit import scalars
from tapeless.passes.imports.emit.lazy import (
    Lazy,
    Leaf,
    Value,
    element_of,
    forced,
    in_memory,
    remapped,
    reshaped,
    section,
    shape_of,
    split_starts,
)

Starts = Sequence[int | ir.Value]


def constant(attribute: ir.DenseElementsAttr) -> Value:
    """The elements of an attribute; those that are all equal are no array in memory."""
    shape, element = tuple(attribute.type.shape), attribute.type.element_type
    if 0 not in shape and attribute.is_splat:
        return remapped(arith.ConstantOp(element, attribute.get_splat_value()).result, shape, ())
    return arith.ConstantOp(attribute.type, attribute).result


def array_constant(array: np.ndarray, element: ir.Type) -> Value:
    """The elements of an array of numpy, which has numbers of the type."""
    return constant(ir.DenseElementsAttr.get(np.ascontiguousarray(array), type=element, shape=list(array.shape)))


def iota(shape: Sequence[int], axis: int, element: ir.Type) -> Lazy:
    """The array whose elements are their index along an axis."""
    i64 = ir.IntegerType.get_signless(64)

    def build(_: object, indices: Sequence[ir.Value]) -> ir.Value:
        if isinstance(element, ir.IntegerType) and element.width > 1:
            return arith.IndexCastOp(element, indices[axis]).result
        return scalars.convert(element)(arith.IndexCastOp(i64, indices[axis]).result)

    return Lazy(tuple(shape), element, (), build)


def broadcast(value: Value, shape: Sequence[int], axes: Sequence[int]) -> Value:
    """The array of a shape in which axis k of a value runs along `axes[k]`, or is stretched if its size is 1."""
    return remapped(forced(value), shape, axes) if shape else value


def reshape(value: Value, shape: Sequence[int]) -> Value:
    """The same elements in another shape; new and dropped axes of size 1 cost nothing."""
    old = shape_of(value)
    longer = [size for size in old if size != 1]
    if not shape:
        return in_memory(remapped(forced(value), (), [None] * len(old)))
    if longer != [size for size in shape if size != 1]:
        return reshaped(in_memory(value), shape)
    targets = iter([axis for axis, size in enumerate(shape) if size != 1])
    return remapped(forced(value), shape, [None if size == 1 else next(targets) for size in old])


def transpose(value: Value, order: Sequence[int]) -> Value:
    """The array whose axis k is axis `order[k]`."""
    shape = shape_of(value)
    places = {axis: place for place, axis in enumerate(order)}
    return remapped(forced(value), [shape[axis] for axis in order], [places[axis] for axis in range(len(shape))])


def reverse(value: Value, axes: Sequence[int]) -> Value:
    """The array with some axes in reverse order."""
    array = in_memory(value)
    i64 = ir.IntegerType.get_signless(64)
    for axis in axes:
        array = soac.ReverseOp(array, array.type, ir.IntegerAttr.get(i64, axis)).out
    return array


def cut(value: Value, starts: Starts, sizes: Sequence[int], steps: Sequence[int]) -> Value:
    """A part of an array; axes of size 1 of it cost nothing."""
    kept = [axis for axis, size in enumerate(sizes) if size != 1]
    dropped = [axis for axis, size in enumerate(sizes) if size == 1]
    source = forced(value)
    if source.leaves and not source.leaves[0].axes:
        return remapped(source.leaves[0].value, sizes, ())
    part = section(in_memory(source), starts, sizes, steps, dropped)
    leaf = Leaf(part, tuple(kept))
    return Lazy(tuple(sizes), element_of(value), (leaf,), lambda elements, _: elements[leaf])


def replaced(value: Value, part: Value, starts: Starts) -> ir.Value:
    """The array with a part of it replaced; axes of size 1 of the part need not be in memory."""
    array, sizes = in_memory(value), shape_of(part)
    longer = [axis for axis, size in enumerate(sizes) if size != 1]
    places = {axis: place for place, axis in enumerate(longer)}
    packed = remapped(forced(part), [sizes[axis] for axis in longer], [places.get(k) for k in range(len(sizes))])
    piece = in_memory(packed)
    if not longer:
        constants = [arith.ConstantOp(ir.IndexType.get(), at).result if isinstance(at, int) else at for at in starts]
        return tensor.InsertOp(piece, array, constants).result
    static, dynamic = split_starts(starts)
    return tensor.InsertSliceOp(piece, array, dynamic, [], [], static, list(sizes), [1] * len(sizes)).result


def concatenate(values: Sequence[Value], axis: int) -> Value:
    """Arrays one behind the other along an axis."""
    arrays = [in_memory(value) for value in values]
    arrays = [array for array in arrays if array.type.shape[axis]] or arrays[:1]
    if len(arrays) == 1:
        return arrays[0]
    shape = list(arrays[0].type.shape)
    shape[axis] = sum(array.type.shape[axis] for array in arrays)
    return tensor.ConcatOp(array_type(shape, arrays[0].type.element_type), axis, arrays).result


def pad(value: Value, filling: ir.Value, low: Sequence[int], high: Sequence[int], inner: Sequence[int]) -> Value:
    """The array with a number before, behind and between the elements of axes; negative amounts cut elements off."""
    old = shape_of(value)
    spread = [size + max(0, size - 1) * between for size, between in zip(old, inner, strict=True)]
    shape = [before + size + after for before, size, after in zip(low, spread, high, strict=True)]
    result = remapped(filling, shape, ())
    spans = [_visible(*each) for each in zip(old, low, (between + 1 for between in inner), shape, strict=True)]
    if any(count == 0 for _, count, _ in spans):
        return result
    firsts, counts, places = ([span[k] for span in spans] for k in range(3))
    part = in_memory(cut(value, firsts, counts, [1] * len(old)))
    steps = [between + 1 if count > 1 else 1 for between, count in zip(inner, counts, strict=True)]
    if counts == shape:
        return part
    return tensor.InsertSliceOp(part, in_memory(result), [], [], [], places, counts, steps).result


def _visible(size: int, low: int, step: int, length: int) -> tuple[int, int, int]:
    """Which elements of an axis are in the padded one: the first, how many, and the place of the first."""
    first = max(0, math.ceil(-low / step))
    last = min(size - 1, (length - 1 - low) // step)
    return first, max(0, last - first + 1), low + first * step
