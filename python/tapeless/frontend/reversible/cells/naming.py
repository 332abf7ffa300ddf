"""Names: each stands for one thing as long as it lives, and only some for cells."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from tapeless.errors import TapelessError
from tapeless.frontend.reversible.cells.cells import Cell, Gone, Named, Stack, Temporary

if TYPE_CHECKING:
    from tapeless.frontend.reversible.translator import ProcedureTranslator


def is_live(t: ProcedureTranslator, name: str) -> bool:
    """Whether a name stands for something here."""
    return name in t.home.names or not isinstance(t.named.get(name, Gone()), Gone)


def check_new(t: ProcedureTranslator, node: ast.Name, role: str) -> None:
    """Refuses a name that is in use already."""
    if isinstance(t.named.get(node.id), Cell):
        raise t.refusal(node, f"'{node.id}' is a cell already, and becomes {role} here", "use another name")
    if is_live(t, node.id):
        raise t.refusal(node, f"'{node.id}' has a value already, and becomes {role} here", "use another name")


def no_cell(t: ProcedureTranslator, node: ast.Name, found: Named | None) -> TapelessError:
    """The error about a name where only a cell can stand."""
    return t.refusal(node, *_words(t, node.id, found))


def _words(t: ProcedureTranslator, name: str, found: Named | None) -> tuple[str, str]:
    as_ancilla = f"'with tl.ancilla(0.0) as {name}:'"
    if isinstance(found, Gone):
        return f"'{name}' is used after the end of its 'with' block", f"use '{name}' inside of the block only"
    if isinstance(found, Stack):
        return f"'{name}' is a stack", f"move numbers with tl.push({name}, x) and tl.pop({name}, x)"
    if isinstance(found, Temporary):
        return f"'{name}' is a name for an expression and cannot be changed", f"make it a cell: {as_ancilla}"
    if name in t.home.names:
        return f"'{name}' is no cell and cannot be changed", "change parameters and ancillas; others are values"
    return f"'{name}' is not a cell here", f"make it a parameter, or a cell of its own: {as_ancilla}"
