"""The pass `lower-unroll-and-jam` unrolls a loop of a thread by four and jams its inner loops over shared memory."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from tapeless._mlir import arith, ir, scf
from tapeless.passes.ir.rebuild import Values, copy_op
from tapeless.passes.ir.search import ops_named
from tapeless.passes.lower.jam.repeated_reads import ReductionNest, nest_of
from tapeless.passes.marks import LAUNCH

AT_ONCE = 4
# So many steps of the inner loop have what they read loaded before the first of them.
STEPS_AT_ONCE = 4
# How many iterations are left after fours, alone or with the last four.
LAST = (1, 2, 3, 5, 6, 7)


@dataclass(frozen=True)
class Jam:
    """Unrolls a loop by four and jams its inner loops over shared memory, which load common operands once.

    A thread that looks for the nearest of several points goes through its own point, in shared memory, for each of
    them. Every sum is made in the same order as before, and sums are compared in the same order. What is left after
    fours is done together with the last four: one to three, or five to seven. Four steps of an inner loop are one.

    ```mlir
    %r = scf.for %c = 0 to %k {                    %q = scf.for %c = 0 to %e step 4 {
      %s = scf.for %j = 0 to %d {                    %s:4 = scf.for %j = 0 to %d {
        // x[%j] - y[%c, %j]                           // x[%j] - y[%c, %j], x[%j] - y[%c + 1, %j], ...
      }                                              }
      // the smaller of both                         // the smallest, one by one
    }                                              }
                                                   %r = scf.if %k - %e == 1 { // the same for one, from %q on } else ...
    ```
    """

    name: ClassVar[str] = "lower-unroll-and-jam"

    def run(self, module: ir.Module) -> None:
        """Changes the loops in launches of the module that are such nests."""
        launched = [op for op in ops_named(module.operation.opview, "scf.for") if LAUNCH in op.operation.attributes]
        for launch in launched:
            nests = [nest_of(view.operation) for view in ops_named(launch, "scf.for")]
            for nest in [each for each in nests if each is not None]:
                with module.context, nest.outer.location, ir.InsertionPoint(nest.outer):
                    _jam(nest)


def _jam(nest: ReductionNest) -> None:
    """Replaces a loop by one over iterations by four, with the remainder joined to the last of them."""
    low, high, _, *carried = list(nest.outer.operands)
    index = ir.IndexType.get()
    zero, four = arith.constant(index, 0), arith.constant(index, AT_ONCE)
    count = arith.maxsi(arith.subi(high, low), zero)
    beyond = arith.remui(count, four)
    is_left = arith.cmpi(arith.CmpIPredicate.ne, beyond, zero)
    is_more = arith.cmpi(arith.CmpIPredicate.sgt, count, four)
    with_last = arith.select(arith.andi(is_left, is_more), four, zero)
    end = arith.addi(low, arith.subi(arith.subi(count, beyond), with_last))
    several = scf.ForOp(low, end, four, carried)
    with ir.InsertionPoint(several.body):
        scf.YieldOp(_together(nest, several.induction_variable, list(several.inner_iter_args), AT_ONCE))
    results = _last(nest, end, arith.addi(beyond, with_last), list(several.results_), LAST)
    for old, value in zip(nest.outer.results, results, strict=True):
        old.replace_all_uses_with(value)
    nest.outer.erase()


def _last(
    nest: ReductionNest, first: ir.Value, left: ir.Value, carried: list[ir.Value], counts: Sequence[int]
) -> list[ir.Value]:
    """The last iterations, so many as one of the counts says, or none; gives the carried values."""
    if not counts:
        return carried
    is_count = arith.cmpi(arith.CmpIPredicate.eq, left, arith.constant(ir.IndexType.get(), counts[0]))
    branch = scf.IfOp(is_count, [value.type for value in carried], has_else=True)
    with ir.InsertionPoint(branch.then_block):
        scf.YieldOp(_together(nest, first, carried, counts[0]))
    with ir.InsertionPoint(branch.else_block):
        scf.YieldOp(_last(nest, first, left, carried, counts[1:]))
    return list(branch.results_)


def _together(nest: ReductionNest, first: ir.Value, running: list[ir.Value], count: int) -> list[ir.Value]:
    """So many iterations, of which the inner loops are one; gives the carried values in the end."""
    variable, *carried = list(nest.outer.regions[0].blocks[0].arguments)
    values: list[Values] = []
    for number in range(count):
        own: Values = {variable: arith.addi(first, arith.constant(ir.IndexType.get(), number))}
        for op in nest.before:
            copy_op(op.opview, own)
        values.append(own)
    _inner_loops_in_one(nest.inner, values)
    for own in values:
        own.update(zip(carried, running, strict=True))
        for op in nest.after:
            copy_op(op.opview, own)
        running = [own.get(value, value) for value in _yielded(nest.outer)]
    return running


def _inner_loops_in_one(inner: ir.Operation, values: list[Values]) -> None:
    """One loop for all inner loops, several of its steps at a time; `values` learn the results of each."""
    (low, high, step), starts = list(inner.operands)[:3], list(inner.operands)[3:]
    width = len(starts)
    carried = [own.get(start, start) for own in values for start in starts]
    index = ir.IndexType.get()
    zero, several = arith.constant(index, 0), arith.muli(step, arith.constant(index, STEPS_AT_ONCE))
    count = arith.maxsi(arith.subi(high, low), zero)
    end = arith.addi(low, arith.subi(count, arith.remui(count, several)))
    for bounds, steps in (((low, end, several), STEPS_AT_ONCE), ((end, high, step), 1)):
        loop = scf.ForOp(*bounds, carried)
        with ir.InsertionPoint(loop.body):
            running = list(loop.inner_iter_args)
            for number in range(steps):
                beyond = arith.muli(step, arith.constant(index, number))
                running = _step(inner, arith.addi(loop.induction_variable, beyond), values, running)
            scf.YieldOp(running)
        carried = list(loop.results_)
    for number, own in enumerate(values):
        own.update(zip(inner.results, carried[number * width : (number + 1) * width], strict=True))


def _step(inner: ir.Operation, at: ir.Value, values: list[Values], running: list[ir.Value]) -> list[ir.Value]:
    """One step of all inner loops; gives the carried values after it."""
    index, *arguments = list(inner.regions[0].blocks[0].arguments)
    width = len(arguments)
    yielded: list[ir.Value] = []
    for number, own in enumerate(values):
        mine = running[number * width : (number + 1) * width]
        within = own | {index: at} | dict(zip(arguments, mine, strict=True))
        for view in list(inner.regions[0].blocks[0].operations)[:-1]:
            copy_op(view, within)
        yielded += [within.get(value, value) for value in _yielded(inner)]
    return yielded


def _yielded(loop: ir.Operation) -> list[ir.Value]:
    return list(list(loop.regions[0].blocks[0].operations)[-1].operation.operands)
