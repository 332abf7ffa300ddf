"""The jvp of a whole function, written where it is wanted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tapeless._mlir import ir
from tapeless.passes.ad.activity import Activity, edges_of, is_float
from tapeless.passes.ad.custom import body_of
from tapeless.passes.ad.forward.push import Push, Rule
from tapeless.passes.ir.build import cast_to
from tapeless.passes.ir.scopes import terminator


def emit_jvp(
    rules: Mapping[str, Rule],
    function: ir.OpView,
    primals: Sequence[ir.Value],
    directions: Sequence[Mapping[ir.Value, ir.Value]],
    repeats: bool = False,
) -> tuple[list[ir.Value], list[list[ir.Value]]]:
    """The function's results and, for each direction, the tangents of its float results.

    A direction gives tangents to values of the function: to arguments, or to elements read from them. With `repeats`,
    what the function checks has been checked.
    """
    block = body_of(function)
    values = dict(zip(block.arguments, primals, strict=True))
    edges, outputs = edges_of(block), terminator(block).operands
    activities = [Activity(block, direction, outputs, edges) for direction in directions]
    push = Push(rules, activities, values, [dict(direction) for direction in directions], repeats)
    results = push.run(block)
    moving = [value for value in results if is_float(value.type)]
    tangents = [[cast_to(v.type, push.tangent_or_zeros(d, v)) for v in moving] for d in push.directions]
    return push.primals(results), tangents
