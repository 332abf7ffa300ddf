"""What every rule of a statement is given: the evaluator, the procedures, and the way to run a block."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from reversible.interpreter.errors import Unclear
from reversible.interpreter.expressions import Evaluator
from reversible.interpreter.places import place
from reversible.interpreter.scope import Array, Scope

LARGEST_VALUE = 1e4


@dataclass
class State:
    """One run: `block` runs statements in a scope, forwards or backwards, `call` a procedure on cells."""

    evaluator: Evaluator
    is_complex: bool
    block: Callable[[Sequence[ast.stmt], Scope, bool], None]
    call: Callable[[str, Sequence[Any], bool], None]

    def value(self, node: ast.expr, scope: Scope) -> Any:
        return self.evaluator.value(node, scope)

    def place(self, node: ast.expr, scope: Scope) -> Array:
        return place(self.evaluator, node, scope)

    def new_cell(self, value: Any) -> Array:
        """A cell of its own that begins with a value."""
        cell = np.array(value)
        return cell.astype(np.complex128) if self.is_complex and cell.dtype.kind == "f" else cell


def update(cell: Array, value: Any) -> None:
    """Writes a cell, whose values stay moderate."""
    cell[...] = value
    if cell.dtype.kind in "fc" and not np.all(np.abs(cell) < LARGEST_VALUE):
        raise Unclear("values are too large")
