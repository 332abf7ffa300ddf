"""Unsupported syntax of Python: refusals that need no types."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping

from tapeless.frontend.syntax import jumps
from tapeless.frontend.syntax.scoping import Function, own_nodes

Refuse = Callable[..., Exception]
Check = Callable[..., None]
Refused = Mapping[type[ast.AST], tuple[str, str]]

REFUSED: Refused = {
    ast.AsyncFunctionDef: ("async functions are not supported", "write a plain def"),
    ast.AsyncFor: ("async loops are not supported", "write a plain for loop"),
    ast.AsyncWith: ("'async with' is not supported", "leave it out"),
    ast.Await: ("'await' is not supported", "call the function directly"),
    ast.ClassDef: ("classes cannot be defined here", "move the class out of the function and pass numbers and arrays"),
    ast.Delete: ("'del' is not supported", "leave it out; a name may be assigned again"),
    ast.With: ("'with' is not supported in a tl.function", "write its body alone"),
    ast.Try: ("'try' is not supported", "test the condition with if, and raise in the caller"),
    ast.TryStar: ("'try' is not supported", "test the condition with if, and raise in the caller"),
    ast.Import: ("imports are not supported here", "import at the top of the module"),
    ast.ImportFrom: ("imports are not supported here", "import at the top of the module"),
    ast.Global: ("'global' is not supported: functions are pure", "return the new value"),
    ast.Nonlocal: ("'nonlocal' is not supported: functions are pure", "return the new value"),
    ast.Match: ("'match' is not supported", "write if/elif/else"),
    ast.ListComp: ("async comprehensions are not supported", "write a plain one"),
    ast.SetComp: ("set comprehensions are not supported", "write tl.map(lambda x: ..., xs) or a loop"),
    ast.DictComp: ("async comprehensions are not supported", "write a plain one"),
    ast.GeneratorExp: ("async comprehensions are not supported", "write a plain one"),
    ast.Yield: ("generators are not supported", "return an array"),
    ast.YieldFrom: ("generators are not supported", "return an array"),
    ast.JoinedStr: ("strings are not supported", "leave it out, or format the result in the caller"),
    ast.Set: ("sets are not supported", "use a tuple or an array"),
    ast.In: ("'in' is not supported", "write tl.any(xs == x)"),
    ast.NotIn: ("'not in' is not supported", "write tl.all(xs != x)"),
}

STARRED = "name every parameter, or take a tuple or a dict as one of them"

# What only the statements of a function have.
NAMED: Refused = {ast.NamedExpr: ("':=' is not supported here", "assign in a statement of its own")}


def check(function: Function, error: Refuse, *, may_be_deep: bool) -> None:
    """Raises for the first construct, in source order, that the language does not have."""
    check_parts(function, error, REFUSED)
    if isinstance(function, ast.Lambda):
        _check_nodes(function, error, NAMED)
    if isinstance(function, ast.FunctionDef):
        _check_body(function, error)
    jumps.check(function, error, may_be_deep=may_be_deep)


def check_parts(function: Function, error: Refuse, refused: Refused) -> None:
    """Raises for the first part, in source order, that is in a table of refusals."""
    if isinstance(function, ast.AsyncFunctionDef):
        raise error(function, *REFUSED[ast.AsyncFunctionDef])
    arguments = function.args
    for star in (arguments.vararg, arguments.kwarg):
        if star is not None:
            raise error(star, "a variable number of parameters is not supported", STARRED)
    _check_nodes(function, error, refused)


def _check_nodes(function: Function, error: Refuse, refused: Refused) -> None:
    parents = function.body if isinstance(function, ast.FunctionDef) else [function.body]
    for root in parents:
        arguments = _lists_in_arguments(root)
        if refused is REFUSED:
            arguments |= _texts_in_statements(root)
        for node, owner in _walk_with_owner(root, root):
            if type(node) in refused and node not in arguments:
                what, instead = refused[type(node)]
                raise error(owner, what, instead)
            if isinstance(node, ast.Constant):
                _check_constant(node, owner, error)
            if isinstance(node, (ast.FunctionDef, ast.Lambda)) and (node.args.vararg or node.args.kwarg):
                raise error(node, "a variable number of parameters is not supported", STARRED)
            if isinstance(node, ast.FunctionDef):
                _check_nested(node, error)


def _lists_in_arguments(root: ast.AST) -> set[ast.AST]:
    """Lists in arguments of calls, such as `tl.stack([a, b])`: nothing can change them or tell them from tuples."""
    found: set[ast.AST] = set()
    for call in ast.walk(root):
        pending = [*call.args, *(each.value for each in call.keywords)] if isinstance(call, ast.Call) else []
        while pending:
            node = pending.pop()
            if isinstance(node, (ast.List, ast.Tuple)):
                found.add(node)
                pending += node.elts
    return found


def _texts_in_statements(root: ast.AST) -> set[ast.AST]:
    """Texts in calls that are statements, such as `print(f"{x}")`: Python runs them, and no compiled function does."""
    calls = (each for each in ast.walk(root) if isinstance(each, ast.Expr) and isinstance(each.value, ast.Call))
    return {node for call in calls for node in ast.walk(call) if isinstance(node, ast.JoinedStr)}


def _walk_with_owner(node: ast.AST, owner: ast.AST) -> Iterator[tuple[ast.AST, ast.AST]]:
    """Nodes in source order, each with the nearest node that has a position."""
    pending = [(node, owner)]
    while pending:
        node, owner = pending.pop()
        owner = node if hasattr(node, "lineno") else owner
        yield node, owner
        children = [child for child in ast.iter_child_nodes(node) if not _is_doc_string(node, child)]
        pending.extend((child, owner) for child in reversed(children))


def _is_doc_string(node: ast.AST, child: ast.AST) -> bool:
    return isinstance(node, ast.Expr) and isinstance(child, ast.Constant) and isinstance(child.value, str)


def _check_constant(node: ast.Constant, owner: ast.AST, error: Refuse) -> None:
    if isinstance(node.value, complex):
        raise error(owner, "complex numbers are not supported", "keep real and imaginary parts in two variables")
    if isinstance(node.value, bytes):
        raise error(owner, "strings are not supported", "use numbers and arrays")


def _check_nested(node: ast.FunctionDef, error: Refuse) -> None:
    if node.decorator_list:
        raise error(node, "nested functions cannot be decorated", "remove the decorator, or move the function out")
    _check_body(node, error)


def _check_body(function: ast.FunctionDef, error: Refuse) -> None:
    returns = [node for node in own_nodes(function.body) if isinstance(node, ast.Return)]
    if not returns:
        raise error(function, f"'{function.name}' returns nothing", "end it with 'return' and a value")
    for statement in returns:
        if statement.value is None:
            raise error(statement, "'return' needs a value", "write 'return' and a number, an array or a tuple")
