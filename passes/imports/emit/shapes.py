"""Arrays made, moved and cut: constants, `iota`, broadcasts, reshapes, transposes, slices, joins and padding."""

from __future__ import annotations

from collections.abc import Sequence

from tapeless._mlir import arith, ir, tensor
from tapeless.dialects import soac
from tapeless.passes.imports.emit import open_sizes, scalars
from tapeless.passes.imports.emit.layout import array_of, inverse, order_of, transposed
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
    split,
)
from tapeless.passes.imports.emit.open_sizes import Shape, Size, all_same, is_open, larger, minus, plus, quotient, times
from tapeless.passes.ir.build import cast_to, index


def constant(attribute: ir.DenseElementsAttr) -> Value:
    """The elements of an attribute; those that are all equal are no array in memory."""
    shape, element = tuple(attribute.type.shape), attribute.type.element_type
    if 0 not in shape and attribute.is_splat:
        return remapped(arith.ConstantOp(element, attribute.get_splat_value()).result, shape, ())
    return arith.ConstantOp(attribute.type, attribute).result


def iota(shape: Shape, axis: int, element: ir.Type) -> Lazy:
    """The array whose elements are their index along an axis."""
    i64 = ir.IntegerType.get_signless(64)

    def build(_: object, indices: Sequence[ir.Value]) -> ir.Value:
        if isinstance(element, ir.IntegerType) and element.width > 1:
            return arith.IndexCastOp(element, indices[axis]).result
        return scalars.convert(element)(arith.IndexCastOp(i64, indices[axis]).result)

    return Lazy(tuple(shape), element, (), build)


def broadcast(value: Value, shape: Shape, axes: Sequence[int]) -> Value:
    """The array of a shape in which axis k of a value runs along `axes[k]`, or is stretched if its size is 1."""
    if not shape:
        return value
    pairs = list(zip(shape_of(value), axes, strict=True))
    fitting = [size == 1 or open_sizes.same(size, shape[axis]) for size, axis in pairs]
    source = forced(value) if all(fitting) else _stretched(value, [shape[axis] for axis in axes], fitting)
    return remapped(source, shape, axes)


def _stretched(value: Value, shape: Shape, fitting: Sequence[bool]) -> Value:
    """The array of a shape, which reads axes that do not fit at 0 if their size turns out to be 1."""
    array, old = in_memory(value), shape_of(value)
    stretches: dict[int, ir.Value] = {}
    for axis, (size, wanted) in enumerate(zip(old, shape, strict=True)):
        if not fitting[axis]:
            one, own = open_sizes.value_of(size), open_sizes.value_of(wanted)
            stretches[axis] = scalars.equals(one, 1)
            equal = arith.CmpIOp(open_sizes.EQUAL, one, own).result
            either = arith.OrIOp(stretches[axis], equal).result
            open_sizes.require(either, [one, own], "an axis of size {} is stretched to {}, and is not 1")

    def build(_: object, indices: Sequence[ir.Value]) -> ir.Value:
        places = [
            scalars.select(stretches[axis], index(0), place) if axis in stretches else place
            for axis, place in enumerate(indices)
        ]
        at = [index(0) if old[axis] == 1 else place for axis, place in enumerate(places)]
        return tensor.ExtractOp(array, at).result

    kept = [1 if size == 1 else wanted for size, wanted in zip(old, shape, strict=True)]
    return forced(Lazy(tuple(kept), element_of(value), (), build, cheap=False))


def reshape(value: Value, shape: Shape) -> Value:
    """The same elements in another shape; new and dropped axes of size 1 cost nothing."""
    old = shape_of(value)
    longer = [size for size in old if size != 1]
    if not shape:
        for size in longer:
            open_sizes.require_same(size, 1, "an axis of size {} is made a number, and should have size {}")
        return in_memory(remapped(forced(value), (), [None] * len(old)))
    if not all_same(longer, [size for size in shape if size != 1]):
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


def cut(value: Value, starts: Shape, sizes: Shape, steps: Sequence[int]) -> Value:
    """A part of an array; axes of size 1 of it cost nothing."""
    kept = [axis for axis, size in enumerate(sizes) if size != 1]
    dropped = [axis for axis, size in enumerate(sizes) if size == 1]
    source = forced(value)
    if source.leaves and not source.leaves[0].axes:
        return remapped(source.leaves[0].value, sizes, ())
    part = section(in_memory(source), starts, sizes, steps, dropped)
    leaf = Leaf(part, tuple(kept))
    return Lazy(tuple(sizes), element_of(value), (leaf,), lambda elements, _: elements[leaf])


def replaced(value: Value, part: Value, starts: Shape) -> ir.Value:
    """The array with a part of it replaced; axes of size 1 of the part need not be in memory."""
    array, sizes = in_memory(value), shape_of(part)
    longer = [axis for axis, size in enumerate(sizes) if size != 1]
    places = {axis: place for place, axis in enumerate(longer)}
    packed = remapped(forced(part), [sizes[axis] for axis in longer], [places.get(k) for k in range(len(sizes))])
    piece = in_memory(packed)
    if not longer:
        constants = [arith.ConstantOp(ir.IndexType.get(), at).result if isinstance(at, int) else at for at in starts]
        return tensor.InsertOp(piece, array, constants).result
    return inserted(piece, array, starts, sizes, [1] * len(sizes))


def inserted(piece: ir.Value, array: ir.Value, starts: Shape, sizes: Shape, steps: Sequence[int]) -> ir.Value:
    """The array with a piece of it, whose axes of size 1 may be left out, in another's place."""
    if 0 in sizes:
        return array
    static, dynamic = split(starts)
    lengths, open_lengths = split(sizes)
    return tensor.InsertSliceOp(piece, array, dynamic, open_lengths, [], static, lengths, list(steps)).result


def concatenate(values: Sequence[Value], axis: int) -> Value:
    """Arrays one behind the other along an axis."""
    values = [value for value in values if shape_of(value)[axis] != 0] or values[:1]
    if len(values) == 1:
        return values[0]
    shapes = [shape_of(value) for value in values]
    others = open_sizes.agreed([[*shape[:axis], *shape[axis + 1 :]] for shape in shapes])
    own = open_sizes.total(shape[axis] for shape in shapes)
    arrays = [_typed(in_memory(value), others, axis) for value in values]
    type_ = open_sizes.type_of([*others[:axis], own, *others[axis:]], element_of(values[0]))
    return tensor.ConcatOp(type_, axis, arrays).result


def _typed(array: ir.Value, others: Shape, axis: int) -> ir.Value:
    """The array with a type that has the known sizes of its other axes."""
    own = array.type.shape[axis]
    known = open_sizes.type_of(others, array.type.element_type).shape if others else []
    return cast_to(ir.RankedTensorType.get([*known[:axis], own, *known[axis:]], array.type.element_type), array)


def pad(value: Value, filling: ir.Value, low: Shape, high: Shape, inner: Sequence[int]) -> Value:
    """The array with a number before, behind and between the elements of axes; negative amounts cut elements off."""
    old = shape_of(value)
    spread = [
        plus(size, times(larger(minus(size, 1), 0), gap)) if gap else size for size, gap in zip(old, inner, strict=True)
    ]
    shape = [plus(plus(before, size), after) for before, size, after in zip(low, spread, high, strict=True)]
    spans = [_visible(*each) for each in zip(old, low, high, (gap + 1 for gap in inner), shape, strict=True)]
    if any(count == 0 for _, count, _ in spans):
        return remapped(filling, shape, ())
    firsts, counts, places = ([span[k] for span in spans] for k in range(3))
    part = in_memory(cut(value, firsts, counts, [1] * len(old)))
    steps = [gap + 1 if is_open(count) or count > 1 else 1 for gap, count in zip(inner, counts, strict=True)]
    if all_same(counts, shape):
        return part
    order = order_of(part)
    given = ([each[axis] for axis in inverse(order)] for each in (shape, places, counts, steps))
    return transposed(_surrounded(array_of(part), filling, *given), order)


def _surrounded(part: ir.Value, filling: ir.Value, shape: Shape, *place: Sequence[Size]) -> ir.Value:
    return inserted(part, in_memory(remapped(filling, shape, ())), *place)


def _visible(size: Size, low: Size, high: Size, step: int, length: Size) -> tuple[Size, Size, Size]:
    """Which elements of an axis are in the padded one: the first, how many, and the place of the first."""
    if isinstance(low, int) and isinstance(high, int) and low >= 0 and high >= 0:
        return 0, size, low
    first = larger(minus(0, quotient(low, step)), 0)
    last = open_sizes.smaller(minus(size, 1), quotient(minus(minus(length, 1), low), step))
    return first, larger(plus(minus(last, first), 1), 0), plus(low, times(first, step))
