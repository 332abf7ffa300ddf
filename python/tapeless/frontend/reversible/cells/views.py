"""Parts of cells as cells of their own: `rev.view`, or leading indices where an operation takes them."""

from __future__ import annotations

from tapeless._mlir import ir
from tapeless.dialects.groups import SEGMENTS
from tapeless.frontend.reversible.cells.cells import Place, cell_type
from tapeless.frontend.values import integers
from tapeless.frontend.values.builder import Builder


def as_cell(builder: Builder, place: Place) -> ir.Value:
    """The place as a cell of its own: the cell itself, or a view of a part."""
    if all(span.is_whole_of(size) for span, size in zip(place.spans, place.cell.dims, strict=True)):
        return place.cell.ssa
    rank, i64 = place.cell.rank, builder.types.i64
    groups = (
        [integers.index_value(builder, span.offset) for span in place.spans],
        [integers.index_value(builder, span.size) for span in place.spans],
        [builder.index(span.step) for span in place.spans],
    )
    dropped = [ir.IntegerAttr.get(i64, axis) for axis, span in enumerate(place.spans) if span.dropped]
    attributes = {
        "drop": ir.ArrayAttr.get(dropped),
        SEGMENTS: ir.DenseI32ArrayAttr.get([1, rank, rank, rank]),
    }
    operands = [place.cell.ssa, *(value for group in groups for value in group)]
    return builder.value("rev.view", cell_type(builder.types, place.cell.dtype, place.dims), operands, attributes)


def cell_and_indices(builder: Builder, place: Place) -> list[ir.Value]:
    """The place as a cell with leading indices, as `rev.accum` takes it."""
    leading = place.leading
    if leading is None:
        return [as_cell(builder, place)]
    return [place.cell.ssa, *(integers.index_value(builder, each) for each in leading)]
