"""Subscripts: `x[index]` of an array or a structure."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from tapeless.frontend.indexing import extraction, gathers, picks, selections
from tapeless.frontend.structures import entries
from tapeless.frontend.values.value import STRUCTURES, Value

if TYPE_CHECKING:
    from tapeless.frontend.translator import Translator


def read(t: Translator, node: ast.Subscript) -> Value:
    """The value of `base[index]`."""
    base = t.evaluate(node.value)
    if isinstance(base, STRUCTURES):
        return entries.item_of(t, base, node)
    array = t.array(base, "what is indexed")
    parts = selections.items(t, node.slice)
    if picks.has_index_array(parts):
        return gathers.gather(t, array, parts)
    return extraction.select(t, array, selections.selection(t, array, parts))
