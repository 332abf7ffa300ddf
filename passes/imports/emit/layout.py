"""Memory layouts of imported arrays: a transpose is a view, and elementwise results keep the layout of their operand.

Producers name axes in an order of their own (channels first, heads before tokens), and transpose around every
operation that has another one. A transpose that is taken back leaves nothing, and in between nobody asks for a copy.
"""

from __future__ import annotations

from collections.abc import Sequence

from tapeless._mlir import ir
from tapeless.dialects import soac
from tapeless.dialects.array_types import array_type
from tapeless.passes.ir.build import is_array

Order = tuple[int, ...]


def order_of(array: ir.Value) -> Order:
    """Of each axis, which one of the array in memory it is."""
    transpose = _transpose_of(array)
    if transpose is None:
        return tuple(range(array.type.rank)) if is_array(array) else ()
    return tuple(ir.IntegerAttr(each).value for each in transpose.attributes["permutation"])


def array_of(array: ir.Value) -> ir.Value:
    """The array in memory that an array is a transpose of, or itself."""
    transpose = _transpose_of(array)
    return array if transpose is None else transpose.operands[0]


def _transpose_of(array: ir.Value) -> ir.Operation | None:
    if isinstance(array, ir.BlockArgument) or array.owner.operation.name != soac.TransposeOp.OPERATION_NAME:
        return None
    return array.owner.operation


def inverse(order: Sequence[int]) -> list[int]:
    """The order that takes another one back."""
    return [order.index(axis) for axis in range(len(order))]


def without(order: Sequence[int], axes: Sequence[int]) -> list[int]:
    """The layout that an array has after some of its axes are removed."""
    kept = [order[axis] for axis in range(len(order)) if axis not in axes]
    return [sorted(kept).index(axis) for axis in kept]


def transposed(array: ir.Value, order: Sequence[int]) -> ir.Value:
    """Transposes an array, so that axis k is axis `order[k]`; transposes of transposes are composed."""
    if list(order) == list(range(len(order))):
        return array
    known, array = order_of(array), array_of(array)
    order = [known[axis] for axis in order]
    if order == list(range(len(order))):
        return array
    shape = array.type.shape
    type_ = array_type([shape[axis] for axis in order], array.type.element_type)
    i64 = ir.IntegerType.get_signless(64)
    permutation = ir.ArrayAttr.get([ir.IntegerAttr.get(i64, axis) for axis in order])
    return soac.TransposeOp(array, type_, permutation).out


def common_order(arrays: Sequence[ir.Value]) -> Order | None:
    """The order in which all of some arrays lie, unless that is the order of their axes."""
    orders = {order_of(array) for array in arrays}
    if len(orders) != 1:
        return None
    (order,) = orders
    return order if order != tuple(range(len(order))) else None
