"""Updates at places that are known when running.

A window of an update that is not wholly inside of the array is dropped, as XLA does it; of several updates of one
element, all count for an operator, and the last one counts where elements are replaced.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tapeless._mlir import arith, ir, tensor
from tapeless.dataclasses_on_use import dataclass
from tapeless.dialects import soac
from tapeless.passes.imports.emit import reductions, scalars
from tapeless.passes.imports.emit.elementwise import elementwise
from tapeless.passes.imports.emit.gather import Bounds, as_index, clamped_scalar
from tapeless.passes.imports.emit.lazy import Lazy, Value, element_of, forced, in_memory, remapped, reshaped, shape_of
from tapeless.passes.imports.emit.open_sizes import Shape, Size, minus, product, require_at_most, same, value_of
from tapeless.passes.imports.emit.regions import counted
from tapeless.passes.imports.emit.shapes import cut, iota, replaced, transpose
from tapeless.passes.ir.build import dim, filled, index, mapped, number, static_size

Operator = str | Callable[[ir.Value, ir.Value], ir.Value]
"""The name of an operator that is known, or a function of the old element and the update."""

Number = Callable[[dict[int, ir.Value], ir.Value], ir.Value]
"""The number of the place of an update, from the starts along axes and the number of the update itself."""


@dataclass(frozen=True)
class Scatter:
    """Where updates go.

    The axes `windows` of the updates run through windows of the array, whose axes `inserted` and `batching` have size
    1 there and are left out. Component k of a vector of starts is for axis `starts[k]` of the array, and in
    `bounds[k]`; axis `batching[k]` of the array goes along with axis `start_batching[k]` of the vectors.
    """

    windows: Sequence[int]
    inserted: Sequence[int]
    starts: Sequence[int]
    batching: Sequence[int] = ()
    start_batching: Sequence[int] = ()
    bounds: Sequence[Bounds | None] = ()
    unique: bool = False


@dataclass(frozen=True)
class Layout:
    """The axes of an array that windows run through, with the sizes of a window, and those they do not."""

    shape: Shape
    inside: Sequence[int]
    window: Shape
    outside: Sequence[int]

    @property
    def sizes(self) -> list[Size]:
        """The sizes of a window with all axes of the array."""
        found: list[Size] = [1] * len(self.shape)
        for axis, size in zip(self.inside, self.window, strict=True):
            found[axis] = size
        return found


def scatter(array: Value, starts: Sequence[Value], updates: Value, how: Scatter, operator: Operator | None) -> Value:
    """The array with updates combined into it by an operator, or in place of its elements for None."""
    shape, given = shape_of(array), shape_of(updates)
    gone = [*how.inserted, *how.batching]
    inside = [axis for axis in range(len(shape)) if axis not in gone]
    layout = Layout(shape, inside, [given[axis] for axis in how.windows], sorted(gone))
    for axis, size in zip(inside, layout.window, strict=True):
        require_at_most(size, shape[axis], "windows of size {} are written to an axis of size {}")
    batch = [size for axis, size in enumerate(given) if axis not in how.windows]
    order = [*(axis for axis in range(len(given)) if axis not in how.windows), *how.windows]
    pieces = transpose(updates, order) if given else updates
    places = _places(starts, how, batch)
    if product(batch) == 1:
        return _single(array, places, pieces, layout, how, operator)
    if any(size == 0 for size in given):
        return array
    is_known = operator is None or isinstance(operator, str)
    if is_known and all(same(size, shape[axis]) for size, axis in zip(layout.window, inside, strict=True)):
        return _by_rows(array, places, pieces, layout, how, operator)
    return _by_elements(array, places, pieces, layout, how, operator)


def _places(starts: Sequence[Value], how: Scatter, batch: Shape) -> dict[int, Value]:
    """The starts of windows along axes of the array, as far as they are given."""
    found = dict(zip(how.starts, starts, strict=True))
    for axis, along in zip(how.batching, how.start_batching, strict=True):
        found[axis] = iota(batch, along, ir.IntegerType.get_signless(64))
    return found


def _known(how: Scatter, axis: int, largest: Size) -> bool:
    """Whether starts along an axis are known to be in range."""
    if axis in how.batching:
        return True
    known = how.bounds[list(how.starts).index(axis)] if how.bounds else None
    return known is not None and known[0] >= 0 and isinstance(largest, int) and known[1] <= largest


def _index(start: ir.Value, how: Scatter, axis: int, largest: Size) -> ir.Value:
    """A start as `index`; computed anew in that type only if it is known not to overflow in its own."""
    return as_index(start) if _known(how, axis, largest) else arith.IndexCastOp(ir.IndexType.get(), start).result


def _inside(places: dict[int, ir.Value], layout: Layout, how: Scatter) -> ir.Value | None:
    """Whether a window with these starts is wholly inside of the array; None if it is known to be."""
    holds: ir.Value | None = None
    for axis, start in places.items():
        largest = minus(layout.shape[axis], layout.sizes[axis])
        if _known(how, axis, largest):
            continue
        if isinstance(largest, int):
            place, limit = start, number(start.type, min(largest, 2 ** (start.type.width - 1) - 1))
        else:
            place, limit = arith.IndexCastOp(ir.IndexType.get(), start).result, largest
        low = arith.CmpIOp(arith.CmpIPredicate.sge, start, number(start.type, 0)).result
        both = arith.AndIOp(low, arith.CmpIOp(arith.CmpIPredicate.sle, place, limit).result).result
        holds = both if holds is None else arith.AndIOp(holds, both).result
    return holds


def _single(
    array: Value, places: dict[int, Value], pieces: Value, layout: Layout, how: Scatter, operator: Operator | None
) -> Value:
    """One window is read, combined and written, so that loops do so in place."""
    starts = {axis: in_memory(remapped(place, (), [None] * len(shape_of(place)))) for axis, place in places.items()}
    holds = _inside(starts, layout, how)
    at: list[Size] = [0] * len(layout.shape)
    for axis, start in starts.items():
        largest = minus(layout.shape[axis], layout.sizes[axis])
        known = (0, largest) if isinstance(largest, int) and _known(how, axis, largest) else None
        at[axis] = clamped_scalar(start, largest, known)
    sizes = layout.sizes
    kept = [size for size in shape_of(pieces) if size != 1]
    targets = iter([axis for axis, size in enumerate(sizes) if size != 1])
    assert len(kept) == sum(size != 1 for size in sizes)
    axes = [None if size == 1 else next(targets) for size in shape_of(pieces)]
    piece: Value = remapped(forced(pieces), sizes, axes)
    if operator is None and holds is None:
        return replaced(array, piece, at)
    old = cut(array, at, sizes, [1] * len(sizes))
    function = scalars.OPERATORS[operator] if isinstance(operator, str) else operator

    def emit(before: ir.Value, update: ir.Value) -> ir.Value:
        after = update if function is None else function(before, update)
        return after if holds is None else scalars.select(holds, after, before)

    return replaced(array, elementwise(emit, element_of(array), old, piece), at)


def _linear(places: Sequence[tuple[Size, ir.Value]]) -> ir.Value:
    """The number of a place in row-major order, from sizes and indices."""
    total = index(0)
    for size, place in places:
        total = arith.AddIOp(arith.MulIOp(total, value_of(size)).result, place).result
    return total


def _keys(places: dict[int, Value], shape: Shape, number_of: Number, layout: Layout, how: Scatter) -> ir.Value:
    """The number of the place of each update, -1 where it is dropped, as a vector."""
    i64 = ir.IntegerType.get_signless(64)
    axes = list(places)

    def emit(*starts: ir.Value) -> ir.Value:
        *given, own = starts
        chosen = dict(zip(axes, given, strict=True))
        holds = _inside(chosen, layout, how)
        found = arith.IndexCastOp(i64, number_of(chosen, own)).result
        return found if holds is None else scalars.select(holds, found, number(i64, -1))

    whole = Lazy(
        tuple(shape), ir.IndexType.get(), (), lambda _, indices: _linear(list(zip(shape, indices, strict=True)))
    )
    spread = [remapped(place, shape, range(len(shape_of(place)))) for place in places.values()]
    return reshaped(in_memory(elementwise(emit, i64, *spread, whole)), [product(shape)])


def _by_rows(
    array: Value, places: dict[int, Value], pieces: Value, layout: Layout, how: Scatter, operator: Operator | None
) -> Value:
    """Windows that are whole rows of the array once the axes that they do not run through come first."""
    shape, outside = layout.shape, list(layout.outside)
    order = [*outside, *layout.inside]
    leading = [shape[axis] for axis in outside]
    rows = reshaped(in_memory(transpose(array, order)), [product(leading), *layout.window])
    batch = list(shape_of(pieces))[: len(shape_of(pieces)) - len(layout.window)]
    values = reshaped(in_memory(pieces), [product(batch), *layout.window])

    def number_of(chosen: dict[int, ir.Value], _: ir.Value) -> ir.Value:
        at = {
            axis: _index(start, how, axis, minus(shape[axis], 1)) for axis, start in chosen.items() if axis in outside
        }
        return _linear([(shape[axis], at.get(axis, index(0))) for axis in outside])

    keys = _keys(places, batch, number_of, layout, how)
    written = _written(rows, keys, values, how.unique, operator)
    moved = reshaped(written, [*leading, *layout.window])
    return transpose(moved, [order.index(axis) for axis in range(len(shape))])


def _by_elements(
    array: Value, places: dict[int, Value], pieces: Value, layout: Layout, how: Scatter, operator: Operator | None
) -> Value:
    """Windows that are parts of the array along some axis: every element of them has a place of its own."""
    shape, given = layout.shape, list(shape_of(pieces))
    batch = len(given) - len(layout.window)

    def number_of(chosen: dict[int, ir.Value], own: ir.Value) -> ir.Value:
        offsets = _split(own, given)[batch:]
        room = {axis: minus(size, window) for axis, (size, window) in enumerate(zip(shape, layout.sizes, strict=True))}
        at = {axis: _index(start, how, axis, room[axis]) for axis, start in chosen.items()}
        for axis, offset in zip(layout.inside, offsets, strict=True):
            at[axis] = arith.AddIOp(at[axis], offset).result if axis in at else offset
        return _linear([(size, at.get(axis, index(0))) for axis, size in enumerate(shape)])

    keys = _keys(places, given, number_of, layout, how)
    count = product(given)
    flat = reshaped(in_memory(array), [product(shape)])
    written = _written(flat, keys, reshaped(in_memory(pieces), [count]), how.unique, operator)
    return reshaped(written, shape)


def _split(own: ir.Value, shape: Shape) -> list[ir.Value]:
    """The indices of the element with a number in row-major order."""
    found: list[ir.Value] = []
    for size in reversed(shape):
        found.append(arith.RemUIOp(own, value_of(size)).result)
        own = arith.DivUIOp(own, value_of(size)).result
    return found[::-1]


def _written(rows: ir.Value, keys: ir.Value, values: ir.Value, unique: bool, operator: Operator | None) -> ir.Value:
    """Rows of an array with values at keys combined into them, or in their place."""
    width = dim(keys, 0)
    if callable(operator):
        return _one_by_one(rows, keys, values, operator)
    if operator is not None:
        return histogram(rows, keys, values, operator)
    if not unique:
        keys = _last_ones(keys, width, dim(rows, 0))
    return soac.ScatterOp(width, rows, keys, values, rows.type).out


def _one_by_one(
    array: ir.Value, keys: ir.Value, values: ir.Value, function: Callable[[ir.Value, ir.Value], ir.Value]
) -> ir.Value:
    """A vector with values at keys combined into it by a function that is not known, one after the other."""

    def step(position: ir.Value, state: Sequence[ir.Value]) -> list[ir.Value]:
        key = tensor.ExtractOp(keys, [position]).result
        zero = number(key.type, 0)
        at = arith.IndexCastOp(ir.IndexType.get(), arith.MaxSIOp(key, zero).result).result
        old = tensor.ExtractOp(state[0], [at]).result
        new = function(old, tensor.ExtractOp(values, [position]).result)
        is_inside = arith.CmpIOp(arith.CmpIPredicate.sge, key, zero).result
        return [tensor.InsertOp(scalars.select(is_inside, new, old), state[0], [at]).result]

    return counted(index(0), dim(keys, 0), index(1), [array], step)[0]


def histogram(rows: ir.Value, keys: ir.Value, values: ir.Value, operator: str) -> ir.Value:
    """Rows of an array with all values of their key combined into them by an operator that is known."""
    neutral = reductions.neutral_row(rows, operator)
    combine = reductions.on_rows(operator)
    body = soac.hist(dim(keys, 0), keys, [rows], [values], [neutral], lambda a, b: combine([a], [b]))
    return body.operation.results[0]


def _last_ones(keys: ir.Value, width: ir.Value, places: ir.Value) -> ir.Value:
    """The keys with -1 for those that a later one repeats."""
    i64 = ir.IntegerType.get_signless(64)
    numbers = in_memory(iota(shape_of(keys), 0, i64))
    nobody = filled(ir.RankedTensorType.get([static_size(places)], i64), [places], number(i64, -1))
    last = histogram(nobody, keys, numbers, "maximum")

    def kept(key: ir.Value, own: ir.Value) -> ir.Value:
        at = arith.IndexCastOp(ir.IndexType.get(), arith.MaxSIOp(key, number(i64, 0)).result).result
        is_last = arith.CmpIOp(arith.CmpIPredicate.eq, tensor.ExtractOp(last, [at]).result, own).result
        return scalars.select(is_last, key, number(i64, -1))

    return mapped(width, [keys, numbers], kept)
