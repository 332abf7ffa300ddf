"""Assignments to parts of arrays: `a[i] = e`, `a[:, j] += e`; the name gets a new value, other names keep theirs."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from tapeless.frontend.expressions import python_operators
from tapeless.frontend.indexing import selections
from tapeless.frontend.indexing.extraction import select
from tapeless.frontend.indexing.insertion import written
from tapeless.frontend.indexing.selections import Selection
from tapeless.frontend.values.value import Array, Value

if TYPE_CHECKING:
    from tapeless.frontend.translator import Translator


def store(t: Translator, target: ast.Subscript, value: Value) -> None:
    """`a[index] = value`."""
    name, array = _target(t, target)
    selected = _selection(t, array, target)
    t.frame.names[name] = written(t, array, selected, t.number(value, "the value written"))


def update(t: Translator, target: ast.Subscript, operator: ast.operator, node: ast.expr) -> None:
    """`a[index] op= node`; the index is evaluated once."""
    name, array = _target(t, target)
    with t.at(target):
        selected = _selection(t, array, target)
        old = select(t, array, selected)
    new = python_operators.combine(t, operator, old, t.number(t.evaluate(node)))
    current = t.frame.names[name]
    with t.at(target):
        t.frame.names[name] = written(t, current, selected, new)


def _target(t: Translator, target: ast.Subscript) -> tuple[str, Array]:
    if not isinstance(target.value, ast.Name):
        raise t.error("only elements of a named array can be written", "write a[i, j] = e for a[i][j] = e")
    with t.at(target.value):
        value = t.evaluate(ast.copy_location(ast.Name(target.value.id, ast.Load()), target.value))
        if t.frame.find(target.value.id) is not t.frame:
            raise t.error(
                f"'{target.value.id}' belongs to an outer function and cannot be written here",
                "copy it to a local name first, and return the changed copy",
            )
        return target.value.id, t.array(value, f"'{target.value.id}'")


def _selection(t: Translator, array: Array, target: ast.Subscript) -> Selection:
    parts = selections.items(t, target.slice)
    if any(isinstance(part, Array) for part in parts):
        raise t.error("elements named by an index array cannot be written", "use tl.scatter(a, indices, values)")
    selected = selections.selection(t, array, parts)
    if selected.new_axes:
        raise t.error("a new axis cannot be written to", "leave None out of the index")
    return selected
