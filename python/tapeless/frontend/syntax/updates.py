"""Calls that are updates when they are statements.

`np.add.at(x, idx, v)` is `x[idx] += v`, in which duplicates add up too. `out.append(v)` is `out += [v]`, and
`out.extend(values)` is `out += values`, if `out` is a list.
"""

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
GROWING = ("append", "extend")
UFUNCS = {name: getattr(np, name) for name in OPERATORS}


def as_update(statement: ast.stmt) -> ast.stmt:
    """The update that a call means; `applied` must be a function of numpy, `grown` is a method of lists."""
    call = statement.value if isinstance(statement, ast.Expr) else None
    if isinstance(call, ast.Call) and len(call.args) == 1 and not call.keywords:
        return _growth(statement, call)
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


def _growth(statement: ast.stmt, call: ast.Call) -> ast.stmt:
    function = call.func
    is_method = isinstance(function, ast.Attribute) and function.attr in GROWING
    if not is_method or not isinstance(function.value, ast.Name):
        return statement
    added = call.args[0]
    if function.attr == "append":
        added = ast.copy_location(ast.List([added], ast.Load()), added)
    target = ast.copy_location(ast.Name(function.value.id, ast.Store()), function.value)
    update = ast.copy_location(ast.AugAssign(target, ast.Add(), added), statement)
    update.grown = function.attr
    return update
