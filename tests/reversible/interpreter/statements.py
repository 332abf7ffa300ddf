"""Statements that change cells in place, each with its inverse."""

from __future__ import annotations

import ast
import math
import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from reversible.interpreter.checks import require_equal
from reversible.interpreter.errors import CheckFailed, NotUnderstood, Unclear
from reversible.interpreter.places import is_place, require_apart
from reversible.interpreter.scope import Scope, Stack
from reversible.interpreter.state import State, update

SMALLEST_RECIPROCAL = 0.05
Operator = Callable[[Any, Any], Any]
UPDATES: dict[type[ast.operator], tuple[Operator, Operator]] = {
    ast.Add: (operator.add, operator.sub),
    ast.Sub: (operator.sub, operator.add),
    ast.Mult: (operator.mul, operator.truediv),
    ast.Div: (operator.truediv, operator.mul),
    ast.BitXor: (operator.xor, operator.xor),
}
"""Per augmented assignment, what it does forwards and backwards."""


def accumulate(state: State, node: ast.AugAssign, scope: Scope, backwards: bool) -> None:
    """`y += e`: what is read must not be what is written."""
    target = state.place(node.target, scope)
    state.evaluator.reads.clear()
    value = state.value(node.value, scope)
    require_apart([target], state.evaluator.reads, node)
    update(target, UPDATES[type(node.op)][backwards](target, value))


def assign(state: State, node: ast.Assign, scope: Scope, backwards: bool) -> None:
    """A swap or a change of sign; a temporary was seen when the block began."""
    target, value = node.targets[0], node.value
    if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
        swap(state, node, target, scope)
    elif is_negation(target, value):
        cell = state.place(target, scope)
        update(cell, -cell)


def is_negation(target: ast.expr, value: ast.expr) -> bool:
    return (
        isinstance(value, ast.UnaryOp)
        and isinstance(value.op, ast.USub)
        and ast.unparse(value.operand) == ast.unparse(target)
    )


def is_temporary(node: ast.stmt) -> bool:
    """Whether a statement names a pure expression."""
    if not isinstance(node, ast.Assign):
        return False
    target = node.targets[0]
    return isinstance(target, ast.Name) and not is_negation(target, node.value)


def swap(state: State, node: ast.Assign, target: ast.Tuple, scope: Scope) -> None:
    a, b = (state.place(each, scope) for each in target.elts)
    require_apart([a], [b], node)
    first = a.copy()
    update(a, b)
    update(b, first)


def reciprocal(state: State, node: ast.Call, scope: Scope, backwards: bool) -> None:
    cell = state.place(node.args[0], scope)
    if np.any(np.abs(cell) < SMALLEST_RECIPROCAL):
        raise Unclear("a reciprocal of a small number")
    update(cell, 1.0 / cell)


def rotate(state: State, node: ast.Call, scope: Scope, backwards: bool) -> None:
    a, b = (state.place(each, scope) for each in node.args[:2])
    state.evaluator.reads.clear()
    angle = state.value(node.args[2], scope)
    require_apart([a], [b, *state.evaluator.reads], node)
    require_apart([b], state.evaluator.reads, node)
    cosine, sine = np.cos(angle), np.sin(-angle if backwards else angle)
    turned = a * cosine - b * sine, a * sine + b * cosine
    update(a, state.evaluator.shaken(turned[0]))
    update(b, state.evaluator.shaken(turned[1]))


def hadamard(state: State, node: ast.Call, scope: Scope, backwards: bool) -> None:
    a, b = (state.place(each, scope) for each in node.args)
    require_apart([a], [b], node)
    turned = (a + b) / math.sqrt(2.0), (a - b) / math.sqrt(2.0)
    update(a, state.evaluator.shaken(turned[0]))
    update(b, state.evaluator.shaken(turned[1]))


def push(state: State, node: ast.Call, scope: Scope, backwards: bool) -> None:
    stack, cell = _stack(node, scope), state.place(node.args[1], scope)
    if backwards:
        _take(stack, cell)
    else:
        _put(stack, cell)


def pop(state: State, node: ast.Call, scope: Scope, backwards: bool) -> None:
    push(state, node, scope, not backwards)


def _stack(node: ast.Call, scope: Scope) -> Stack:
    assert isinstance(node.args[0], ast.Name)
    stack = scope.find(node.args[0].id)[0]
    assert isinstance(stack, Stack)
    return stack


def _put(stack: Stack, cell: Any) -> None:
    if len(stack.values) >= stack.capacity:
        raise CheckFailed("the stack is full")
    stack.values.append(cell.copy())
    cell[...] = 0


def _take(stack: Stack, cell: Any) -> None:
    if not stack.values:
        raise CheckFailed("the stack is empty")
    require_equal(cell, np.zeros_like(cell))
    cell[...] = stack.values.pop()


INSTRUCTIONS: dict[str, Callable[[State, ast.Call, Scope, bool], None]] = {
    "tl.recip": reciprocal,
    "tl.rot": rotate,
    "tl.hadamard": hadamard,
    "tl.push": push,
    "tl.pop": pop,
}


def expression(state: State, node: ast.Expr, scope: Scope, backwards: bool) -> None:
    """An instruction or a call of a procedure; a doc string is nothing."""
    call = node.value
    if isinstance(call, ast.Constant):
        return
    if not isinstance(call, ast.Call):
        raise NotUnderstood(ast.unparse(node))
    if (rule := INSTRUCTIONS.get(ast.unparse(call.func))) is not None:
        rule(state, call, scope, backwards)
        return
    is_inverse = isinstance(call.func, ast.UnaryOp)
    name = ast.unparse(call.func.operand if isinstance(call.func, ast.UnaryOp) else call.func)
    given = [state.place(each, scope) if is_place(each, scope) else state.value(each, scope) for each in call.args]
    state.call(name, given, is_inverse != backwards)
