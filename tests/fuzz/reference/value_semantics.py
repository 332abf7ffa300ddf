"""Rewrites a program so that numpy arrays behave as values: every assignment, argument and result is a copy."""

from __future__ import annotations

import ast

OWN = "tl.own"


def own(node: ast.expr) -> ast.expr:
    return ast.Call(ast.parse(OWN, mode="eval").body, [node], [])


def readable(target: ast.expr) -> ast.expr:
    """The target of an assignment as an expression."""
    return ast.parse(ast.unparse(target), mode="eval").body


class Copying(ast.NodeTransformer):
    """`x = e` becomes `x = own(e)`, `x += e` becomes `x = own(x + e)`, and so on."""

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        self.generic_visit(node)
        node.decorator_list = []
        for each in node.args.args:
            each.annotation = None
        names = [each.arg for each in node.args.args]
        copies = [ast.Assign([ast.Name(name, ast.Store())], own(ast.Name(name, ast.Load()))) for name in names]
        node.body = [*copies, *node.body]
        return node

    def visit_Assign(self, node: ast.Assign) -> ast.AST:
        self.generic_visit(node)
        node.value = own(node.value)
        return node

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.AST:
        self.generic_visit(node)
        return ast.Assign([node.target], own(ast.BinOp(readable(node.target), node.op, node.value)))

    def visit_For(self, node: ast.For) -> ast.AST:
        self.generic_visit(node)
        if not isinstance(node.iter, ast.Call):
            node.iter = own(node.iter)
        return node

    def visit_Return(self, node: ast.Return) -> ast.AST:
        self.generic_visit(node)
        if node.value is not None:
            node.value = own(node.value)
        return node


def with_value_semantics(text: str) -> ast.Module:
    """The rewritten program, without its imports."""
    tree = ast.parse(text)
    tree.body = [node for node in tree.body if not isinstance(node, ast.Import)]
    return ast.fix_missing_locations(Copying().visit(tree))
