"""Named expressions: `(n := e)` becomes `n = e` before its statement, in the order in which Python evaluates.

    if (n := len(x)) > 3:           n = len(x)
        ...                         if n > 3: ...

    while (r := f(x)) > tol:        while True:
        x = g(x)                        r = f(x)
                                        if not r > tol: break
                                        x = g(x)

What may not be evaluated, as the second operand of `and`, cannot move, nor can a name that was read before.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable, Iterator
from contextlib import contextmanager

Refuse = Callable[..., Exception]

# What a statement evaluates, in order, before it does anything else.
EVALUATED: dict[type[ast.stmt], tuple[str, ...]] = {
    ast.AnnAssign: ("value",),
    ast.Assert: ("test",),
    ast.Assign: ("value", "targets"),
    ast.AugAssign: ("target", "value"),
    ast.Expr: ("value",),
    ast.For: ("iter",),
    ast.If: ("test",),
    ast.Raise: ("exc",),
    ast.Return: ("value",),
    ast.While: ("test",),
}
ELSEWHERE = "':=' in an expression that may be evaluated never, or often"
BEFORE = "assign in a statement of its own before this one"


def has_named(nodes: list[ast.stmt]) -> bool:
    return any(isinstance(each, ast.NamedExpr) for node in nodes for each in ast.walk(node))


def hoisted(statement: ast.stmt, error: Refuse) -> list[ast.stmt] | None:
    """The statements that a statement with named expressions means; None if it has none of its own."""
    parts = {name: getattr(statement, name) for name in EVALUATED.get(type(statement), ())}
    lists = {name: part if isinstance(part, list) else [part] for name, part in parts.items() if part is not None}
    if not any(isinstance(node, ast.NamedExpr) for each in lists.values() for part in each for node in ast.walk(part)):
        return None
    moved = _Hoisting(error)
    plain = copy.copy(statement)
    for name, part in lists.items():
        found = [moved.visit(copy.deepcopy(each)) for each in part]
        setattr(plain, name, found if isinstance(parts[name], list) else found[0])
    if isinstance(plain, ast.While):
        return [_endless(plain, moved.assignments, error)]
    return [*moved.assignments, plain]


def _endless(loop: ast.While, before: list[ast.stmt], error: Refuse) -> ast.While:
    """A loop whose condition is computed in its body."""
    if loop.orelse or isinstance(loop.test, ast.Call):
        what = "':=' in the condition of a loop with 'else' or a bound"
        raise error(loop.test, what, "assign before the loop, and at the end of its body")
    test = ast.copy_location(ast.UnaryOp(ast.Not(), loop.test), loop.test)
    leave = ast.copy_location(ast.If(test, [ast.copy_location(ast.Break(), loop.test)], []), loop.test)
    return ast.copy_location(
        ast.While(ast.copy_location(ast.Constant(True), loop.test), [*before, leave, *loop.body], []), loop
    )


class _Hoisting(ast.NodeTransformer):
    """Takes the named expressions out of a copy of a statement's expressions."""

    def __init__(self, error: Refuse) -> None:
        self.error = error
        self.assignments: list[ast.stmt] = []
        self.read: set[str] = set()
        self.is_certain = True

    @contextmanager
    def _maybe(self) -> Iterator[None]:
        saved, self.is_certain = self.is_certain, False
        yield
        self.is_certain = saved

    def visit_NamedExpr(self, node: ast.NamedExpr) -> ast.expr:
        if not self.is_certain:
            raise self.error(node, ELSEWHERE, BEFORE)
        name, before = node.target.id, set(self.read)
        value = self.visit(node.value)
        if name in before:
            raise self.error(node, f"'{name}' is read before ':=' in the same statement", BEFORE)
        self.read.add(name)
        self.assignments.append(ast.copy_location(ast.Assign([node.target], value), node))
        return ast.copy_location(ast.Name(name, ast.Load()), node)

    def visit_Name(self, node: ast.Name) -> ast.expr:
        if isinstance(node.ctx, ast.Load):
            self.read.add(node.id)
        return node

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.expr:
        first, *rest = node.values
        node.values = [self.visit(first), *self._uncertain(rest)]
        return node

    def visit_Compare(self, node: ast.Compare) -> ast.expr:
        node.left = self.visit(node.left)
        first, *rest = node.comparators
        node.comparators = [self.visit(first), *self._uncertain(rest)]
        return node

    def visit_IfExp(self, node: ast.IfExp) -> ast.expr:
        node.test = self.visit(node.test)
        node.body, node.orelse = self._uncertain([node.body, node.orelse])
        return node

    def visit_Lambda(self, node: ast.Lambda) -> ast.expr:
        return self._inside(node)

    def visit_Comprehension(self, node: ast.expr) -> ast.expr:
        return self._inside(node)

    def _uncertain(self, nodes: list[ast.expr]) -> list[ast.expr]:
        with self._maybe():
            return [self.visit(node) for node in nodes]

    def _inside(self, node: ast.expr) -> ast.expr:
        with self._maybe():
            return self.generic_visit(node)
