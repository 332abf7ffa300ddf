"""Blocks of statements: branches, loops, ancillas, and what is computed and uncomputed."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from reversible.interpreter.checks import require, require_equal
from reversible.interpreter.errors import NotUnderstood, Unclear
from reversible.interpreter.scope import Scope, Stack
from reversible.interpreter.state import State

MOST_ITERATIONS = 400


@dataclass
class Routine(ast.stmt):
    """Compute, use, uncompute: the statements of a routine and those up to its inverse."""

    compute: list[ast.stmt]
    use: list[ast.stmt]


def with_routines(statements: Sequence[ast.stmt]) -> list[ast.stmt]:
    """The statements of a block, routines and what uses them as one statement each."""
    paired: list[ast.stmt] = []
    rest = list(statements)
    while rest:
        first = rest.pop(0)
        if (name := _routine_name(first)) is None:
            paired.append(first)
            continue
        end = next((k for k, each in enumerate(rest) if ast.unparse(each) == f"~{name}"), None)
        if end is None:
            raise NotUnderstood(f"routine {name} without an end")
        assert isinstance(first, ast.With)
        paired.append(Routine(compute=first.body, use=rest[:end]))
        rest = rest[end + 1 :]
    return paired


def _routine_name(node: ast.stmt) -> str | None:
    if not isinstance(node, ast.With) or ast.unparse(node.items[0].context_expr) != "tl.routine()":
        return None
    return ast.unparse(node.items[0].optional_vars or ast.Constant(None))


def routine(state: State, node: Routine, scope: Scope, backwards: bool) -> None:
    state.block(node.compute, scope, False)
    state.block(node.use, scope, backwards)
    state.block(node.compute, scope, True)


def conditions(node: ast.expr) -> tuple[ast.expr, ast.expr | None]:
    """Before and after; the second is missing where the first is meant."""
    if isinstance(node, ast.Call) and ast.unparse(node.func) == "tl.cond":
        return node.args[0], node.args[1]
    return node, None


def branch(state: State, node: ast.If, scope: Scope, backwards: bool) -> None:
    before, after = conditions(node.test)
    after = after or before
    if backwards:
        before, after = after, before
    holds = state.evaluator.truth(before, scope)
    state.block(node.body if holds else node.orelse, scope, backwards)
    require(state.evaluator.truth(after, scope) == holds, f"line {node.lineno}: the condition after the branch")


def repeat(state: State, node: ast.While, scope: Scope, backwards: bool) -> None:
    before, after = conditions(node.test)
    if after is None:
        raise NotUnderstood("a while loop without a second condition")
    if backwards:
        before, after = after, before
    require(not state.evaluator.truth(after, scope), f"line {node.lineno}: the second condition before the loop")
    iterations = 0
    while state.evaluator.truth(before, scope):
        state.block(node.body, scope, backwards)
        require(state.evaluator.truth(after, scope), f"line {node.lineno}: the second condition in the loop")
        iterations += 1
        if iterations > MOST_ITERATIONS:
            raise Unclear("a loop does not end")


def count(state: State, node: ast.For, scope: Scope, backwards: bool) -> None:
    assert isinstance(node.target, ast.Name) and isinstance(node.iter, ast.Call)
    bounds = [int(state.value(each, scope)) for each in node.iter.args]
    steps = range(*bounds)
    for index in reversed(steps) if backwards else steps:
        state.block(node.body, scope.inner(**{node.target.id: index}), backwards)


@dataclass
class Ancilla:
    """A cell or a stack of a `with` statement, and what it must be when the block ends."""

    name: str
    content: Any
    last: Any

    def check(self) -> None:
        if isinstance(self.content, Stack):
            require(not self.content.values, "a stack is not empty")
        else:
            require_equal(self.content, self.last)


def ancilla(state: State, node: ast.With, scope: Scope, backwards: bool) -> None:
    made = [_ancilla(state, each, scope, backwards) for each in node.items]
    state.block(node.body, scope.inner(**{each.name: each.content for each in made}), backwards)
    for each in reversed(made):
        each.check()


def _ancilla(state: State, item: ast.withitem, scope: Scope, backwards: bool) -> Ancilla:
    call = item.context_expr
    assert isinstance(call, ast.Call) and isinstance(item.optional_vars, ast.Name)
    if ast.unparse(call.func) != "tl.ancilla":
        raise NotUnderstood(ast.unparse(call))
    name, given = item.optional_vars.id, call.args[0]
    if isinstance(given, ast.Call) and ast.unparse(given.func) == "tl.new_stack":
        return Ancilla(name, Stack(int(state.value(given.args[1], scope))), None)
    first = state.new_cell(state.value(given, scope))
    last = state.new_cell(state.value(call.keywords[0].value, scope)) if call.keywords else first.copy()
    return Ancilla(name, last.copy(), first) if backwards else Ancilla(name, first, last)


BLOCKS: dict[type[ast.stmt], Callable[[State, Any, Scope, bool], None]] = {
    ast.If: branch,
    ast.For: count,
    ast.While: repeat,
    ast.With: ancilla,
    Routine: routine,
}
