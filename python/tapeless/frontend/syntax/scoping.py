"""Names by Python's scoping: those that functions bind, and the outside ones that they read."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

Function = ast.FunctionDef | ast.Lambda

# Nodes that only say which operator is meant, or whether a name is read or written.
LEAVES = (ast.expr_context, ast.operator, ast.unaryop, ast.boolop)


def own_nodes(body: Sequence[ast.AST]) -> Iterator[ast.AST]:
    """All nodes of some statements, without those inside nested functions."""
    pending: list[ast.AST] = list(reversed(body))
    while pending:
        node = pending.pop()
        yield node
        if not isinstance(node, (ast.FunctionDef, ast.Lambda)):
            for name in reversed(node._fields):
                child = getattr(node, name, None)
                if isinstance(child, list):
                    pending.extend(each for each in reversed(child) if isinstance(each, ast.AST))
                elif isinstance(child, ast.AST) and not isinstance(child, LEAVES):
                    pending.append(child)


def stored_names(nodes: Iterator[ast.AST] | list[ast.AST]) -> set[str]:
    """The names that nodes assign, element writes included."""
    names = set()
    for node in nodes:
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            names.add(node.id)
        elif isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store):
            names |= {root.id for root in [_root(node)] if isinstance(root, ast.Name)}
        elif isinstance(node, ast.FunctionDef):
            names.add(node.name)
    return names


def _root(node: ast.expr) -> ast.expr:
    """The variable that a chain of indices begins with: `a` of `a[i][j]`."""
    while isinstance(node, ast.Subscript):
        node = node.value
    return node


def local_names(function: Function) -> set[str]:
    """The names a function binds: parameters and everything it assigns."""
    arguments = function.args
    names = {each.arg for each in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)}
    for node in own_nodes(function.body) if isinstance(function, ast.FunctionDef) else ():
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            names.add(node.id)
        elif isinstance(node, ast.FunctionDef):
            names.add(node.name)
    return names


def free_names(function: Function) -> set[str]:
    """The outside names a function reads, nested functions included; `np.pi` counts as `np` and as `np.pi`."""
    bound = local_names(function)
    roots = function.body if isinstance(function, ast.FunctionDef) else [function.body]
    defaults = [default for default in (*function.args.defaults, *function.args.kw_defaults) if default is not None]
    names: set[str] = set()
    for node in own_nodes([*roots, *defaults]):
        if isinstance(node, (ast.FunctionDef, ast.Lambda)):
            names |= free_names(node)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            names.add(node.id)
        elif isinstance(node, ast.Attribute):
            names |= {dotted for dotted in [dotted_name(node)] if dotted}
    return {name for name in names if name.split(".")[0] not in bound}


def dotted_name(node: ast.AST) -> str | None:
    """`a.b.c` as text, or None when the expression is not of that form."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        root = dotted_name(node.value)
        return f"{root}.{node.attr}" if root else None
    return None
