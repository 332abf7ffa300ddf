"""Axes in another order, or in reverse: `transpose`, `reverse`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tapeless._mlir import ir
from tapeless.errors import ShapeMismatch
from tapeless.frontend.arrays import array_arguments
from tapeless.frontend.values.value import Array, Opaque, Tuple, Value

if TYPE_CHECKING:
    from tapeless.frontend.translator import Translator


def transpose(t: Translator, x: Value, axes: Value) -> Array:
    """Axes permuted, by default reversed."""
    array = t.array(x)
    if isinstance(axes, Opaque) and axes.value is None:
        return permuted(t, array, tuple(reversed(range(array.rank))))
    items = axes.items if isinstance(axes, Tuple) else (axes,)
    order = tuple(array_arguments.axis(t, item, array.rank, "an axis") for item in items)
    if sorted(order) != list(range(array.rank)):
        raise t.error(
            f"axes {order} are not a permutation of the axes of the array", "name every axis once", ShapeMismatch
        )
    return permuted(t, array, order)


def permuted(t: Translator, array: Array, order: tuple[int, ...]) -> Array:
    """The array whose axis k is axis `order[k]` of the given one."""
    if order == tuple(range(array.rank)):
        return array
    dims = tuple(array.dims[axis] for axis in order)
    i64_type = t.builder.types.i64
    permutation = ir.ArrayAttr.get([ir.IntegerAttr.get(i64_type, axis) for axis in order])
    result = t.builder.types.tensor(array.dtype, dims)
    ssa = t.builder.value("soac.transpose", result, [array.ssa], {"permutation": permutation})
    return Array(array.dtype, dims, ssa)


def reverse(t: Translator, x: Value, axis: Value) -> Array:
    array = t.array(x)
    return reversed_axis(t, array, array_arguments.axis(t, axis, array.rank))


def reversed_axis(t: Translator, array: Array, axis: int) -> Array:
    """One axis in reverse order."""
    attributes = {"axis": ir.IntegerAttr.get(t.builder.types.i64, axis)}
    ssa = t.builder.value("soac.reverse", array.ssa.type, [array.ssa], attributes)
    return Array(array.dtype, array.dims, ssa)
