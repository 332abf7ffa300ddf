"""Assignments and updates of names, of tuples of names, and of elements of arrays."""

from __future__ import annotations

import ast
from contextlib import suppress
from typing import TYPE_CHECKING

from tapeless import lang
from tapeless.errors import TypeMismatch
from tapeless.frontend.control import growing, unpacking
from tapeless.frontend.expressions import python_operators, sequences
from tapeless.frontend.statements import in_place, indexed_assignments, plain_statements
from tapeless.frontend.statements.kept_types import kept_type
from tapeless.frontend.syntax import scoping, updates
from tapeless.frontend.values.value import Array, Growing, Probe, Rows, Value, describe, is_list

if TYPE_CHECKING:
    from tapeless.frontend.translator import Translator


def assign(t: Translator, statement: ast.Assign) -> None:
    if (changed_by := getattr(statement, "changed_by", None)) is not None:
        in_place.change(t, statement, changed_by)
        return
    value = t.held(t.evaluate(statement.value))
    for target in statement.targets:
        store(t, target, value)


def annotated(t: Translator, statement: ast.AnnAssign) -> None:
    if statement.value is None:
        raise t.error("an annotation without a value", "assign a value")
    store(t, statement.target, t.held(t.evaluate(statement.value)))


BY_INDEX = "make an array with np.zeros(n) before, and write out[i] = ..."


def store(t: Translator, target: ast.expr, value: Value) -> None:
    """Gives a value to a name, to the names of a tuple, or to elements of an array."""
    with t.at(target):
        if isinstance(target, ast.Name):
            t.frame.names[target.id] = value
        elif isinstance(target, unpacking.SEVERAL):
            _unpack(t, target, value)
        elif isinstance(target, ast.Subscript):
            indexed_assignments.store(t, target, value)
        else:
            raise t.error("this cannot be assigned to", "assign to a name, a tuple of names, or an element a[i]")


def _unpack(t: Translator, target: ast.Tuple | ast.List, value: Value) -> None:
    for inner, item in unpacking.matched(t, target.elts, value):
        store(t, inner, item)


def update(t: Translator, statement: ast.AugAssign) -> None:
    """`x += e`: a scalar takes the type of the result, an array keeps its type and shape."""
    target = statement.target
    if (applied := getattr(statement, "applied", None)) is not None:
        _check_ufunc(t, applied)
    if isinstance(target, ast.Subscript):
        indexed_assignments.update(t, target, statement.op, statement.value)
        return
    if not isinstance(target, ast.Name):
        raise t.error("this cannot be updated", "update a name or an element a[i]")
    before = t.evaluate(ast.copy_location(ast.Name(target.id, ast.Load()), target))
    if isinstance(before, (Growing, Probe)):
        t.frame.names[target.id] = growing.appended(t, before, t.evaluate(statement.value))
        return
    if isinstance(before, Rows):
        raise t.error(f"'{target.id}' is {describe(before)}, and grows outside of a loop", growing.INSTEAD)
    grown = getattr(statement, "grown", None)
    if grown is not None and not is_list(before):
        raise t.error(f"'{target.id}' is {describe(before)}, and only lists have '{grown}'", BY_INDEX, TypeMismatch)
    value = t.evaluate(statement.value)
    joined = sequences.combined(t, statement.op, before, value)
    if joined is not None:
        t.frame.names[target.id] = t.held(joined)
        return
    old = t.number(before, f"'{target.id}'")
    new = python_operators.combine(t, statement.op, old, t.number(value))
    if isinstance(old, Array):
        new = kept_type(t, new, old)
    t.frame.names[target.id] = t.held(new)


def _check_ufunc(t: Translator, function: ast.Attribute) -> None:
    """Refuses `f.at(x, idx, v)` of anything that only has the name of a function of numpy."""
    name = scoping.dotted_name(function)
    root = name.split(".")[0] if name else ""
    value = None
    if name and t.frame.find(root) is None:
        with suppress(KeyError):
            value = t.frame.source.lookup(name)
    if value is None or lang.meaning(value) is not lang.meaning(updates.UFUNCS[function.attr]):
        raise t.error(*plain_statements.UNUSED)
