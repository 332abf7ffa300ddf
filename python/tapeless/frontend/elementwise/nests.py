"""Nests of maps, one per axis, that compute the elements of an array."""

from __future__ import annotations

from collections.abc import Sequence

from tapeless._mlir import ir
from tapeless.dialects.groups import SEGMENTS
from tapeless.frontend.values.affine import Affine
from tapeless.frontend.values.builder import Builder
from tapeless.frontend.values.integers import index_value
from tapeless.frontend.values.value import Leaf, Pending


def nest(builder: Builder, pending: Pending, row: tuple[Affine, ...] = ()) -> ir.Value:
    """The maps of a pending array; its elements may be rows of given sizes."""
    return _nest(builder, pending, 0, {leaf: leaf.ssa for leaf in pending.leaves}, row)


def _nest(
    builder: Builder, pending: Pending, axis: int, values: dict[Leaf, ir.Value], row: tuple[Affine, ...]
) -> ir.Value:
    """The maps over this axis and all later ones; `values` holds the remaining part of each leaf."""
    inputs = [leaf for leaf in pending.leaves if axis in leaf.axes]
    elements = [element_type(builder, values[leaf].type) for leaf in inputs]
    with builder.region([builder.types.index, *elements]) as block:
        inner = values | dict(zip(inputs, list(block.arguments)[1:], strict=True))
        is_last = axis + 1 == len(pending.dims)
        result = pending.build(inner) if is_last else _nest(builder, pending, axis + 1, inner, row)
        builder.operation("soac.yield", [], [result])
    return map_operation(
        builder,
        pending.dims[axis],
        [values[leaf] for leaf in inputs],
        [builder.types.tensor(pending.dtype, (*pending.dims[axis:], *row))],
        block,
    ).result


def map_operation(
    builder: Builder, width: Affine, inputs: Sequence[ir.Value], results: Sequence[ir.Type], block: ir.Block
) -> ir.Operation:
    """A `soac.map` with a finished body."""
    sizes = {SEGMENTS: ir.DenseI32ArrayAttr.get([1, len(inputs), 0])}
    operands = [index_value(builder, width), *inputs]
    return builder.attach(builder.operation("soac.map", results, operands, sizes, regions=1), block)


def element_type(builder: Builder, tensor: ir.Type) -> ir.Type:
    """The type of an element, or row, of the leading axis."""
    shape = tensor.shape[1:]
    if not shape:
        return tensor.element_type
    return ir.RankedTensorType.get(shape, tensor.element_type, loc=builder.types.unknown)
