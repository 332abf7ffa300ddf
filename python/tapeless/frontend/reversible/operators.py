"""Which operator of the language a call names, without evaluating anything else."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from tapeless import lang
from tapeless.frontend.syntax import scoping

if TYPE_CHECKING:
    from tapeless.frontend.translator import Translator


def called_operator(t: Translator, node: ast.AST) -> lang.Operator | None:
    """The operator that a node calls, if it calls one."""
    name = scoping.dotted_name(node.func) if isinstance(node, ast.Call) else None
    if name is None or t.frame.find(name.split(".")[0]) is not None:
        return None
    try:
        return lang.meaning(t.frame.source.lookup(name))
    except KeyError:
        return None
