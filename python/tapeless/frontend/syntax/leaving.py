"""Exits of a block of statements: jumps to the end of a loop or of the function, and loops that only a jump ends."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

LEAVING = (ast.Break, ast.Continue, ast.Return)
LOOPS = (ast.For, ast.While)


def jumps_in(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """The jumps of a block that belong to the loop or function around it; a `return` leaves every loop."""
    for statement in body:
        if isinstance(statement, LEAVING):
            yield statement
        elif isinstance(statement, ast.If):
            yield from jumps_in(statement.body)
            yield from jumps_in(statement.orelse)
        elif isinstance(statement, LOOPS):
            yield from (jump for jump in jumps_in(statement.body) if isinstance(jump, ast.Return))
            yield from jumps_in(statement.orelse)


def may_leave(statement: ast.stmt) -> bool:
    return any(True for _ in jumps_in([statement]))


def may_return(body: list[ast.stmt]) -> bool:
    return any(isinstance(jump, ast.Return) for jump in jumps_in(body))


def may_break(loop: ast.For | ast.While) -> bool:
    return any(isinstance(jump, ast.Break) for jump in jumps_in(loop.body))


def always_leaves(body: list[ast.stmt]) -> bool:
    """Whether control never comes to the end of a block, because of a jump."""
    return any(isinstance(each, LEAVING) or _both(each, always_leaves) or never_ends(each) for each in body)


def always_returns(body: list[ast.stmt]) -> bool:
    """Whether every path through the body of a function ends in `return`, or in `raise`."""
    return any(isinstance(each, (ast.Return, ast.Raise)) or _both(each, always_returns) for each in body)


def _both(statement: ast.stmt, holds: Callable[[list[ast.stmt]], bool]) -> bool:
    return isinstance(statement, ast.If) and holds(statement.body) and holds(statement.orelse)


def never_ends(statement: ast.stmt) -> bool:
    """Whether a loop is left by `return` alone: `while True:` without `break`."""
    return (
        isinstance(statement, ast.While)
        and _is_true(statement.test)
        and may_return(statement.body)
        and not may_break(statement)
    )


def _is_true(test: ast.expr) -> bool:
    """Whether a condition always holds; a loop with `tl.bounded(True, n)` ends in `return` or in an error."""
    if isinstance(test, ast.Call) and isinstance(test.func, ast.Attribute) and test.func.attr == "bounded":
        test = test.args[0] if test.args else test
    return isinstance(test, ast.Constant) and bool(test.value)
