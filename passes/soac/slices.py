"""Offsets, sizes and strides of `tensor.extract_slice` and `tensor.insert_slice`."""

from __future__ import annotations

from tapeless._mlir import ir

DYNAMIC = ir.ShapedType.get_dynamic_size()
FIELDS = ("static_offsets", "static_sizes", "static_strides")


def slice_offsets(op: ir.OpView) -> list[ir.Value | int]:
    """One offset per axis of the sliced array."""
    return _mixed(op, 0)


def slice_sizes(op: ir.OpView) -> list[ir.Value | int]:
    """One size per axis of the sliced array."""
    return _mixed(op, 1)


def slice_strides(op: ir.OpView) -> list[ir.Value | int]:
    """One stride per axis of the sliced array."""
    return _mixed(op, 2)


def slice_part(op: ir.OpView) -> ir.Value:
    """The small array: what is extracted or inserted."""
    return op.results[0] if op.operation.name == "tensor.extract_slice" else op.operands[0]


def kept_axes(op: ir.OpView) -> list[int]:
    """The axes of the sliced array that the small array keeps, in order (unit axes may be dropped)."""
    sizes = list(op.attributes["static_sizes"])
    shape = slice_part(op).type.shape
    kept: list[int] = []
    for axis, size in enumerate(sizes):
        must_keep = len(sizes) - axis == len(shape) - len(kept)
        if must_keep or size != 1 or (len(kept) < len(shape) and shape[len(kept)] == 1):
            kept.append(axis)
    return kept


def _mixed(op: ir.OpView, field: int) -> list[ir.Value | int]:
    segments = list(op.attributes["operandSegmentSizes"])
    leading = len(segments) - len(FIELDS)
    dynamic = iter(list(op.operands)[sum(segments[: leading + field]) :])
    return [next(dynamic) if size == DYNAMIC else size for size in op.attributes[FIELDS[field]]]
