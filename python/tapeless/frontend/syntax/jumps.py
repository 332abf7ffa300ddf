"""Structured control flow from `break`, `continue` and `return`.

What follows an `if` that always leaves in one branch moves into the other branch. Where a branch only may leave, flags
(`%skip1`, `%stop1`: names no program can have) guard what follows. A loop with `break` gets the attribute `stop_flag`.
An `if` in a loop has the flags that a path through it which leaves sets as `leaves`: names may have no value there.

A `return` inside a loop, or in an `if` that may go on, keeps its value and leaves:

    for x in xs:                    %returned1 = False
        if x > limit:               for x in xs:
            return x                    if x > limit:
    return 0.0                              %result1, %returned1, %stop1 = x, True, True
                                    if %returned1:
                                        return %result1
                                    else:
                                        return 0.0

Where no path has given `%result1` a value yet, it is filled with zeros of the type that it has elsewhere
(`control/fillers.py`), as are names without a value on paths that have left: nothing reads them.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from itertools import count

from tapeless.dataclasses_on_use import dataclass
from tapeless.frontend.syntax import depth, named_expressions, updates
from tapeless.frontend.syntax.leaving import (
    LOOPS,
    always_leaves,
    always_returns,
    jumps_in,
    may_break,
    may_leave,
    may_return,
    never_ends,
)

Refuse = Callable[..., Exception]
RESULT = "%result"


def holds_result(name: str) -> bool:
    """Whether a name holds the value of a `return` inside of a loop or a branch."""
    return name.startswith(RESULT)


@dataclass(frozen=True)
class Flags:
    """The flags that jumps set in one loop, or in one `if` that may return."""

    skip: str
    stop: str
    broken: str | None = None
    returned: str | None = None
    result: str | None = None


class Structurer:
    """Rewrites the body of one function."""

    def __init__(self, error: Refuse) -> None:
        self.error = error
        self.serials = count(1)
        self.has_named = False

    def function_body(self, body: list[ast.stmt], owner: ast.AST) -> list[ast.stmt]:
        self.has_named = named_expressions.has_named(body)
        result = self._block(body, None)
        if not always_returns(result):
            raise self.error(
                owner, "a path through the function returns nothing", "end it with 'return', or return in every branch"
            )
        return result

    def _block(self, body: list[ast.stmt], flags: Flags | None) -> list[ast.stmt]:
        done: list[ast.stmt] = []
        for position, statement in enumerate(body):
            rest = body[position + 1 :]
            if self.has_named and (plain := named_expressions.hoisted(statement, self.error)) is not None:
                return [*done, *self._block([*plain, *rest], flags)]
            if isinstance(statement, (ast.Break, ast.Continue, ast.Return)):
                return [*done, *self._jump(statement, flags)]
            if isinstance(statement, LOOPS) and statement.orelse:
                return [*done, *self._block([*self._without_else(statement), *rest], flags)]
            if isinstance(statement, LOOPS) and may_return(statement.body):
                return [*done, *self._returning_loop(statement, rest, flags)]
            if isinstance(statement, ast.If) and may_leave(statement):
                return [*done, *self._leaving_if(statement, rest, flags)]
            done.append(self._loop(statement) if isinstance(statement, LOOPS) else self._inner(statement, flags))
        return done

    def _inner(self, statement: ast.stmt, flags: Flags | None) -> ast.stmt:
        if not isinstance(statement, ast.If):
            return updates.as_update(statement)
        return self._if(statement, statement.body, statement.orelse, flags)

    def _if(self, statement: ast.If, body: list[ast.stmt], orelse: list[ast.stmt], flags: Flags | None) -> ast.If:
        """An `if` that knows which flags say that a path through it has left."""
        made = _if(statement, self._block(body, flags), self._block(orelse, flags))
        made.leaves = (flags.skip, flags.stop) if flags else ()
        return made

    def _jump(self, statement: ast.stmt, flags: Flags | None) -> list[ast.stmt]:
        """A jump, as the flags that it sets; a `return` outside of loops stays."""
        if isinstance(statement, ast.Return):
            return [statement] if flags is None else _returned(statement, flags)
        if flags is None:
            raise self.error(statement, "this statement is outside a loop", "remove it")
        if isinstance(statement, ast.Continue):
            return [_assign(flags.skip, True, statement)]
        names = [flags.broken, flags.stop] if flags.broken else [flags.stop]
        return [_assign(name, True, statement) for name in names]

    def _leaving_if(self, statement: ast.If, rest: list[ast.stmt], flags: Flags | None) -> list[ast.stmt]:
        if always_leaves(statement.body):
            return [self._if(statement, statement.body, statement.orelse + rest, flags)]
        if always_leaves(statement.orelse):
            return [self._if(statement, statement.body + rest, statement.orelse, flags)]
        if flags is None:
            return self._returning_if(statement, rest)
        first = self._if(statement, statement.body, statement.orelse, flags)
        return [first, self._unless_left(statement, rest, flags)] if rest else [first]

    def _unless_left(self, statement: ast.If, rest: list[ast.stmt], flags: Flags) -> ast.If:
        loads = [_load(name, statement) for name in dict.fromkeys((flags.skip, flags.stop))]
        guard = loads[0] if len(loads) == 1 else ast.copy_location(ast.BoolOp(ast.Or(), loads), statement.test)
        test = ast.copy_location(ast.UnaryOp(ast.Not(), guard), statement.test)
        after = ast.copy_location(ast.If(test, self._block(rest, flags), []), statement)
        after.has_left_otherwise = True
        after.leaves = (flags.skip, flags.stop)
        return after

    def _returning_if(self, statement: ast.If, rest: list[ast.stmt]) -> list[ast.stmt]:
        """An `if` outside of loops that returns on some paths and goes on on others."""
        returned, result = self._names_of_return(None)
        first = self._leaving_if(statement, [], Flags(returned, returned, None, returned, result))
        after = _if_returned(returned, result, statement, rest)
        return [_assign(returned, False, statement), *first, *self._block([after], None)]

    def _returning_loop(
        self, statement: ast.For | ast.While, rest: list[ast.stmt], flags: Flags | None
    ) -> list[ast.stmt]:
        """A loop that `return` may leave, and the statements after it where none did."""
        returned, result = self._names_of_return(flags)
        loop = self._loop(statement, returned, result)
        after = _if_returned(returned, result, statement, rest)
        follows = after.body if never_ends(statement) else [after]
        return [_assign(returned, False, statement), loop, *self._block(follows, flags)]

    def _names_of_return(self, outer: Flags | None) -> tuple[str, str]:
        """The flag that says whether a `return` was met, and the name of its value, one for all loops of a nest."""
        serial = next(self.serials)
        return f"%returned{serial}", outer.result if outer and outer.result else f"{RESULT}{serial}"

    def _without_else(self, statement: ast.For | ast.While) -> list[ast.stmt]:
        """A loop with `else`: a flag says afterwards whether it was left by `break`."""
        plain = _loop_with(statement, statement.body)
        if not may_break(statement):
            return [plain, *statement.orelse]
        plain.broken_flag = f"%broken{next(self.serials)}"
        flag = _load(plain.broken_flag, statement)
        test = ast.copy_location(ast.UnaryOp(ast.Not(), flag), statement)
        after = ast.copy_location(ast.If(test, statement.orelse, []), statement)
        return [_assign(plain.broken_flag, False, statement), plain, after]

    def _loop(self, statement: ast.For | ast.While, returned: str | None = None, result: str | None = None) -> ast.stmt:
        serial = next(self.serials)
        broken = getattr(statement, "broken_flag", None)
        flags = Flags(f"%skip{serial}", f"%stop{serial}", broken, returned, result)
        body = self._block(statement.body, flags)
        jumps = list(jumps_in(statement.body))
        if jumps:
            body = [_assign(flags.skip, False, statement), _assign(flags.stop, False, statement), *body]
        loop = _loop_with(statement, body)
        loop.flags = (flags.skip, flags.stop)
        loop.stop_flag = flags.stop if any(not isinstance(jump, ast.Continue) for jump in jumps) else None
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


def _returned(statement: ast.Return, flags: Flags) -> list[ast.stmt]:
    """A `return` as assignments; the value that an inner loop has kept is there already."""
    kept = isinstance(statement.value, ast.Name) and statement.value.id == flags.result
    names = dict.fromkeys(name for name in (flags.returned, flags.stop) if name)
    result = [] if kept else [_assigned(flags.result, statement.value, statement)]
    return [*result, *(_assign(name, True, statement) for name in names)]


def _if_returned(returned: str, result: str, at: ast.stmt, otherwise: list[ast.stmt]) -> ast.If:
    back = ast.copy_location(ast.Return(_load(result, at)), at)
    return ast.copy_location(ast.If(_load(returned, at), [back], otherwise), at)


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
    return _assigned(name, ast.copy_location(ast.Constant(value), at), at)


def _assigned(name: str, value: ast.expr, at: ast.stmt) -> ast.stmt:
    target = ast.copy_location(ast.Name(name, ast.Store()), at)
    return ast.copy_location(ast.Assign([target], value), at)


def _load(name: str, at: ast.stmt) -> ast.expr:
    return ast.copy_location(ast.Name(name, ast.Load()), at)
