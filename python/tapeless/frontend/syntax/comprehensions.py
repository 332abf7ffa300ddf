"""Comprehensions as functions of their loop variables: `[v * v for v in x]` calls `lambda v: v * v` for each of `x`.

So their variables are names of their own, and what they read from around them is found as for any nested function.
"""

from __future__ import annotations

import ast

Written = ast.ListComp | ast.GeneratorExp | ast.DictComp
COMPREHENSIONS = (ast.ListComp, ast.GeneratorExp, ast.DictComp)


class Comprehension(ast.expr):
    """A comprehension calls `element` with every value of `iterable` that satisfies `conditions`.

    The functions take the names of `target` in the order in which they are written. Where `is_nest` is true, `element`
    gives a comprehension of its own (which `is_inner`), and all of their values follow one another. Of a dict, the
    elements are pairs of a key and a value. `written` is what the program has.
    """

    _fields = ("iterable", "element", "conditions")

    iterable: ast.expr
    element: ast.Lambda
    conditions: list[ast.Lambda]
    target: ast.expr
    is_nest: bool
    is_inner: bool
    written: Written

    @property
    def is_dict(self) -> bool:
        return isinstance(self.written, ast.DictComp)

    @property
    def functions(self) -> list[ast.Lambda]:
        return [self.element, *self.conditions]


def rewrite(function: ast.AST) -> None:
    """Puts a `Comprehension` wherever a function has a comprehension of a list or a dict, or a generator expression."""
    if any(isinstance(node, COMPREHENSIONS) for node in ast.walk(function)):
        _Rewriter().visit(function)


class _Rewriter(ast.NodeTransformer):
    def visit_ListComp(self, node: ast.ListComp) -> ast.expr:
        return self._rewritten(node)

    def visit_GeneratorExp(self, node: ast.GeneratorExp) -> ast.expr:
        return self._rewritten(node)

    def visit_DictComp(self, node: ast.DictComp) -> ast.expr:
        return self._rewritten(node)

    def _rewritten(self, node: Written) -> ast.expr:
        self.generic_visit(node)
        if any(each.is_async for each in node.generators):
            return node
        innermost = _innermost(node)
        element = innermost
        for each in reversed(node.generators):
            made = Comprehension(each.iter, _function(each.target, element), [])
            made.conditions = [_function(each.target, condition) for condition in each.ifs]
            made.target, made.is_nest, made.written = each.target, element is not innermost, node
            made.is_inner = each is not node.generators[0]
            element = ast.copy_location(made, node)
        return element


def _innermost(node: Written) -> ast.expr:
    if not isinstance(node, ast.DictComp):
        return node.elt
    return ast.copy_location(ast.Tuple([node.key, node.value], ast.Load()), node)


def _function(target: ast.expr, body: ast.expr) -> ast.Lambda:
    names = [ast.arg(name.id) for name in names_of(target)]
    arguments = ast.arguments([], [ast.copy_location(name, target) for name in names], None, [], [], None, [])
    return ast.copy_location(ast.Lambda(arguments, body), body)


def names_of(target: ast.expr) -> list[ast.Name]:
    """The names of a loop variable, as they are written."""
    if isinstance(target, (ast.Tuple, ast.List)):
        return [name for each in target.elts for name in names_of(each)]
    return [target] if isinstance(target, ast.Name) else []
