"""Scatters, writes at index arrays: `x[idx] = v`, `m[rows, cols] += v`, `m[:, idx] *= v`.

Of values written to one place the last stays, as in numpy. Updates add up, also those of one place: `x[idx] += v` is
`np.add.at(x, idx, v)`.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TYPE_CHECKING

from tapeless._mlir import ir
from tapeless.errors import ShapeMismatch, TypeMismatch
from tapeless.frontend.arrays import axes, creation, reshaping
from tapeless.frontend.arrays.whole_arrays import broadcast_to, filled
from tapeless.frontend.elementwise import functions
from tapeless.frontend.elementwise.application import apply, force
from tapeless.frontend.expressions import python_operators
from tapeless.frontend.indexing import gathers
from tapeless.frontend.indexing.insertion import check_storable, written
from tapeless.frontend.indexing.picks import Picks
from tapeless.frontend.indexing.selections import Selection
from tapeless.frontend.operators import folds, monoids, second_order
from tapeless.frontend.syntax import updates
from tapeless.frontend.values import bounds, integers
from tapeless.frontend.values.affine import Affine
from tapeless.frontend.values.value import Array, Leaf, Number, Pending, Scalar, integer, literal
from tapeless.types import i64

if TYPE_CHECKING:
    from tapeless.frontend.translator import Translator

Write = Callable[["Translator", Array, Array, Array], Array]


def stored(t: Translator, array: Array, picked: Picks, value: Number) -> Array:
    """The array with a value at the places that index arrays name."""
    check_storable(t, value, array)
    return _written(t, array, picked, value, _replaced)


def updated(t: Translator, array: Array, picked: Picks, operator: ast.operator, value: Number) -> Array:
    """The array with `op= value` at the places that index arrays name, for each time they are named."""
    if type(operator) not in _UPDATES:
        symbol = python_operators.BINARY[type(operator)].symbol if type(operator) in python_operators.BINARY else "@"
        raise t.error(
            f"'{symbol}=' of what an index array names, where one element may be named twice",
            f"write x[indices] = x[indices] {symbol} value, which changes each element once",
        )
    check_storable(t, value, array)
    if array.dtype.is_bool:
        raise t.error("an update of bools that an index array names", "use an array of integers", TypeMismatch)
    return _written(t, array, picked, value, _UPDATES[type(operator)])


def _written(t: Translator, array: Array, picked: Picks, value: Number, write: Write) -> Array:
    """Writes to rows of an array whose first axis is all axes that are named, and puts the axes back."""
    part = gathers.sliced(t, array, picked)
    order = (*picked.axes, *picked.rest(part))
    moved = axes.permuted(t, part, order)
    rest = moved.dims[len(picked.axes) :]
    rows = reshaping.reshaped(t, moved, (reshaping.product(t, moved.dims[: len(picked.axes)]), *rest))
    values = _values(t, picked, rest, value, array)
    new = write(t, rows, _keys(t, part, picked), values)
    moved = reshaping.reshaped(t, new, moved.dims)
    back = tuple(order.index(axis) for axis in range(part.rank))
    part = axes.permuted(t, moved, back)
    is_whole = all(span.is_whole_of(size) for span, size in zip(picked.slices.spans, array.dims, strict=True))
    return part if is_whole else written(t, array, Selection(picked.slices.spans, ()), part)


def _values(t: Translator, picked: Picks, rest: tuple[Affine, ...], value: Number, array: Array) -> Array:
    """The value broadcast to the selection of the index, as rows in the order of the keys."""
    count = len(picked.dims)
    dims = (*rest[: picked.place], *picked.dims, *rest[picked.place :])
    if not isinstance(value, Scalar) and value.rank > len(dims):
        raise t.error(
            f"an array of rank {value.rank} cannot be written to a part of rank {len(dims)}",
            "write an array of the shape of the part",
            ShapeMismatch,
        )
    whole = force(t, broadcast_to(t, value, dims, array.dtype))
    inner = [axis for axis in range(len(dims)) if not picked.place <= axis < picked.place + count]
    moved = axes.permuted(t, whole, (*range(picked.place, picked.place + count), *inner))
    return reshaping.reshaped(t, moved, (reshaping.product(t, picked.dims), *rest))


def _keys(t: Translator, part: Array, picked: Picks) -> Array:
    """For each element of the index arrays, the row it names."""
    location = t.builder.location

    def build(elements: dict[Leaf, ir.Value]) -> ir.Value:
        with t.builder.at(location):
            total = Affine(0)
            for axis, position in zip(picked.axes, picked.positions(elements), strict=True):
                total = bounds.product(t.builder, total, part.dims[axis]) + position
            return integers.integer_value(t.builder, total)

    keys = force(t, Pending(i64, picked.dims, picked.leaves, build))
    return reshaping.reshaped(t, keys, (reshaping.product(t, picked.dims),))


def _replaced(t: Translator, rows: Array, keys: Array, values: Array) -> Array:
    """Each row that is named becomes the last of its values."""
    if keys.dims[0] == Affine(1):
        return second_order.scatter(t, rows, keys, values)
    numbers = creation.iota(t, integer(keys.dims[0]))
    nobody = filled(t, rows.dims[:1], literal(-1), i64)
    last = folds.hist_leading(t, nobody, keys, numbers, monoids.MAXIMUM)
    seen = gathers.at_positions(t, last, keys)
    is_last = python_operators.compare(t, ast.Eq, seen, numbers)
    kept = apply(t, functions.FUNCTIONS["where"], is_last, keys, literal(-1))
    return second_order.scatter(t, rows, kept, values)


def _added(t: Translator, rows: Array, keys: Array, values: Array) -> Array:
    return folds.hist_leading(t, rows, keys, values, monoids.SUM)


def _subtracted(t: Translator, rows: Array, keys: Array, values: Array) -> Array:
    return _added(t, rows, keys, t.array(python_operators.negate(t, values)))


def _multiplied(t: Translator, rows: Array, keys: Array, values: Array) -> Array:
    return folds.hist_leading(t, rows, keys, values, monoids.PRODUCT)


def _extreme(monoid: monoids.Monoid) -> Write:
    return lambda t, rows, keys, values: folds.hist_leading(t, rows, keys, values, monoid)


_UPDATES: dict[type[ast.operator], Write] = {
    ast.Add: _added,
    ast.Sub: _subtracted,
    ast.Mult: _multiplied,
    updates.Maximum: _extreme(monoids.MAXIMUM),
    updates.Minimum: _extreme(monoids.MINIMUM),
}
