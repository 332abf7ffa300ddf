"""Expressions of procedures: names and subscripts read cells, at leading indices where the program has them."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from tapeless._mlir import ir
from tapeless.frontend.arrays import axes
from tapeless.frontend.expressions import atoms
from tapeless.frontend.indexing import extraction, gathers, selections, subscripts
from tapeless.frontend.indexing.selections import Selection
from tapeless.frontend.reversible import temporaries
from tapeless.frontend.reversible.cells import naming
from tapeless.frontend.reversible.cells.cells import Cell, Place, Temporary
from tapeless.frontend.reversible.cells.sizes import sized
from tapeless.frontend.reversible.cells.views import as_cell
from tapeless.frontend.reversible.numbers.number_values import exponential
from tapeless.frontend.values import integers, promotion
from tapeless.frontend.values.affine import Affine
from tapeless.frontend.values.value import Array, Number, Scalar, Value
from tapeless.number_types import is_log, read_as
from tapeless.types import ScalarType

if TYPE_CHECKING:
    from tapeless.frontend.reversible.translator import ProcedureTranslator


def name(t: ProcedureTranslator, node: ast.Name) -> Value:
    """The value of a cell or of a temporary; of other names as in functions."""
    found = t.named.get(node.id) if t.frame.find(node.id) is t.home else None
    if found is None:
        return atoms.name(t, node)
    if isinstance(found, Temporary):
        return temporaries.value(t, found, node)
    if isinstance(found, Cell):
        return whole(t, found, node)
    raise naming.no_cell(t, node, found)


def whole(t: ProcedureTranslator, cell: Cell, node: ast.AST) -> Scalar | Array:
    """The value of a cell."""
    if cell.constant is not None:
        return cell.constant
    return _value(t, cell, _whole(t, cell, node))


def subscript(t: ProcedureTranslator, node: ast.Subscript) -> Value:
    """A part of a cell; only that part is read where leading indices name it."""
    cell = _cell(t, node.value)
    if cell is None or not cell.rank:
        return subscripts.read(t, node)
    return _value(t, cell, _selected(t, cell, node))


def held_logarithm(t: ProcedureTranslator, node: ast.expr) -> Number | None:
    """The contents of a cell of log numbers, or of a part of it, where an expression names one."""
    cell = _cell(t, node.value if isinstance(node, ast.Subscript) else node)
    if cell is None or not is_log(cell.dtype):
        return None
    with t.at(node):
        return _selected(t, cell, node) if isinstance(node, ast.Subscript) and cell.rank else _whole(t, cell, node)


def _cell(t: ProcedureTranslator, node: ast.expr) -> Cell | None:
    return t.cell(node.id) if isinstance(node, ast.Name) and t.frame.find(node.id) is t.home else None


def _value(t: ProcedureTranslator, cell: Cell, held: Number) -> Number:
    """The value of a cell's contents."""
    return t.held(exponential(t, held)) if is_log(cell.dtype) else held


def _whole(t: ProcedureTranslator, cell: Cell, node: ast.AST) -> Scalar | Array:
    t.has_read(cell.whole(), node)
    return _read(t, cell.ssa, cell.dtype, cell.dims, [])


def _selected(t: ProcedureTranslator, cell: Cell, node: ast.Subscript) -> Number:
    parts = selections.items(t, node.slice)
    if any(isinstance(part, Array) for part in parts):
        return gathers.gather(t, _whole(t, cell, node), parts)
    selected = selections.selection(t, sized(cell), parts)
    if any(span.steps is not None for span in selected.spans):
        return extraction.select(t, t.array(_whole(t, cell, node)), selected)
    return _part(t, cell, selected, node)


def _part(t: ProcedureTranslator, cell: Cell, selected: Selection, node: ast.AST) -> Number:
    place = Place(cell, selected.spans)
    t.has_read(place, node)
    leading = place.leading
    if leading is None and t.is_inside_operator:
        return extraction.select(t, _read(t, cell.ssa, cell.dtype, cell.dims, []), selected)
    if leading is None:
        held = _read(t, as_cell(t.builder, place), cell.dtype, place.dims, [])
    else:
        held = _read(t, cell.ssa, cell.dtype, place.dims, leading)
    return _turned(t, held, selected)


def _turned(t: ProcedureTranslator, held: Scalar | Array, selected: Selection) -> Number:
    """The read value, with the axes reversed and added that a selection says."""
    kept = [span for span in selected.spans if not span.dropped]
    for axis, span in enumerate(kept):
        if span.is_reversed:
            held = axes.reversed_axis(t, held, axis)
    return extraction.with_new_axes(t, held, selected.new_axes) if selected.new_axes else held


def _read(
    t: ProcedureTranslator, cell: ir.Value, dtype: ScalarType, dims: tuple[Affine, ...], positions: list[Affine]
) -> Scalar | Array:
    """A `rev.read` at leading positions; `dims` are the sizes of its result."""
    builder, dtype = t.builder, read_as(dtype)
    operands = [cell, *(integers.index_value(builder, each) for each in positions)]
    result: ir.Type = builder.types.tensor(dtype, dims) if dims else builder.types.scalars[dtype]
    value = builder.value("rev.read", result, operands)
    return Array(dtype, dims, value) if dims else promotion.from_ssa(builder, value, dtype)
