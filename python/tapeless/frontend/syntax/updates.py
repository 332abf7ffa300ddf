"""Calls that are updates when they are statements.

`np.add.at(x, idx, v)` is `x[idx] += v`, in which duplicates add up too. `out.append(v)` is `out += [v]`, and
`out.extend(values)` is `out += values`, if `out` is a list. `np.fill_diagonal(m, v)` and `x.sort()` give a name another
value.
"""

from __future__ import annotations

import ast

import numpy as np


class Maximum(ast.operator):
    """The operator of `np.maximum.at`, which Python has no sign for."""


class Minimum(ast.operator):
    """The operator of `np.minimum.at`."""


OPERATORS: dict[str, type[ast.operator]] = {
    "add": ast.Add,
    "subtract": ast.Sub,
    "multiply": ast.Mult,
    "divide": ast.Div,
    "true_divide": ast.Div,
    "floor_divide": ast.FloorDiv,
    "remainder": ast.Mod,
    "power": ast.Pow,
    "maximum": Maximum,
    "minimum": Minimum,
}
GROWING = ("append", "extend")
CHANGING = ("copyto", "fill_diagonal", "put", "put_along_axis", "putmask")
"""Functions of numpy that change their first argument."""
METHODS = ("fill", "sort")
"""Methods of arrays that change them."""
UFUNCS = {name: getattr(np, name) for name in OPERATORS}


def as_update(statement: ast.stmt) -> ast.stmt:
    """The update that a call means.

    One with `applied` must be of a function of numpy, with `grown` a method of lists, and `changed_by` names what
    changes all of an array.
    """
    call = statement.value if isinstance(statement, ast.Expr) else None
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute):
        return statement
    return _growth(statement, call) or _application(statement, call) or _change(statement, call) or statement


def _application(statement: ast.stmt, call: ast.Call) -> ast.stmt | None:
    function = call.func
    if len(call.args) != 3 or call.keywords or function.attr != "at" or not isinstance(function.value, ast.Attribute):
        return None
    array, index, value = call.args
    operator = OPERATORS.get(function.value.attr)
    if operator is None or not isinstance(array, (ast.Name, ast.Subscript)):
        return None
    target = ast.copy_location(ast.Subscript(array, index, ast.Store()), call)
    update = ast.copy_location(ast.AugAssign(target, operator(), value), statement)
    update.applied = function.value
    return update


def _change(statement: ast.stmt, call: ast.Call) -> ast.stmt | None:
    name = call.func.attr
    array = call.args[0] if name in CHANGING and call.args else call.func.value
    if name not in (*CHANGING, *METHODS) or not isinstance(array, (ast.Name, ast.Subscript)):
        return None
    everything = ast.copy_location(ast.Constant(...), array)
    target = ast.copy_location(ast.Subscript(array, everything, ast.Store()), array)
    update = ast.copy_location(ast.Assign([target], call), statement)
    update.changed_by = name
    return update


def _growth(statement: ast.stmt, call: ast.Call) -> ast.stmt | None:
    function = call.func
    is_method = len(call.args) == 1 and not call.keywords and function.attr in GROWING
    if not is_method or not isinstance(function.value, ast.Name):
        return None
    added = call.args[0]
    if function.attr == "append":
        added = ast.copy_location(ast.List([added], ast.Load()), added)
    target = ast.copy_location(ast.Name(function.value.id, ast.Store()), function.value)
    update = ast.copy_location(ast.AugAssign(target, ast.Add(), added), statement)
    update.grown = function.attr
    return update
