"""Directions along single elements of an argument, pushed side by side: each moves only the readers of its element.

A function that picks the elements of a small argument apart (`theta[3]`, also in an unrolled loop) depends on each of
them in places of its own. Its Jacobian then needs no map over seeds in which most tangents are zero: every value has a
tangent for the elements it depends on and for no other.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from tapeless._mlir import ir, tensor
from tapeless.dialects.array_types import DYNAMIC
from tapeless.passes.ad.activity import Activity, edges_of
from tapeless.passes.ad.custom import body_of
from tapeless.passes.ir.build import dim, filled, index, is_array, number
from tapeless.passes.ir.constants import is_zero
from tapeless.passes.ir.costs import body_size
from tapeless.passes.ir.rows import insert_row
from tapeless.passes.ir.scopes import terminator
from tapeless.passes.ir.sizes.sizes import constant_int

MAX_ELEMENTS = 64
MAX_OPERATIONS = 6000
# Side by side pays when at most this part of all (statement, element) pairs moves.
MOVING_PART = 0.5
Direction = dict[ir.Value, ir.Value]


def separate_elements(function: ir.OpView, argument: ir.Value) -> list[Direction] | None:
    """One direction per element of an argument, or nothing when they do not go separate ways."""
    shape = argument.type.shape if is_array(argument) else []
    count = math.prod(shape) if DYNAMIC not in shape else 0
    reads = [use.owner for use in argument.uses]
    if not 1 < count <= MAX_ELEMENTS or not all(_is_constant_read(read, argument) for read in reads):
        return None
    groups: list[list[ir.Value]] = [[] for _ in range(count)]
    for read in reads:
        if read.operation.name == "tensor.extract":
            groups[_place(read, shape)].append(read.operation.results[0])
    if not _is_worth(function, groups):
        return None
    one = number(argument.type.element_type, 1.0)
    return [dict.fromkeys(group, one) for group in groups]


def _is_constant_read(read: ir.OpView, argument: ir.Value) -> bool:
    if read.operation.name == "tensor.dim":
        return True
    if read.operation.name != "tensor.extract":
        return False
    places = [constant_int(place) for place in list(read.operation.operands)[1:]]
    sizes = zip(places, argument.type.shape, strict=True)
    return all(place is not None and 0 <= place < size for place, size in sizes)


def _place(read: ir.OpView, shape: Sequence[int]) -> int:
    """The number of the element that is read, in row-major order."""
    position = 0
    for place, size in zip(list(read.operation.operands)[1:], shape, strict=True):
        position = position * size + (constant_int(place) or 0)
    return position


def _is_worth(function: ir.OpView, groups: Sequence[Sequence[ir.Value]]) -> bool:
    """Whether few enough statements move along each element."""
    block = body_of(function)
    edges, outputs = edges_of(block), terminator(block).operands
    everything = _moving_size(block, Activity(block, [v for group in groups for v in group], outputs, edges))
    moving = sum(_moving_size(block, Activity(block, group, outputs, edges)) for group in groups)
    return moving <= min(MAX_OPERATIONS, MOVING_PART * len(groups) * everything)


def _moving_size(block: ir.Block, activity: Activity) -> int:
    statements = [op for op in block.operations if activity.any(op.operation.results)]
    return sum(1 + sum(body_size(inner) for region in op.regions for inner in region.blocks) for op in statements)


def stacked(rows: Sequence[ir.Value]) -> ir.Value:
    """Tangents stacked along a new first axis; rows of zeros are filled at once."""
    first = rows[0]
    if not is_array(first):
        return tensor.FromElementsOp(ir.RankedTensorType.get([len(rows)], first.type), list(rows)).result
    type_ = ir.RankedTensorType.get([len(rows), *first.type.shape], first.type.element_type)
    sizes = [index(len(rows)), *(dim(first, axis) for axis in range(first.type.rank))]
    stack = filled(type_, sizes, number(type_.element_type, 0.0))
    for k, row in enumerate(rows):
        if not is_zero(row):
            stack = insert_row(stack, index(k), row)
    return stack
