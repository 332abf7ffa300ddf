"""The statements of procedures: which function translates each, and each operator that is a statement of its own."""

from __future__ import annotations

import ast

from tapeless import lang
from tapeless.frontend.reversible.statements import (
    ancillas,
    assignments,
    branches,
    call_statements,
    exchanges,
    loops,
    routines,
    stacks,
    updates,
    while_loops,
)
from tapeless.frontend.reversible.statements.routines import Routine
from tapeless.frontend.statements import plain_statements

STATEMENTS = {
    ast.AugAssign: updates.update,
    ast.Assign: assignments.assign,
    ast.AnnAssign: assignments.annotated,
    ast.With: ancillas.execute,
    Routine: routines.execute,
    ast.If: branches.execute,
    ast.For: loops.execute,
    ast.While: while_loops.execute,
    ast.Expr: call_statements.execute,
    ast.FunctionDef: plain_statements.nested,
    ast.Pass: plain_statements.nothing,
}

OPERATORS = {
    lang.recip: exchanges.recip,
    lang.rot: exchanges.rot,
    lang.hadamard: exchanges.hadamard,
    lang.push: stacks.push,
    lang.pop: stacks.pop,
}
