"""First and last values of ancillas that name their number system: `tl.fixed43(0.0)`, `tl.zeros(n, tl.fixed43)`."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from tapeless import lang
from tapeless.frontend.reversible.operators import called_operator
from tapeless.frontend.syntax import scoping
from tapeless.number_types import NumberType, number_of

if TYPE_CHECKING:
    from tapeless.frontend.reversible.translator import ProcedureTranslator

DTYPE_POSITIONS = {lang.zeros: 1, lang.ones: 1, lang.full: 2}
"""Operators that make arrays, with the position of the argument that names their type."""
ALIKE = frozenset({lang.zeros_like, lang.ones_like, lang.full_like})


def taken_apart(t: ProcedureTranslator, node: ast.expr) -> tuple[ast.expr, NumberType | None]:
    """An expression without the number system that it names, and that one."""
    if not isinstance(node, ast.Call):
        return node, None
    named = _number(t, node.func)
    if named is not None and len(node.args) == 1 and not node.keywords:
        return node.args[0], named
    operator = called_operator(t, node)
    if operator in ALIKE and node.args:
        return node, _number_of_cell(t, node.args[0])
    if operator not in DTYPE_POSITIONS:
        return node, None
    return _without_dtype(t, node, DTYPE_POSITIONS[operator])


def _without_dtype(t: ProcedureTranslator, node: ast.Call, position: int) -> tuple[ast.expr, NumberType | None]:
    found = [_number(t, each) for each in node.args]
    if len(found) > position and found[position] is not None:
        kept = ast.Call(node.func, node.args[:position], node.keywords)
        return ast.copy_location(kept, node), found[position]
    for keyword in node.keywords:
        named = _number(t, keyword.value)
        if keyword.arg == "dtype" and named is not None:
            kept = ast.Call(node.func, node.args, [each for each in node.keywords if each is not keyword])
            return ast.copy_location(kept, node), named
    return node, None


def _number(t: ProcedureTranslator, node: ast.expr) -> NumberType | None:
    """The number system that an expression names."""
    name = scoping.dotted_name(node)
    if name is None or t.frame.find(name.split(".")[0]) is not None:
        return None
    try:
        value = t.frame.source.lookup(name)
    except KeyError:
        return None
    return value if isinstance(value, NumberType) else None


def _number_of_cell(t: ProcedureTranslator, node: ast.expr) -> NumberType | None:
    cell = t.cell(node.id) if isinstance(node, ast.Name) else None
    return number_of(cell.dtype) if cell is not None else None
