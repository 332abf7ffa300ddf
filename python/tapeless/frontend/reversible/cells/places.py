"""Targets of statements: the cell, or the part of one, that a target names."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from tapeless.frontend.indexing import selections
from tapeless.frontend.reversible.cells import naming
from tapeless.frontend.reversible.cells.cells import Cell, Place
from tapeless.frontend.reversible.cells.sizes import sized
from tapeless.frontend.values.value import Array

if TYPE_CHECKING:
    from tapeless.frontend.reversible.translator import ProcedureTranslator


def place_of(t: ProcedureTranslator, node: ast.expr) -> Place:
    """The place that a target names; the reads of its indices must not be changed by the statement."""
    with t.at(node), t.watched() as effects:
        place = _place(t, node)
    t.index_reads += effects.reads
    return place


def _place(t: ProcedureTranslator, node: ast.expr) -> Place:
    if isinstance(node, ast.Name):
        return cell_of(t, node).whole()
    if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name):
        return _part(t, cell_of(t, node.value), node)
    raise t.refusal(node, "this names no cell", "change a cell 'y', or a part of one such as 'y[i]' or 'y[:, j]'")


def cell_of(t: ProcedureTranslator, node: ast.Name) -> Cell:
    """The live cell that a name stands for."""
    found = t.named.get(node.id)
    if isinstance(found, Cell):
        return found
    raise naming.no_cell(t, node, found)


def _part(t: ProcedureTranslator, cell: Cell, node: ast.Subscript) -> Place:
    if not cell.rank:
        raise t.error(f"'{cell.name}' is a scalar and has no elements", f"write '{cell.name}' alone")
    parts = selections.items(t, node.slice)
    if any(isinstance(part, Array) for part in parts):
        raise t.error("elements named by an index array cannot be changed at once", "write a loop over the index array")
    selected = selections.selection(t, sized(cell), parts)
    if selected.new_axes:
        raise t.error("a new axis cannot be changed", "leave None out of the index")
    if any(span.is_reversed for span in selected.spans):
        raise t.error("a part in reverse order cannot be changed", "reverse the other side: 'y += x[::-1]'")
    if any(span.steps is not None for span in selected.spans):
        raise t.error("a part with a step that is known when running cannot be changed", "write a loop over the part")
    return Place(cell, selected.spans)
