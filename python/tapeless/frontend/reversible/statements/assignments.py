"""Assignments: swaps, `x = -x`, and names for expressions; any other would destroy the contents of a cell."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from tapeless.frontend.reversible import temporaries
from tapeless.frontend.reversible.cells.cells import Cell
from tapeless.frontend.reversible.cells.naming import is_live
from tapeless.frontend.reversible.statements import exchanges
from tapeless.frontend.values.value import Tuple, Value

if TYPE_CHECKING:
    from tapeless.frontend.reversible.translator import ProcedureTranslator


def assign(t: ProcedureTranslator, statement: ast.Assign) -> None:
    """An assignment by its form."""
    if len(statement.targets) != 1:
        raise t.refusal(statement, "several names are assigned at once", "write one assignment for each")
    _assign(t, statement, statement.targets[0], statement.value)


def annotated(t: ProcedureTranslator, statement: ast.AnnAssign) -> None:
    """As without the annotation."""
    if statement.value is None:
        raise t.error("an annotation without a value", "assign a value")
    _assign(t, statement, statement.target, statement.value)


def _assign(t: ProcedureTranslator, statement: ast.stmt, target: ast.expr, value: ast.expr) -> None:
    if _is_swap(target, value):
        exchanges.swap(t, *target.elts)
    elif _is_negation(t, target, value):
        exchanges.negate(t, target)
    else:
        _name(t, statement, target, value)


def _is_swap(target: ast.expr, value: ast.expr) -> bool:
    """Whether this is `a, b = b, a`."""
    if not (isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple)):
        return False
    left, right = ([ast.unparse(each) for each in side.elts] for side in (target, value))
    return len(left) == 2 and left == right[::-1]


def _is_negation(t: ProcedureTranslator, target: ast.expr, value: ast.expr) -> bool:
    """Whether this is `x = -x` of a cell, or of a part of one."""
    is_minus = isinstance(value, ast.UnaryOp) and isinstance(value.op, ast.USub)
    return is_minus and ast.unparse(value.operand) == ast.unparse(target) and _root(t, target) is not None


def _root(t: ProcedureTranslator, target: ast.expr) -> Cell | None:
    named = target.value if isinstance(target, ast.Subscript) else target
    return t.cell(named.id) if isinstance(named, ast.Name) else None


def _name(t: ProcedureTranslator, statement: ast.stmt, target: ast.expr, value: ast.expr) -> None:
    """Gives an expression a name, or the items of a tuple theirs."""
    targets = target.elts if isinstance(target, ast.Tuple) else [target]
    for each in targets:
        _check_nameable(t, statement, each)
    if not isinstance(target, ast.Tuple):
        temporaries.define(t, target, value)
        return
    count = _items(t, value)
    if count != len(targets):
        raise t.error(f"{count} values cannot be given {len(targets)} names", "use as many names as values")
    for item, each in enumerate(targets):
        temporaries.define(t, each, value, item)


def _check_nameable(t: ProcedureTranslator, statement: ast.stmt, target: ast.expr) -> None:
    cell = _root(t, target)
    if cell is not None:
        raise t.refusal(
            statement,
            f"the assignment would destroy what '{cell.name}' holds",
            f"write '{ast.unparse(target)} += e' or '-= e', a swap 'a, b = b, a', or use another name",
        )
    if not isinstance(target, ast.Name):
        raise t.refusal(target, "this is no name of a value, and no cell", "assign to a name")
    if is_live(t, target.id):
        raise t.refusal(
            statement,
            f"'{target.id}' is assigned a second time",
            f"use another name, or make it a cell: 'with tl.ancilla(0.0) as {target.id}:'",
        )


def _items(t: ProcedureTranslator, node: ast.expr) -> int:
    value: Value = temporaries.tried(t, node)
    return len(value.items) if isinstance(value, Tuple) else 1
