"""Assignments to parts of arrays: `a[i] = e`, `a[:, j] += e`, `a[i][j] = e`, `a[indices] += e`, `a[mask] = e`.

Entries of dicts and lists are written likewise: `params["w"] = e`, `params["w"][i] += e`.

The name gets a new value, other names keep theirs.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TYPE_CHECKING

from tapeless.dataclasses_on_use import dataclass
from tapeless.frontend.expressions import python_operators
from tapeless.frontend.indexing import gathers, masks, picks, selections
from tapeless.frontend.indexing.extraction import select
from tapeless.frontend.indexing.insertion import written
from tapeless.frontend.indexing.selections import Item, Selection
from tapeless.frontend.statements import masked_writes, scattered_writes
from tapeless.frontend.statements.kept_types import kept_type
from tapeless.frontend.structures import entries
from tapeless.frontend.values.value import STRUCTURES, Array, Number, Scalar, Structured, Value

if TYPE_CHECKING:
    from tapeless.frontend.translator import Translator


@dataclass(frozen=True)
class Whole:
    """An array, or a structure, that is written in part, and how it is put back where it came from."""

    value: Array | Structured
    put_back: Callable[[Value], None]

    @property
    def array(self) -> Array:
        assert isinstance(self.value, Array)
        return self.value


def store(t: Translator, target: ast.Subscript, value: Value) -> None:
    """`a[index] = value`."""
    whole = whole_of(t, target.value)
    if isinstance(whole.value, STRUCTURES):
        whole.put_back(entries.with_item(t, whole.value, target, value))
        return
    array, parts = whole.array, selections.items(t, target.slice)
    number = t.number(value, "the value written")
    mask = _mask(parts)
    if mask is not None and masked_writes.is_for_all_places(array, mask, number):
        is_row = not isinstance(number, Scalar) and mask.rank < array.rank
        write = masked_writes.replaced if is_row else masked_writes.stored
        whole.put_back(write(t, array, mask, number))
    elif picks.has_index_array(parts):
        whole.put_back(scattered_writes.stored(t, array, _picked(t, array, parts), number))
    else:
        whole.put_back(written(t, array, _selection(t, array, parts), number))


def update(t: Translator, target: ast.Subscript, operator: ast.operator, node: ast.expr) -> None:
    """`a[index] op= node`; the index is evaluated once."""
    with t.at(target):
        whole = whole_of(t, target.value)
        if isinstance(whole.value, STRUCTURES):
            _update_entry(t, whole, target, operator, node)
            return
        parts = selections.items(t, target.slice)
        change = _change(t, whole.array, parts, operator)
    value = t.number(t.evaluate(node))
    whole.put_back(change(value))


def _update_entry(t: Translator, whole: Whole, target: ast.Subscript, operator: ast.operator, node: ast.expr) -> None:
    """`params["w"] op= node`; an array keeps its type and shape."""
    assert not isinstance(whole.value, Array)
    old = t.number(entries.item_of(t, whole.value, target), f"'{ast.unparse(target)}'")
    new = python_operators.combine(t, operator, old, t.number(t.evaluate(node)))
    if isinstance(old, Array):
        new = kept_type(t, new, old)
    whole.put_back(entries.with_item(t, whole.value, target, t.held(new)))


def _change(t: Translator, array: Array, parts: list[Item], operator: ast.operator) -> Callable[[Number], Array]:
    """How a part of an array is updated by a value; the index is checked before the value is computed."""
    if any(map(masks.is_mask, parts)):
        return lambda value: _masked(t, array, parts, operator, t.held(value))
    if picks.has_index_array(parts):
        picked = _picked(t, array, parts)
        return lambda value: scattered_writes.updated(t, array, picked, operator, value)
    selected = _selection(t, array, parts)
    old = select(t, array, selected)
    node = t.node

    def change(value: Number) -> Array:
        new = python_operators.combine(t, operator, old, value)
        with t.at(node):
            return written(t, array, selected, new)

    return change


def _masked(t: Translator, array: Array, parts: list[Item], operator: ast.operator, value: Number) -> Array:
    """An update where masks hold, which name no place twice."""
    mask = _mask(parts)
    if mask is not None and masked_writes.is_for_all_places(array, mask, value):
        return masked_writes.written(t, array, mask, lambda old: python_operators.combine(t, operator, old, value))
    if any(isinstance(part, Array) and not masks.is_mask(part) for part in parts):
        raise t.error(
            "an update of what masks and index arrays name, where one element may be named twice",
            "write np.add.at(x, (rows, columns), values), with np.flatnonzero(mask) for a mask",
        )
    old = gathers.gather(t, array, parts)
    return scattered_writes.stored(
        t, array, _picked(t, array, parts), python_operators.combine(t, operator, old, value)
    )


def whole_of(t: Translator, node: ast.expr) -> Whole:
    """The array of which a part is written: a name, or a part of another array."""
    with t.at(node):
        if isinstance(node, ast.Name):
            return _named(t, node)
        if isinstance(node, ast.Subscript):
            return _part(t, node)
        raise t.error("only elements of a named array can be written", "give the array a name and write name[i] = e")


def _named(t: Translator, node: ast.Name) -> Whole:
    value = t.evaluate(ast.copy_location(ast.Name(node.id, ast.Load()), node))
    if t.frame.find(node.id) is not t.frame:
        raise t.error(
            f"'{node.id}' belongs to an outer function and cannot be written here",
            "copy it to a local name first, and return the changed copy",
        )

    def put_back(changed: Value) -> None:
        t.frame.names[node.id] = changed

    return Whole(value if isinstance(value, STRUCTURES) else t.array(value, f"'{node.id}'"), put_back)


def _part(t: Translator, node: ast.Subscript) -> Whole:
    """The part `a[i]` of `a[i][j] = e`; the part of index arrays is a copy, to which nobody writes."""
    outer = whole_of(t, node.value)
    if isinstance(outer.value, STRUCTURES):
        structure, part = outer.value, entries.item_of(t, outer.value, node)
        inner = part if isinstance(part, STRUCTURES) else t.array(part, f"'{ast.unparse(node)}'")
        return Whole(inner, lambda new: outer.put_back(entries.with_item(t, structure, node, new)))
    parts = selections.items(t, node.slice)
    if picks.has_index_array(parts):
        raise t.error(
            "what an index array names is a copy: a write to a part of it changes nothing",
            "write all indices in one pair of brackets: a[indices, j] = e",
        )
    selected = _selection(t, outer.array, parts)
    part = t.array(select(t, outer.array, selected), "what is indexed")
    return Whole(part, lambda new: outer.put_back(written(t, outer.array, selected, new)))


def _mask(parts: list[Item]) -> Array | None:
    """The bool array that is the whole index, if one is."""
    [part] = parts if len(parts) == 1 else [None]
    return part if isinstance(part, Array) and part.dtype.is_bool else None


def _picked(t: Translator, array: Array, parts: list[Item]) -> picks.Picks:
    """The places that index arrays name, and those where masks hold."""
    _check_no_new_axis(t, parts)
    return picks.picks(t, array, masks.without_masks(t, array, parts))


def _selection(t: Translator, array: Array, parts: list[Item]) -> Selection:
    _check_no_new_axis(t, parts)
    return selections.selection(t, array, parts)


def _check_no_new_axis(t: Translator, parts: list[Item]) -> None:
    if any(picks.is_new_axis(part) for part in parts):
        raise t.error("a new axis cannot be written to", "leave None out of the index")
