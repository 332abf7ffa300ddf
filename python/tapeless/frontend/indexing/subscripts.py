"""Subscripts: `x[index]` of an array or a structure."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import TYPE_CHECKING

from tapeless.errors import TypeMismatch
from tapeless.frontend.indexing import extraction, gathers, picks, selections
from tapeless.frontend.structures import entries
from tapeless.frontend.values.value import STRUCTURES, Rows, Scalar, Value

if TYPE_CHECKING:
    from tapeless.frontend.translator import Translator


def read(t: Translator, node: ast.Subscript) -> Value:
    """The value of `base[index]`."""
    base = t.evaluate(node.value)
    if isinstance(base, STRUCTURES):
        return entries.item_of(t, base, node)
    array = base.array if isinstance(base, Rows) else t.array(base, "what is indexed")
    parts = selections.items(t, node.slice)
    if isinstance(base, Rows):
        return _item(t, base, node, parts)
    if picks.has_index_array(parts):
        return gathers.gather(t, array, parts)
    return extraction.select(t, array, selections.selection(t, array, parts))


def _item(t: Translator, values: Rows, node: ast.Subscript, parts: Sequence[selections.Item]) -> Value:
    """An item of a list, or the items of a slice."""
    is_item, is_slice = (len(parts) == 1 and isinstance(parts[0], kind) for kind in (Scalar, ast.Slice))
    if not (is_item or is_slice):
        raise t.error("lists have one index", "make it an array with np.array(...)", TypeMismatch)
    found = extraction.select(t, values.array, selections.selection(t, values.array, parts))
    return Rows(t.array(found)) if is_slice else found
