"""Subscripts: `x[index]` of an array or a tuple."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from tapeless.errors import IndexOutOfRange
from tapeless.frontend.indexing import extraction, gathers, picks, selections
from tapeless.frontend.values.value import Tuple, Value

if TYPE_CHECKING:
    from tapeless.frontend.translator import Translator


def read(t: Translator, node: ast.Subscript) -> Value:
    """The value of `base[index]`."""
    base = t.evaluate(node.value)
    if isinstance(base, Tuple):
        return _tuple_item(t, base, node.slice)
    array = t.array(base, "what is indexed")
    parts = selections.items(t, node.slice)
    if picks.has_index_array(parts):
        return gathers.gather(t, array, parts)
    return extraction.select(t, array, selections.selection(t, array, parts))


def _tuple_item(t: Translator, value: Tuple, node: ast.expr) -> Value:
    position = t.constant(t.evaluate(node), "the index of a tuple") if not isinstance(node, ast.Slice) else None
    if position is None:
        raise t.error("a tuple cannot be sliced", "index it with a constant")
    if not -len(value.items) <= position < len(value.items):
        raise t.error(f"index {position} is out of range for a tuple of {len(value.items)}", None, IndexOutOfRange)
    return value.items[position]
