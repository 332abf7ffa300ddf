"""Where a function is written: the lines of its file, and its node in their syntax tree."""

from __future__ import annotations

import ast
import linecache
from collections.abc import Callable, Iterator
from functools import lru_cache
from types import CodeType
from typing import Any

from tapeless.errors import FrontendError
from tapeless.frontend.syntax import comprehensions


def lines_of(function: Callable[..., Any]) -> list[str]:
    """All lines of the file that a function is written in."""
    lines = linecache.getlines(function.__code__.co_filename, function.__globals__)
    if not lines:
        raise FrontendError(
            f"the source of '{function.__name__}' ({function.__code__.co_filename}) cannot be read; "
            "define the function in a file"
        )
    return lines


def node_of(function: Callable[..., Any], lines: list[str]) -> ast.FunctionDef | ast.Lambda:
    """The syntax node of a function among the lines of its file, its comprehensions as functions of their variables."""
    code = function.__code__
    begun = _functions_at(code.co_firstlineno, _parsed("".join(lines)))
    matches = [node for node in begun if _is_of(node, code)]
    if len(matches) == 1 or (matches and all(isinstance(node, ast.Lambda) for node in matches)):
        node = max(matches, key=lambda node: (node.lineno, node.col_offset))
        comprehensions.rewrite(node)
        return node
    raise FrontendError(
        f"{code.co_filename}:{code.co_firstlineno}: the source of '{function.__name__}' cannot be found in its file; "
        "write it as a def of its own"
    )


@lru_cache(maxsize=32)
def _parsed(text: str) -> ast.Module:
    return ast.parse(text)


def _functions_at(line: int, root: ast.AST) -> Iterator[ast.FunctionDef | ast.Lambda]:
    """The functions that begin at a line, with their decorators; of a long file only what is around it is walked."""
    for node in ast.iter_child_nodes(root):
        first = _first_line(node)
        if first is not None and not first <= line <= node.end_lineno:
            continue
        if first == line and isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
            yield node
        yield from _functions_at(line, node)


def _first_line(node: ast.AST) -> int | None:
    """The line that a node begins at, its decorators too; None for those that have none of their own."""
    line = getattr(node, "lineno", None)
    decorators = getattr(node, "decorator_list", None)
    return min(line, *(each.lineno for each in decorators)) if decorators else line


def _is_of(node: ast.FunctionDef | ast.Lambda, code: CodeType) -> bool:
    if not isinstance(node, ast.Lambda):
        return node.name == code.co_name
    spans = {span for span in code.co_positions() if None not in span and span[2] != span[3]}
    body = node.body
    return code.co_name == "<lambda>" and all(
        (body.lineno, body.col_offset) <= (line, column) and (end, end_column) <= (body.end_lineno, body.end_col_offset)
        for line, end, column, end_column in spans
    )
