"""The vjp of a whole function, written where it is wanted."""

from __future__ import annotations

from collections.abc import Sequence

from tapeless._mlir import ir
from tapeless.passes.ad.activity import Activity
from tapeless.passes.ad.reverse.sweep import Sweep, terminator
from tapeless.passes.ad.reverse.table import RULES
from tapeless.passes.soac.build import cast_to


def emit_vjp(
    function: ir.OpView,
    primals: Sequence[ir.Value],
    seeds: Sequence[ir.Value | None],
    wrt: Sequence[int],
    checks: bool = True,
) -> tuple[list[ir.Value], list[ir.Value]]:
    """The function's results and the adjoints of the arguments `wrt`, at the insertion point.

    `seeds` has one adjoint per result; `None` stands for zero. The function has no calls left. With `checks`, promises
    such as `ad.true_dep` are checked at run time.
    """
    block = function.operation.regions[0].blocks[0]
    outputs = list(terminator(block).operands)
    arguments = list(block.arguments)
    inputs = [arguments[k] for k in wrt]
    activity = Activity(block, inputs, [value for value, seed in zip(outputs, seeds, strict=True) if seed is not None])
    sweep = Sweep.start(RULES, activity, dict(zip(arguments, primals, strict=True)), checks)
    sweep.differentiate(block, seeds)
    adjoints = [sweep.bars.or_zeros(value, sweep.primal(value)) for value in inputs]
    return sweep.primals(outputs), [cast_to(value.type, bar) for value, bar in zip(inputs, adjoints, strict=True)]
