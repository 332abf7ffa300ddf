"""Operators of reductions, scans and histograms as functions: applied, and run back."""

from __future__ import annotations

from collections.abc import Sequence

from tapeless._mlir import ir
from tapeless.passes.ad.copying import repeat_op
from tapeless.passes.ad.redundant.scope.sweep import Sweep
from tapeless.passes.ir.build import zeros_like
from tapeless.passes.ir.scopes import terminator


def apply(sweep: Sweep, block: ir.Block, arguments: Sequence[ir.Value]) -> list[ir.Value]:
    """The operator's results on these arguments."""
    sweep.bind(block.arguments, arguments)
    for op in list(block.operations)[:-1]:
        repeat_op(op, sweep.values)
    return sweep.primals(terminator(block).operands)


def pull_back(
    sweep: Sweep, block: ir.Block, arguments: Sequence[ir.Value], seeds: Sequence[ir.Value | None]
) -> list[ir.Value | None]:
    """The adjoints of the operator's arguments for the adjoints `seeds` of its results."""
    scope = sweep.scope()
    scope.bind(block.arguments, arguments)
    scope.differentiate(block, seeds)
    return [scope.bars.get(argument) for argument in block.arguments]


def dense(bars: Sequence[ir.Value | None], like: Sequence[ir.Value]) -> list[ir.Value]:
    """Adjoints with zeros where there is none."""
    return [zeros_like(value) if bar is None else bar for bar, value in zip(bars, like, strict=True)]
