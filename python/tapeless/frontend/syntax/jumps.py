"""Structured control flow from `break`, `continue` and early `return`.

What follows an `if` that always leaves in one branch moves into the other branch. Where a branch only may leave, flags
(`%skip1`, `%stop1`: names no program can have) guard what follows. A loop with `break` gets the attribute `stop_flag`.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass
from itertools import count

from tapeless.frontend.syntax import depth, ufunc_updates

Refuse = Callable[..., Exception]
LEAVING = (ast.Break, ast.Continue, ast.Return)


@dataclass(frozen=True)
class Flags:
    """The flags of one loop."""

    skip: str
    stop: str
    broken: str | None = None


class Structurer:
    """Rewrites the body of one function."""

    def __init__(self, error: Refuse) -> None:
        self.error = error
        self.serials = count(1)

    def function_body(self, body: list[ast.stmt], owner: ast.AST) -> list[ast.stmt]:
        result = self._block(body, None)
        if not _always_leaves(result):
            raise self.error(
                owner, "a path through the function returns nothing", "end it with 'return', or return in every branch"
            )
        return result

    def _block(self, body: list[ast.stmt], flags: Flags | None) -> list[ast.stmt]:
        done: list[ast.stmt] = []
        for position, statement in enumerate(body):
            rest = body[position + 1 :]
            if isinstance(statement, (ast.Break, ast.Continue)):
                if flags is None:
                    raise self.error(statement, "this statement is outside a loop", "remove it")
                flag = flags.stop if isinstance(statement, ast.Break) else flags.skip
                broken = [_assign(flags.broken, True, statement)] if flags.broken and flag == flags.stop else []
                return [*done, *broken, _assign(flag, True, statement)]
            if isinstance(statement, ast.Return):
                return [*done, statement]
            if isinstance(statement, (ast.For, ast.While)) and statement.orelse:
                return [*done, *self._block([*self._without_else(statement), *rest], flags)]
            if isinstance(statement, ast.If) and _may_leave(statement):
                return [*done, *self._leaving_if(statement, rest, flags)]
            done.append(
                self._loop(statement) if isinstance(statement, (ast.For, ast.While)) else self._inner(statement, flags)
            )
        return done

    def _inner(self, statement: ast.stmt, flags: Flags | None) -> ast.stmt:
        if not isinstance(statement, ast.If):
            return ufunc_updates.as_update(statement)
        return _if(statement, self._block(statement.body, flags), self._block(statement.orelse, flags))

    def _leaving_if(self, statement: ast.If, rest: list[ast.stmt], flags: Flags | None) -> list[ast.stmt]:
        if _always_leaves(statement.body):
            return [_if(statement, self._block(statement.body, flags), self._block(statement.orelse + rest, flags))]
        if _always_leaves(statement.orelse):
            return [_if(statement, self._block(statement.body + rest, flags), self._block(statement.orelse, flags))]
        if _may_return(statement):
            raise self.error(
                statement,
                "one path through this 'if' returns and another goes on",
                "return in every branch, or assign the result and return it at the end",
            )
        first = _if(statement, self._block(statement.body, flags), self._block(statement.orelse, flags))
        if not rest:
            return [first]
        guard = ast.BoolOp(ast.Or(), [_load(flags.skip, statement), _load(flags.stop, statement)])
        test = ast.UnaryOp(ast.Not(), ast.copy_location(guard, statement.test))
        after = ast.If(ast.copy_location(test, statement.test), self._block(rest, flags), [])
        return [first, ast.copy_location(after, statement)]

    def _without_else(self, statement: ast.For | ast.While) -> list[ast.stmt]:
        """A loop with `else`: a flag says afterwards whether it was left by `break`."""
        plain = _loop_with(statement, statement.body)
        if not any(isinstance(jump, ast.Break) for jump in _jumps_in(statement.body)):
            return [plain, *statement.orelse]
        plain.broken_flag = f"%broken{next(self.serials)}"
        flag = _load(plain.broken_flag, statement)
        test = ast.copy_location(ast.UnaryOp(ast.Not(), flag), statement)
        after = ast.copy_location(ast.If(test, statement.orelse, []), statement)
        return [_assign(plain.broken_flag, False, statement), plain, after]

    def _loop(self, statement: ast.For | ast.While) -> ast.stmt:
        serial = next(self.serials)
        flags = Flags(f"%skip{serial}", f"%stop{serial}", getattr(statement, "broken_flag", None))
        body = self._block(statement.body, flags)
        if _jumps_in(statement.body):
            body = [_assign(flags.skip, False, statement), _assign(flags.stop, False, statement), *body]
        loop = _loop_with(statement, body)
        has_break = any(isinstance(jump, ast.Break) for jump in _jumps_in(statement.body))
        loop.stop_flag = flags.stop if has_break else None
        return loop


def check(function: ast.FunctionDef | ast.Lambda, error: Refuse, *, may_be_deep: bool) -> None:
    """Raises when a path through the function, or through one nested in it, does not end in a `return`.

    What follows an `if` that returns is in its other branch, so that nesting is checked again.
    """
    for node in ast.walk(function):
        if isinstance(node, ast.FunctionDef):
            structured = Structurer(error).function_body(node.body, node)
            if may_be_deep:
                depth.check(ast.Module(structured, []), error)


def _jumps_in(body: list[ast.stmt]) -> list[ast.stmt]:
    """The jumps of a block that belong to the loop or function around it."""
    found: list[ast.stmt] = []
    for statement in body:
        if isinstance(statement, LEAVING):
            found.append(statement)
        elif isinstance(statement, ast.If):
            found += _jumps_in(statement.body) + _jumps_in(statement.orelse)
    return found


def _may_leave(statement: ast.If) -> bool:
    return bool(_jumps_in([statement]))


def _may_return(statement: ast.If) -> bool:
    return any(isinstance(jump, ast.Return) for jump in _jumps_in([statement]))


def _always_leaves(body: list[ast.stmt]) -> bool:
    return any(
        isinstance(statement, LEAVING)
        or (isinstance(statement, ast.If) and _always_leaves(statement.body) and _always_leaves(statement.orelse))
        for statement in body
    )


def _loop_with(statement: ast.For | ast.While, body: list[ast.stmt]) -> ast.For | ast.While:
    """A loop with another body, and without `else`."""
    fields = (
        {"target": statement.target, "iter": statement.iter}
        if isinstance(statement, ast.For)
        else {"test": statement.test}
    )
    return ast.copy_location(type(statement)(**fields, body=body, orelse=[]), statement)


def _if(statement: ast.If, body: list[ast.stmt], orelse: list[ast.stmt]) -> ast.If:
    return ast.copy_location(ast.If(statement.test, body, orelse), statement)


def _assign(name: str, value: bool, at: ast.stmt) -> ast.stmt:
    target = ast.copy_location(ast.Name(name, ast.Store()), at)
    return ast.copy_location(ast.Assign([target], ast.copy_location(ast.Constant(value), at)), at)


def _load(name: str, at: ast.stmt) -> ast.expr:
    return ast.copy_location(ast.Name(name, ast.Load()), at)
