"""What names mean: cells, numbers, temporaries, stacks, and the scopes in which they do."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from reversible.interpreter.errors import NotUnderstood

Array = np.ndarray[Any, Any]


@dataclass(frozen=True)
class Temporary:
    """A pure expression with a name, computed anew wherever it is used."""

    expression: ast.expr


@dataclass
class Stack:
    """Values that were moved away, the last one on top."""

    capacity: int
    values: list[Any] = field(default_factory=list)


@dataclass
class Scope:
    """Names of a block and of the blocks around it; a cell is an array, of rank 0 for a scalar."""

    names: dict[str, Any]
    outer: Scope | None = None

    def inner(self, **names: Any) -> Scope:
        return Scope(names, self)

    def find(self, name: str) -> tuple[Any, Scope]:
        """What a name means, and the scope that says so."""
        scope: Scope | None = self
        while scope is not None:
            if name in scope.names:
                return scope.names[name], scope
            scope = scope.outer
        raise NotUnderstood(f"unknown name {name}")
