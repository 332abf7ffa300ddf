"""Splits the computation of addends from their scatter-add: threads that sum only do that, in
copies or side by side.
"""

from __future__ import annotations

from tapeless._mlir import ir
from tapeless.passes.ir.array_loops import Loop
from tapeless.passes.ir.build import is_array
from tapeless.passes.soac.spread.distribute import Cut
from tapeless.passes.soac.spread.stages import Stages
from tapeless.passes.soac.spread.unfuse import unfused
from tapeless.passes.soac.spread.weights import depth, is_acc, is_repeatable, is_short, uses_accumulators


def set_apart(op: ir.OpView) -> bool:
    """Cuts a map with accumulators in two, if nests of operators come before its updates and only leave numbers.

    ```mlir
    map over n:                                       %i = map over n: nest over k and j, to a place
      %i = nest over k and j, to a place              map over n: update(%acc, %i, ...)
      update(%acc, %i, ...)
    ```
    """
    if not finds_before_adding(op):
        return False
    loop = Loop.seen_as(op)
    before, adding = _divided(loop)
    kept = [*before, *adding]
    results = {value for each in kept for value in each.results}
    stages = Stages(loop, [before, adding], results, is_wide=True)
    if any(not is_acc(value) for each in adding for value in each.results):
        return False
    return not any(is_array(value) for value in stages.outgoing(before)) and Cut(op, stages).write()


def finds_before_adding(op: ir.OpView) -> bool:
    """Whether nests of operators come before a map's updates."""
    before, adding = _divided(Loop.seen_as(op))
    return bool(adding) and any(depth(each) > 1 for each in before)


def _divided(loop: Loop) -> tuple[list[ir.OpView], list[ir.OpView]]:
    """The statements that a map keeps: those without accumulators, and those that add."""
    kept = [each for each in list(loop.body.operations)[:-1] if not is_repeatable(each)]
    adding = [each for each in kept if uses_accumulators(each)]
    return [each for each in kept if not uses_accumulators(each)], adding


def reduce_apart(op: ir.OpView) -> bool:
    """Makes the elements of a reduction to numbers before it, if each takes an operator or a nest of them.

    ```mlir
    %s = reduction over n of:                         %e = map over n: nest over k and j, to a number
      nest over k and j, to a number                  %s = reduction over n of %e
    ```
    Teams of threads reduce the rows of such a map, and tiles take what many elements of nests read to shared memory.
    """
    loop = Loop.seen_as(op)
    if loop.accs or loop.scanned.neutral or not loop.reduced.neutral or any(is_array(value) for value in loop.lifted()):
        return False
    nests = [each for each in loop.body.operations if depth(each) and not is_short(each)]
    return bool(nests) and unfused(op) is not None
