"""Offsets, sizes and strides of `tensor.extract_slice` and `tensor.insert_slice`."""

from __future__ import annotations

from tapeless._mlir import ir
from tapeless.dialects.array_types import DYNAMIC
from tapeless.dialects.groups import SEGMENTS, numbers_of

FIELDS = ("static_offsets", "static_sizes", "static_strides")


def slice_offsets(op: ir.OpView) -> list[ir.Value | int]:
    """One offset per axis of the sliced array."""
    return slice_fields(op)[0]


def slice_sizes(op: ir.OpView) -> list[ir.Value | int]:
    """One size per axis of the sliced array."""
    return slice_fields(op)[1]


def slice_strides(op: ir.OpView) -> list[ir.Value | int]:
    """One stride per axis of the sliced array."""
    return slice_fields(op)[2]


def slice_fields(op: ir.OpView) -> list[list[ir.Value | int]]:
    """Offsets, sizes and strides, one of each per axis of the sliced array."""
    attributes, operands = op.attributes, op.operands
    segments = attributes[SEGMENTS]
    position = sum(segments[group] for group in range(len(segments) - len(FIELDS)))
    fields: list[list[ir.Value | int]] = []
    for name in FIELDS:
        field: list[ir.Value | int] = []
        for number in numbers_of(attributes[name]):
            if number == DYNAMIC:
                field.append(operands[position])
                position += 1
            else:
                field.append(number)
        fields.append(field)
    return fields


def slice_part(op: ir.OpView) -> ir.Value:
    """The small array that is extracted or inserted."""
    return op.results[0] if op.operation.name == "tensor.extract_slice" else op.operands[0]


def remaining_axes(op: ir.OpView) -> list[int]:
    """The axes of the sliced array that the small array keeps, in order (unit axes may be dropped)."""
    sizes = numbers_of(op.attributes["static_sizes"])
    shape = slice_part(op).type.shape
    kept: list[int] = []
    for axis, size in enumerate(sizes):
        must_keep = len(sizes) - axis == len(shape) - len(kept)
        if must_keep or size != 1 or (len(kept) < len(shape) and shape[len(kept)] == 1):
            kept.append(axis)
    return kept
