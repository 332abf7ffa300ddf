"""`np.add.at(x, idx, v)` as a statement is the update `x[idx] += v`, in which duplicates add up too."""

from __future__ import annotations

import ast

import numpy as np

OPERATORS: dict[str, type[ast.operator]] = {
    "add": ast.Add,
    "subtract": ast.Sub,
    "multiply": ast.Mult,
    "divide": ast.Div,
    "true_divide": ast.Div,
    "floor_divide": ast.FloorDiv,
    "remainder": ast.Mod,
    "power": ast.Pow,
}
UFUNCS = {name: getattr(np, name) for name in OPERATORS}


def as_update(statement: ast.stmt) -> ast.stmt:
    """The update that a call of `at` means; it keeps in `applied` what must be a function of numpy."""
    call = statement.value if isinstance(statement, ast.Expr) else None
    if not isinstance(call, ast.Call) or len(call.args) != 3 or call.keywords:
        return statement
    function, (array, index, value) = call.func, call.args
    if (
        not isinstance(function, ast.Attribute)
        or function.attr != "at"
        or not isinstance(function.value, ast.Attribute)
    ):
        return statement
    operator = OPERATORS.get(function.value.attr)
    if operator is None or not isinstance(array, (ast.Name, ast.Subscript)):
        return statement
    target = ast.copy_location(ast.Subscript(array, index, ast.Store()), call)
    update = ast.copy_location(ast.AugAssign(target, operator(), value), statement)
    update.applied = function.value
    return update
