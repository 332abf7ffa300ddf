"""Cells and parts of cells as views of numpy: what is written through one is seen by all."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import Any

import numpy as np

from reversible.interpreter.errors import CheckFailed, NotUnderstood
from reversible.interpreter.expressions import Evaluator
from reversible.interpreter.scope import Array, Scope


def is_place(node: ast.expr, scope: Scope) -> bool:
    """Whether an expression names a cell or a part of one."""
    while isinstance(node, ast.Subscript):
        node = node.value
    return isinstance(node, ast.Name) and isinstance(scope.find(node.id)[0], np.ndarray)


def place(evaluator: Evaluator, node: ast.expr, scope: Scope) -> Array:
    """The view that a target names."""
    if isinstance(node, ast.Name):
        found = scope.find(node.id)[0]
        if not isinstance(found, np.ndarray):
            raise NotUnderstood(f"{node.id} is no cell")
        return found
    if not isinstance(node, ast.Subscript):
        raise NotUnderstood(f"{ast.unparse(node)} is no place")
    index = evaluator.index(node.slice, scope)
    return part(place(evaluator, node.value, scope), index)


def part(cell: Array, index: Any) -> Array:
    """A view of a part, of rank 0 for an element."""
    return cell[(*index, ...)] if isinstance(index, tuple) else cell[(index, ...)]


def require_apart(places: Sequence[Array], others: Sequence[Array], statement: ast.AST) -> None:
    """No element may belong to one of the places and to one of the others."""
    for one in places:
        for other in others:
            if np.shares_memory(one, other):
                raise CheckFailed(f"line {getattr(statement, 'lineno', 0)}: a cell is named twice")
