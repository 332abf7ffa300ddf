"""Reversible procedures as the frontend sees them, and the syntax of Python that they do not have; needs no MLIR."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from tapeless.dataclasses_on_use import dataclass
from tapeless.errors import NotReversible
from tapeless.frontend.syntax import jumps, refusals
from tapeless.frontend.syntax.comprehensions import Comprehension
from tapeless.frontend.syntax.refusals import Refuse
from tapeless.frontend.syntax.scoping import Function, own_nodes

if TYPE_CHECKING:
    from tapeless.frontend.syntax.source import Source


@dataclass(frozen=True)
class Procedure:
    """A reversible procedure, or its inverse; `is_stored` where arguments are the contents of
    cells, not their values.
    """

    source: Source
    is_inverse: bool = False
    is_stored: bool = False

    @property
    def inverse(self) -> Procedure:
        return Procedure(self.source, not self.is_inverse, self.is_stored)


REFUSED = {
    **{kind: refusal for kind, refusal in refusals.REFUSED.items() if kind is not ast.With},
    **refusals.NAMED,
    ast.Starred: ("'*' unpacking is not supported", "write the elements out"),
    Comprehension: ("comprehensions are not supported in a tl.reversible", "write a loop over cells"),
    ast.Raise: ("'raise' is not supported in a procedure", "check the arguments in the caller"),
    ast.Assert: ("'assert' is not supported in a procedure", "check the arguments in the caller"),
    ast.LShift: ("'<<' is not supported in a procedure", "multiply by a power of two"),
    ast.RShift: ("'>>' is not supported in a procedure", "divide by a power of two with //"),
    ast.Dict: ("dicts are not supported in a procedure", "pass its arrays one by one"),
    ast.List: ("lists are not supported in a procedure", "write a tuple, or tl.stack((a, b)) for an array"),
}

NOT_REVERSIBLE: dict[type[ast.AST], tuple[str, str]] = {
    ast.Return: (
        "a procedure has no 'return'",
        "change a parameter instead, such as 'out += e'; a call gives all parameters",
    ),
    ast.Break: ("'break' has no inverse", "write 'while tl.cond(pre, post):' with the condition to go on"),
    ast.Continue: ("'continue' has no inverse", "put the rest of the body under 'if'"),
}


def check(function: Function, error: Refuse, *, may_be_deep: bool) -> None:
    """Raises for the first construct that a procedure does not have."""
    if isinstance(function, ast.Lambda):
        raise error(function, "a lambda has no statements", "write the procedure as a def", NotReversible)
    refusals.check_parts(function, error, REFUSED)
    for node in own_nodes(function.body):
        if type(node) in NOT_REVERSIBLE:
            raise error(node, *NOT_REVERSIBLE[type(node)], NotReversible)
        if isinstance(node, (ast.For, ast.While)) and node.orelse:
            raise error(node, "'else' of a loop is not supported", "write what it does after the loop")
        if isinstance(node, ast.FunctionDef):
            jumps.check(node, error, may_be_deep=may_be_deep)
