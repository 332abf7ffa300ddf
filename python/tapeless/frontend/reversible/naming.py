"""New names: each stands for one thing as long as it lives."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from tapeless.frontend.reversible.cells import Cell, Gone

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
