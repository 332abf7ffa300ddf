"""Arrays that are read element by element: broadcasts, fills and elementwise work that is not in memory yet.

Leaves are SSA values, each with the axes of the array along which its own axes run; an axis that no leaf runs along
costs nothing. Axes of size 1 are no axes of leaves, so that `6x1` and `6` are the same memory.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

from tapeless._mlir import ir, tensor
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.imports.emit.layout import array_of, common_order, inverse, order_of, transposed, without
from tapeless.passes.imports.emit.open_sizes import (
    Shape,
    Size,
    all_same,
    open_ones,
    product,
    require_same,
    shape_of_array,
    type_of,
    value_of,
)
from tapeless.passes.ir.build import cast_to, element_type, index, is_array, map_, number


@dataclass(frozen=True, eq=False)
class Leaf:
    """An SSA value, and the axis of the whole along which each of its axes runs; these increase."""

    value: ir.Value
    axes: tuple[int, ...]


Elements = Mapping[Leaf, ir.Value]
Build = Callable[[Elements, Sequence[ir.Value]], ir.Value]


@dataclass(frozen=True, eq=False)
class Lazy:
    """An array of which `build(elements of leaves, indices)` makes an element.

    It is `cheap` if that takes no arithmetic; `depth` is how many operations deep an element is.
    """

    shape: tuple[Size, ...]
    element: ir.Type
    leaves: tuple[Leaf, ...]
    build: Build
    cheap: bool = True
    depth: int = 0


Value: TypeAlias = "ir.Value | Lazy"


def shape_of(value: Value) -> tuple[Size, ...]:
    """The sizes of a value; a scalar has none."""
    return value.shape if isinstance(value, Lazy) else shape_of_array(value)


def rank_of(value: Value) -> int:
    """How many axes a value has."""
    if isinstance(value, Lazy):
        return len(value.shape)
    return value.type.rank if is_array(value) else 0


def element_of(value: Value) -> ir.Type:
    """The type of the elements of a value."""
    return value.element if isinstance(value, Lazy) else element_type(value.type)


def lazy(value: Value) -> Lazy:
    """A value as an array that is read element by element."""
    if isinstance(value, Lazy):
        return value
    shape = shape_of(value)
    leaf = Leaf(value, tuple(range(len(shape))))
    return Lazy(shape, element_of(value), (leaf,), lambda elements, _: elements[leaf])


def remapped(value: Value, shape: Shape, axes: Sequence[int | None]) -> Lazy:
    """The array of another shape in which axis k of a value is axis `axes[k]`; axes of size 1 may be left out.

    Axes of size 1 are dropped and may be stretched; all others keep their size.
    """
    old = lazy(value)
    targets = [None if size == 1 else axis for size, axis in zip(old.shape, axes, strict=True)]
    pairs = {leaf: _moved(leaf, targets) for leaf in old.leaves}

    def build(elements: Elements, indices: Sequence[ir.Value]) -> ir.Value:
        before = [index(0) if target is None else indices[target] for target in targets]
        return old.build({leaf: elements[new] for leaf, new in pairs.items()}, before)

    return Lazy(tuple(shape), old.element, tuple(pairs.values()), build, old.cheap, old.depth)


def _moved(leaf: Leaf, targets: Sequence[int | None]) -> Leaf:
    """The leaf without its axes of size 1, and with its axes in the order in which they are run through."""
    axes = [targets[axis] for axis in leaf.axes]
    value = squeezed(leaf.value, [k for k, axis in enumerate(axes) if axis is None])
    kept = [axis for axis in axes if axis is not None]
    order = sorted(range(len(kept)), key=lambda k: kept[k])
    return Leaf(transposed(value, order), tuple(kept[k] for k in order))


def squeezed(array: ir.Value, axes: Sequence[int]) -> ir.Value:
    """The array without some axes of size 1; a scalar if none are left."""
    if not axes:
        return array
    shape = shape_of_array(array)
    if len(axes) == len(shape):
        return tensor.ExtractOp(array, [index(0) for _ in shape]).result
    return section(array, [0] * len(shape), shape, [1] * len(shape), axes)


def section(
    array: ir.Value,
    starts: Shape,
    sizes: Shape,
    steps: Sequence[int],
    dropped: Sequence[int] = (),
) -> ir.Value:
    """A part of an array without some axes of size 1; a scalar if none are left. Starts are numbers or `index`."""
    order = order_of(array)
    if array_of(array) != array:
        back = inverse(order)
        starts, sizes = ([each[axis] for axis in back] for each in (starts, sizes))
        part = section(
            array_of(array), starts, sizes, [steps[axis] for axis in back], [order[each] for each in dropped]
        )
        return transposed(part, without(order, dropped)) if is_array(part) else part
    if len(dropped) == len(sizes):
        return tensor.ExtractOp(array, [index(start) if isinstance(start, int) else start for start in starts]).result
    type_ = type_of([size for axis, size in enumerate(sizes) if axis not in dropped], array.type.element_type)
    if 0 in sizes or 0 in array.type.shape:  # MLIR knows no slice of an axis without elements
        kept = [size for axis, size in enumerate(sizes) if axis not in dropped]
        return tensor.SplatOp(type_, number(array.type.element_type, 0), open_ones(kept)).result
    static, dynamic = split(starts)
    lengths, open_lengths = split(sizes)
    is_whole = not dropped and not dynamic and not any(static) and all(step == 1 for step in steps)
    if is_whole and type_ == array.type and (not open_lengths or all_same(sizes, shape_of_array(array))):
        return array
    return tensor.ExtractSliceOp(type_, array, dynamic, open_lengths, [], static, lengths, list(steps)).result


def split(numbers: Shape) -> tuple[list[int], list[ir.Value]]:
    """Starts, or sizes, as slices have them: constants with a mark for those known when running, and these."""
    mark = ir.ShapedType.get_dynamic_stride_or_offset()
    return [each if isinstance(each, int) else mark for each in numbers], open_ones(numbers)


def forced(value: Value) -> Lazy:
    """The same array with its elements in memory, so that reading one takes no arithmetic."""
    array = lazy(value)
    if array.cheap:
        return array
    longer = [axis for axis, size in enumerate(array.shape) if size != 1]
    places = {axis: place for place, axis in enumerate(longer)}
    packed = remapped(array, [array.shape[axis] for axis in longer], [places.get(k) for k in range(len(array.shape))])
    leaf = Leaf(nest(packed), tuple(longer))
    return Lazy(array.shape, array.element, (leaf,), lambda elements, _: elements[leaf])


def nest(array: Lazy) -> ir.Value:
    """Maps, one per axis, that make all elements; these may be rows.

    Where all that has every axis lies in another order in memory, the elements do so, too.
    """
    rank = len(array.shape)
    order = common_order([leaf.value for leaf in array.leaves if len(leaf.axes) == rank])
    if order is None:
        return _nest(array, {leaf: leaf.value for leaf in array.leaves}, [])
    moved = remapped(array, [array.shape[axis] for axis in inverse(order)], order)
    return transposed(_nest(moved, {leaf: leaf.value for leaf in moved.leaves}, []), order)


def _nest(array: Lazy, values: dict[Leaf, ir.Value], indices: list[ir.Value]) -> ir.Value:
    axis = len(indices)
    if axis == len(array.shape):
        return array.build(values, indices)
    inputs = [leaf for leaf in array.leaves if axis in leaf.axes]

    def body(position: ir.Value, rows: Sequence[ir.Value], _: Sequence[ir.Value]) -> tuple[list[ir.Value], list]:
        inside = values | dict(zip(inputs, rows, strict=True))
        return [_nest(array, inside, [*indices, position])], []

    return map_(value_of(array.shape[axis]), [values[leaf] for leaf in inputs], [], body)[0][0]


def in_memory(value: Value) -> ir.Value:
    """The value as SSA: a tensor with all its axes, or a scalar."""
    if not isinstance(value, Lazy):
        return value
    array = forced(value)
    type_ = type_of(array.shape, array.element) if array.shape else array.element
    if len(array.leaves) == 1 and rank_of((alone := array.leaves[0]).value) == len(array.shape):
        return cast_to(type_, alone.value)
    if len(array.leaves) == 1 and not array.leaves[0].axes and not is_array(array.leaves[0].value):
        return tensor.SplatOp(type_, array.leaves[0].value, open_ones(array.shape)).result
    longer = [axis for axis, size in enumerate(array.shape) if size != 1]
    if len(longer) == len(array.shape):
        return nest(array)
    packed = [array.shape[axis] for axis in longer]
    places = {axis: place for place, axis in enumerate(longer)}
    return reshaped(in_memory(remapped(array, packed, [places.get(k) for k in range(len(array.shape))])), array.shape)


def reshaped(value: ir.Value, shape: Shape) -> ir.Value:
    """The same elements in row-major order in another shape; a scalar for none, and from one."""
    old = shape_of_array(value)
    if not all_same(old, shape):
        require_same(product(old), product(shape), "{} elements are reshaped to {}")
    if not is_array(value):
        return value if not shape else tensor.SplatOp(type_of(shape, value.type), value, open_ones(shape)).result
    if all_same(old, shape):
        return cast_to(type_of(shape, value.type.element_type), value)
    if not shape:
        return squeezed(value, range(value.type.rank))
    vector = type_of([len(shape)], ir.IndexType.get())
    sizes = tensor.FromElementsOp(vector, [value_of(size) for size in shape]).result
    return tensor.ReshapeOp(type_of(shape, value.type.element_type), value, sizes).result
