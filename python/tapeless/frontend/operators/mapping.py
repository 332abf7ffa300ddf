"""Maps over the leading axis with any body: the ground for `tl.map` and for reductions along inner axes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from tapeless._mlir import ir
from tapeless.dialects.groups import RUNS_AT_FIRST
from tapeless.errors import TypeMismatch
from tapeless.frontend.arrays.axes import permuted
from tapeless.frontend.elementwise import broadcasting
from tapeless.frontend.elementwise.nests import map_operation
from tapeless.frontend.values import integers, promotion
from tapeless.frontend.values.affine import Affine
from tapeless.frontend.values.mixed_types import check_runs
from tapeless.frontend.values.value import KEPT, STRUCTURES, Array, Scalar, Value, describe, structured

if TYPE_CHECKING:
    from tapeless.frontend.translator import Translator


def map_rows(t: Translator, arrays: Sequence[Array], body: Callable[[list[Value]], Value]) -> Value:
    """The body on corresponding elements, or rows, of the leading axis; tuples give tuples of arrays."""
    builder = t.builder
    width = common_width(t, arrays)
    with builder.region([builder.types.index, *(element_type(t, array) for array in arrays)]) as block:
        elements = list(block.arguments)[1:]
        result = t.held(body([element_value(t, *pair) for pair in zip(arrays, elements, strict=True)]))
        leaves = list(_leaves(t, result))
        builder.operation("soac.yield", [], [ssa(t, leaf) for leaf in leaves])
    inner = [_inner_dims(t, leaf) for leaf in leaves]
    types = [_stacked_type(t, leaf, width, dims) for leaf, dims in zip(leaves, inner, strict=True)]
    check_runs(t, "the arrays of this map", [array.ssa.type for array in arrays], RUNS_AT_FIRST)
    check_runs(t, "the results of this map", types, RUNS_AT_FIRST)
    operation = map_operation(builder, width, [array.ssa for array in arrays], types, block)
    results = iter(
        _stacked(t, leaf, width, dims, ssa) for leaf, dims, ssa in zip(leaves, inner, operation.results, strict=True)
    )
    return _like(result, results)


def common_width(t: Translator, arrays: Sequence[Array]) -> Affine:
    """The size of the leading axis, which all arrays must have."""
    width = arrays[0].dims[0]
    for array in arrays[1:]:
        width = broadcasting.same_size(t, width, array.dims[0], 0)
    return width


def element_type(t: Translator, array: Array) -> ir.Type:
    """The type of an element, or row, of the leading axis."""
    if array.rank == 1:
        return t.builder.types.scalars[array.dtype]
    return t.builder.types.tensor(array.dtype, array.dims[1:])


def element_value(t: Translator, array: Array, element: ir.Value) -> Scalar | Array:
    """An element, or row, of an array as a value."""
    if array.rank == 1:
        return promotion.from_ssa(t.builder, element, array.dtype)
    return Array(array.dtype, array.dims[1:], element)


def _leaves(t: Translator, value: Value) -> list[Scalar | Array]:
    if isinstance(value, STRUCTURES):
        return [leaf for item in value.items for leaf in _leaves(t, item)]
    if isinstance(value, (Scalar, Array)):
        return [value]
    if isinstance(value, KEPT):
        return []
    raise t.error(f"the function returns {describe(value)}", "return numbers, arrays or tuples of them", TypeMismatch)


def _like(value: Value, results: Iterator[Array]) -> Value:
    """The results in the structure of a value."""
    if isinstance(value, STRUCTURES):
        return structured(value.node, [_like(item, results) for item in value.items])
    return value if isinstance(value, KEPT) else next(results)


def ssa(t: Translator, leaf: Scalar | Array) -> ir.Value:
    """A number or an array as an SSA value."""
    return promotion.ssa(t.builder, leaf) if isinstance(leaf, Scalar) else leaf.ssa


def _inner_dims(t: Translator, leaf: Scalar | Array) -> list[Affine | None]:
    if isinstance(leaf, Scalar):
        return []
    return [size if integers.is_available(t.builder, size) else None for size in leaf.dims]


def _stacked_type(t: Translator, leaf: Scalar | Array, width: Affine, dims: Sequence[Affine | None]) -> ir.Type:
    shape = [size.constant if size and size.is_constant else t.builder.types.dynamic for size in (width, *dims)]
    return ir.RankedTensorType.get(shape, t.builder.types.scalars[leaf.dtype], loc=t.builder.types.unknown)


def _stacked(t: Translator, leaf: Scalar | Array, width: Affine, dims: Sequence[Affine | None], ssa: ir.Value) -> Array:
    inner = (size or integers.size_of(t.builder, ssa, axis) for axis, size in enumerate(dims, start=1))
    return Array(leaf.dtype, (width, *inner), ssa)


def along_axis(t: Translator, array: Array, axis: int, body: Callable[[Array], Value]) -> Value:
    """The body on every line of the array along an axis; its result takes the place of the line, as last axes."""
    order = (*(each for each in range(array.rank) if each != axis), axis)
    return _lines(t, permuted(t, array, order), body)


def _lines(t: Translator, array: Array, body: Callable[[Array], Value]) -> Value:
    if array.rank == 1:
        return body(array)
    return map_rows(t, [array], lambda rows: _lines(t, rows[0], body))


def back_to_axis(t: Translator, value: Value, axis: int) -> Array:
    """An array whose last axis belongs at a given place."""
    array = t.array(value)
    order = list(range(array.rank - 1))
    order.insert(axis, array.rank - 1)
    return permuted(t, array, tuple(order))
