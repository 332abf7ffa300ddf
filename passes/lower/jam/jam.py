"""The pass `lower-jam`: of loops of a thread around a loop over shared memory, four iterations are done at once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from tapeless._mlir import arith, ir, scf
from tapeless.passes.ir.copies import Values, copy_op
from tapeless.passes.ir.search import ops_named
from tapeless.passes.lower.jam.nests import Nest, nest_of
from tapeless.passes.marks import LAUNCH

AT_ONCE = 4


@dataclass(frozen=True)
class Jam:
    """Makes one inner loop of four, which loads what all of them read once.

    A thread that looks for the nearest of several points goes through its own point, in shared memory, for each of
    them. Every sum is made in the same order as before, and sums are compared in the same order.

    ```mlir
    %r = scf.for %c = 0 to %k {                    %q = scf.for %c = 0 to %k - %k % 4 step 4 {
      %s = scf.for %j = 0 to %d {                    %s:4 = scf.for %j = 0 to %d {
        // x[%j] - y[%c, %j]                           // x[%j] - y[%c, %j], x[%j] - y[%c + 1, %j], ...
      }                                              }
      // the smaller of both                         // the smallest, one by one
    }                                              }
                                                   %r = scf.for %c = %k - %k % 4 to %k { // as before, from %q on }
    ```
    """

    name: ClassVar[str] = "lower-jam"

    def run(self, module: ir.Module) -> None:
        """Changes the loops in launches of the module that are such nests."""
        launched = [op for op in ops_named(module.operation.opview, "scf.for") if LAUNCH in op.operation.attributes]
        for launch in launched:
            for view in ops_named(launch, "scf.for"):
                nest = nest_of(view.operation)
                if nest is not None:
                    with module.context, view.operation.location, ir.InsertionPoint(view.operation):
                        _jam(nest)


def _jam(nest: Nest) -> None:
    """Puts a loop over iterations by four before one over those that are left."""
    low, high = list(nest.outer.operands)[:2]
    index = ir.IndexType.get()
    zero, four = arith.constant(index, 0), arith.constant(index, AT_ONCE)
    count = arith.maxsi(arith.subi(high, low), zero)
    end = arith.addi(low, arith.subi(count, arith.remui(count, four)))
    several = scf.ForOp(low, end, four, list(nest.outer.operands)[3:])
    with ir.InsertionPoint(several.body):
        scf.YieldOp(_together(nest, several))
    nest.outer.operands[0] = end
    for number, value in enumerate(several.results_):
        nest.outer.operands[3 + number] = value


def _together(nest: Nest, several: scf.ForOp) -> list[ir.Value]:
    """Four iterations, of which the inner loops are one; gives what they carry in the end."""
    variable, *carried = list(nest.outer.regions[0].blocks[0].arguments)
    values: list[Values] = []
    for number in range(AT_ONCE):
        own: Values = {variable: arith.addi(several.induction_variable, arith.constant(ir.IndexType.get(), number))}
        for op in nest.before:
            copy_op(op.opview, own)
        values.append(own)
    _inner_loops_in_one(nest.inner, values)
    running = list(several.inner_iter_args)
    for own in values:
        own.update(zip(carried, running, strict=True))
        for op in nest.after:
            copy_op(op.opview, own)
        running = [own.get(value, value) for value in _yielded(nest.outer)]
    return running


def _inner_loops_in_one(inner: ir.Operation, values: list[Values]) -> None:
    """One loop for all inner loops; `values` learn the results of each."""
    bounds, starts = list(inner.operands)[:3], list(inner.operands)[3:]
    width = len(starts)
    loop = scf.ForOp(*bounds, [own.get(start, start) for own in values for start in starts])
    index, *arguments = list(inner.regions[0].blocks[0].arguments)
    yielded: list[ir.Value] = []
    with ir.InsertionPoint(loop.body):
        for number, own in enumerate(values):
            within = own | {index: loop.induction_variable}
            mine = list(loop.inner_iter_args)[number * width : (number + 1) * width]
            within.update(zip(arguments, mine, strict=True))
            for view in list(inner.regions[0].blocks[0].operations)[:-1]:
                copy_op(view, within)
            yielded += [within.get(value, value) for value in _yielded(inner)]
        scf.YieldOp(yielded)
    for number, own in enumerate(values):
        own.update(zip(inner.results, list(loop.results_)[number * width : (number + 1) * width], strict=True))


def _yielded(loop: ir.Operation) -> list[ir.Value]:
    return list(list(loop.regions[0].blocks[0].operations)[-1].operation.operands)
