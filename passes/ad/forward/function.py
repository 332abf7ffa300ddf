"""The jvp of a whole function, written where it is wanted."""

from __future__ import annotations

from collections.abc import Sequence

from tapeless._mlir import ir
from tapeless.passes.ad.activity import Activity, is_float
from tapeless.passes.ad.forward.arrays import ARRAYS
from tapeless.passes.ad.forward.calls import CALLS
from tapeless.passes.ad.forward.control import CONTROL
from tapeless.passes.ad.forward.push import Push
from tapeless.passes.ad.forward.scalars import SCALARS
from tapeless.passes.soac.build import cast_to

RULES = {**SCALARS, **CONTROL, **ARRAYS, **CALLS}


def emit_jvp(
    function: ir.OpView,
    primals: Sequence[ir.Value],
    tangents: Sequence[ir.Value],
    wrt: Sequence[int],
    repeats: bool = False,
) -> tuple[list[ir.Value], list[ir.Value]]:
    """The function's results and the tangents of its float results, for tangents of the arguments `wrt`.

    With `repeats`, what the function checks has been checked.
    """
    block = function.operation.regions[0].blocks[0]
    arguments = list(block.arguments)
    inputs = [arguments[k] for k in wrt]
    outputs = list(block.operations)[-1].operation.operands
    activity = Activity(block, inputs, outputs)
    values, moved = (
        dict(zip(names, given, strict=True)) for names, given in ((arguments, primals), (inputs, tangents))
    )
    push = Push(RULES, activity, values, moved, repeats)
    results = push.run(block)
    moved = [cast_to(value.type, push.tangent_or_zeros(value)) for value in results if is_float(value.type)]
    return push.primals(results), moved
