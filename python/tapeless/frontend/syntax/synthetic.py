"""Functions of the language that are written by the package: the body is a text, the rest is taken from another."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from typing import Any

from tapeless.frontend.syntax.source import Source
from tapeless.signature import Parameter


def synthetic(
    name: str,
    expression: str,
    parameters: Sequence[Parameter],
    captured: Mapping[str, Any],
    model: Source,
    held: Parameter | None = None,
) -> Source:
    """The function of some parameters that returns an expression; errors show the first line of `model`.

    The expression calls the parameters `p0, p1, ...`; captured names and parameters of lambdas in it get brackets, so
    that no parameter clashes. `held` is a parameter before them, which the expression calls `f`.
    """
    given = {f"p{position}": parameter.name for position, parameter in enumerate(parameters)}
    if held is not None:
        given, parameters = {"f": held.name, **given}, (held, *parameters)
    node = ast.parse(f"lambda {', '.join(given)}: {expression}", mode="eval").body
    assert isinstance(node, ast.Lambda)
    line, column = model.node.lineno, model.node.col_offset
    end = len(model.lines[line - 1].encode()) if line <= len(model.lines) else column
    for each in ast.walk(node):
        if isinstance(each, ast.Name):
            each.id = given.get(each.id, given_name(each.id))
        elif isinstance(each, ast.arg):
            each.arg = given.get(each.arg, given_name(each.arg))
        if hasattr(each, "lineno"):
            each.lineno = each.end_lineno = line
            each.col_offset, each.end_col_offset = column, end
    outside = {given_name(name): value for name, value in captured.items()}
    return Source(
        name, model.file, model.lines, node, tuple(parameters), None, model.function, outside, is_written=False
    )


def given_name(name: str) -> str:
    """The name under which the expression of such a function finds its object."""
    return f"<{name}>"
