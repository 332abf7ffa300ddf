"""Slices that are nearly all of an array: a fixed number of elements is left out along each axis."""

from __future__ import annotations

from tapeless._mlir import ir
from tapeless.passes.ir.places import coverage
from tapeless.passes.ir.places.slices import remaining_axes, slice_sizes, slice_strides
from tapeless.passes.ir.sizes.expressions import Size
from tapeless.passes.ir.sizes.shapes import scalar_size
from tapeless.passes.lower.storage.aliasing import StoragePlan
from tapeless.passes.lower.storage.tree import Node


def covers_nearly_all(plan: StoragePlan, node: Node) -> bool:
    """Whether a slice leaves out only a fixed number of elements along each axis."""
    strides, sizes = slice_strides(node.op), slice_sizes(node.op)
    if any(stride != 1 for stride in strides) or len(remaining_axes(node.op)) < len(sizes):
        return False
    return all(is_nearly(plan, slice_size, plan.size(node.operands[1], k)) for k, slice_size in enumerate(sizes))


def is_nearly(plan: StoragePlan, part: ir.Value | int, whole: Size) -> bool:
    """Whether a size is another one less a number (at least zero)."""
    return coverage.is_nearly(part if isinstance(part, int) else scalar_size(part), whole, plan.is_same)
