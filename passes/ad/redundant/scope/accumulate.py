"""Adjoints of arrays that many iterations add to, as accumulators for the duration of a piece of code."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tapeless._mlir import ir
from tapeless.dialects import soac
from tapeless.passes.ad.redundant.scope.sweep import Sweep
from tapeless.passes.ir.build import op_around


def with_accumulators(sweep: Sweep, arrays: Sequence[ir.Value], emit: Callable[[Sweep], None]) -> None:
    """Runs `emit` with the adjoints of `arrays` as accumulators.

    Arrays whose adjoint is one already keep it. For the others the code is wrapped in a `soac.with_acc`; adjoints that
    it adds to other values leave through extra results.
    """
    fresh = [value for value in arrays if not sweep.bars.is_accumulator(value)]
    if not fresh:
        emit(sweep)
        return
    dense = [sweep.bars.or_zeros(value, sweep.primal(value)) for value in fresh]
    inner = sweep.scope()
    inner.bars.copy_from(sweep.bars)
    changed: list[ir.Value] = []

    def body(accs: list[ir.Value]) -> tuple[list[ir.Value], list[ir.Type]]:
        for value, acc in zip(fresh, accs, strict=True):
            inner.bars.set(value, acc)
        emit(inner)
        changed.extend(value for value in inner.bars.changed_since(sweep.bars) if value not in fresh)
        extra = [inner.bars.of(value) for value in changed]
        summed = [inner.bars.of(value) for value in fresh]
        return [*summed, *extra], [*(bar.type for bar in dense), *(value.type for value in extra)]

    types = [soac.AccType.get(bar.type) for bar in dense]
    results = op_around("soac.with_acc", [dense], types, body)
    for value, result in zip([*fresh, *changed], results, strict=True):
        sweep.bars.set(value, result)
