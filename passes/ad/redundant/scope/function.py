"""The vjp of a whole function, written where it is wanted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.ad.activity import Activity
from tapeless.passes.ad.redundant.control.promised import PromisedArrays
from tapeless.passes.ad.redundant.scope.bars import Bars
from tapeless.passes.ad.redundant.scope.sweep import Rules, Sweep
from tapeless.passes.ir.build import cast_to
from tapeless.passes.ir.scopes import terminator


@dataclass(frozen=True)
class Execution:
    """A function executed forward for its adjoints: `results`, and the residuals for every return sweep from here."""

    block: ir.Block
    inputs: Sequence[ir.Value]
    sweep: Sweep

    @property
    def results(self) -> list[ir.Value]:
        """The function's results."""
        return self.sweep.primals(terminator(self.block).operands)

    def pull(self, seeds: Sequence[ir.Value | None]) -> list[ir.Value]:
        """The adjoints of the inputs for one adjoint per result, at the insertion point; `None` stands for zero."""
        sweep = self.sweep
        bars, promised = Bars(sweep.activity), PromisedArrays()
        back = replace(sweep, bars=bars, values=dict(sweep.values), saved=dict(sweep.saved), promised=promised)
        for value, seed in zip(terminator(self.block).operands, seeds, strict=True):
            back.bars.add(value, seed)
        back.run_back(self.block)
        adjoints = [back.bars.or_zeros(value, sweep.primal(value)) for value in self.inputs]
        return [cast_to(value.type, bar) for value, bar in zip(self.inputs, adjoints, strict=True)]


def execute(
    rules: Rules, function: ir.OpView, primals: Sequence[ir.Value], seeded: Sequence[bool], wrt: Sequence[int]
) -> Execution:
    """Runs a function forward at the insertion point, for adjoints of the arguments `wrt`.

    `seeded` tells which results will have adjoints. The function has no calls left.
    """
    block = function.operation.regions[0].blocks[0]
    arguments = list(block.arguments)
    inputs = [arguments[k] for k in wrt]
    outputs = [value for value, has_seed in zip(terminator(block).operands, seeded, strict=True) if has_seed]
    sweep = Sweep.start(rules, Activity(block, inputs, outputs), dict(zip(arguments, primals, strict=True)))
    sweep.run_forward(block)
    return Execution(block, inputs, sweep)


def emit_vjp(
    rules: Rules,
    function: ir.OpView,
    primals: Sequence[ir.Value],
    seeds: Sequence[ir.Value | None],
    wrt: Sequence[int],
) -> tuple[list[ir.Value], list[ir.Value]]:
    """The function's results and the adjoints of the arguments `wrt`, for one adjoint per result (`None`: zero)."""
    executed = execute(rules, function, primals, [seed is not None for seed in seeds], wrt)
    return executed.results, executed.pull(seeds)
