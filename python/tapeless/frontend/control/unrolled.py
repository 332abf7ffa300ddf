"""Loops over tuples: the body is translated once for each value; after a `break` the rest is skipped."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from tapeless.frontend.control import unpacking
from tapeless.frontend.values.value import Value

if TYPE_CHECKING:
    from tapeless.frontend.translator import Translator


def execute(t: Translator, loop: ast.For, items: tuple[Value, ...]) -> None:
    t.frame.unrolled.update(loop.flags)
    if loop.stop_flag:
        t.execute(_nested(t, loop, items))
        return
    for item in items:
        unpacking.bind(t, loop.target, item)
        t.execute(loop.body)


def _nested(t: Translator, loop: ast.For, items: tuple[Value, ...]) -> list[ast.stmt]:
    """The iterations as statements, each inside an `if` that asks whether the one before it broke off."""
    body: list[ast.stmt] = []
    analysis = t.frame.prepared.analysis
    for position, item in reversed(list(enumerate(items))):
        name = f"%item{position}of{loop.lineno}.{loop.col_offset}"
        t.frame.names[name] = item
        bound = ast.Assign([loop.target], ast.Name(name, ast.Load()))
        here = [ast.copy_location(bound, loop.target), *loop.body]
        ast.copy_location(bound.value, loop.target)
        if body:
            stopped = ast.copy_location(ast.Name(loop.stop_flag, ast.Load()), loop)
            test = ast.copy_location(ast.UnaryOp(ast.Not(), stopped), loop)
            guard = ast.copy_location(ast.If(test, body, []), loop)
            analysis.needed[guard] = analysis.needed[loop] | unpacking.target_names(loop.target)
            here.append(guard)
        body = here
    return body
