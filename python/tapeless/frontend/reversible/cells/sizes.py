"""Sizes of cells, `len(x)` and `x.shape`: they never change, and asking for them reads nothing."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from tapeless import lang
from tapeless.frontend.expressions import attributes, call_expressions
from tapeless.frontend.reversible.cells.cells import Cell
from tapeless.frontend.reversible.operators import called_operator
from tapeless.frontend.values.value import Array, Value
from tapeless.number_types import read_as

if TYPE_CHECKING:
    from tapeless.frontend.reversible.translator import ProcedureTranslator

ATTRIBUTES = frozenset({"shape", "ndim", "size", "dtype"})
OPERATORS = frozenset({lang.len, lang.zeros_like, lang.ones_like, lang.full_like})


def sized(cell: Cell) -> Array:
    """The sizes of an array for questions about them."""
    return Array(read_as(cell.dtype), cell.dims, cell.ssa)


def attribute(t: ProcedureTranslator, node: ast.Attribute) -> Value:
    """`x.shape` and its kin without reading x; other attributes as in functions."""
    cell = _array_cell(t, node.value) if node.attr in ATTRIBUTES else None
    return attributes.array_attribute(t, node.attr, sized(cell)) if cell else attributes.attribute(t, node)


def call(t: ProcedureTranslator, node: ast.Call) -> Value:
    """`len(x)`, `tl.zeros_like(x)` without reading x; other calls as in functions."""
    cell = _array_cell(t, node.args[0]) if len(node.args) == 1 and called_operator(t, node) in OPERATORS else None
    if cell is None:
        return call_expressions.call(t, node)
    return t.call(t.evaluate(node.func), [sized(cell)], {})


def _array_cell(t: ProcedureTranslator, node: ast.expr) -> Cell | None:
    if not isinstance(node, ast.Name) or t.frame.find(node.id) is not t.home:
        return None
    cell = t.cell(node.id)
    return cell if cell is not None and cell.rank else None
